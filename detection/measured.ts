import { drawProducts } from '../fixtures/faults/population.ts';
import { drawCombinations } from '../fixtures/variants/combination.ts';
import { concurrently } from './detect.ts';
import { type FreshRow, freshRows } from './fresh.ts';
import { type VariantRow, variantRow } from './matrix.ts';
import { brokenGateways } from './power.ts';

/** What was found of gateways that a share of replies is broken of. */
interface PowerRow {
  readonly effect: string;
  /** One of so many replies. */
  readonly share: number;
  readonly caught: boolean;
}

/** What a run of the suite says of gateways that were drawn, and that no test names. */
export interface Measured {
  readonly seed: number;
  readonly faulty: readonly FreshRow[];
  readonly conformant: readonly VariantRow[];
  readonly power: readonly PowerRow[];
}

/** Freedoms that each conformant gateway uses. */
export const freedomsEach = 5;
/** Gateways for each effect and share of broken replies. */
const powerEach = 3;

/** Draws and judges so many faulty gateways, so many conformant ones, and those of the curve of power. */
export async function measure(
  seed: number,
  count: number,
  atOnce: number,
  onRow: () => void,
): Promise<Measured> {
  const faulty = await freshRows(drawProducts(count, seed), atOnce, onRow);
  const combinations = drawCombinations(count, freedomsEach, seed);
  const conformant = await concurrently(combinations, atOnce, (one) => variantRow(one), onRow);
  const broken = brokenGateways(powerEach, seed);
  const rows = await freshRows(
    broken.map(({ gateway }) => gateway),
    atOnce,
    onRow,
  );
  const power = broken.map(({ effect, share }, i) => ({ effect, share, caught: rows[i]?.caught === true }));
  return { seed, faulty, conformant, power };
}
