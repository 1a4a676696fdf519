import { drawProducts } from '../fixtures/faults/population.ts';
import { drawCombinations } from '../fixtures/variants/combination.ts';
import { concurrently } from './detect.ts';
import { freshRows } from './fresh.ts';
import { variantRow } from './matrix.ts';
import { withShare } from '../fixtures/faults/conditions.ts';
import { productNamed } from '../fixtures/faults/named.ts';
import { product } from '../fixtures/faults/product.ts';

/** One effect of each of the areas that are looked at in another way. */
const shown: readonly (readonly [effect: string, site: string])[] = [
  ['field-missing', 'chat.result.usage'],
  ['reply-failed', 'chat'],
  ['text-doubled', 'messages'],
  ['stream-cut', 'responses'],
  ['context-system-lost', 'chat.context.system'],
  ['param-above', 'chat.param.temperature.range'],
  ['token-invalid-taken', 'responses'],
];

/** One of so many replies is broken. */
export const oneOf: readonly number[] = [1, 2, 3, 5, 10];

/** For each effect and share so many gateways that break it, which draw other requests. */
const brokenGateways = (each: number, seed: number) =>
  shown.flatMap(([name, at]) => {
    const { effect, site } = productNamed(name, at, 'always');
    return oneOf.flatMap((k) =>
      Array.from({ length: k === 1 ? 1 : each }, (_, i) => ({
        effect: `${site.id} ${effect.words}`,
        share: k,
        gateway: product(effect, site, withShare(1 / k, seed + i)),
      })),
    );
  });

/** A share with its 95 % confidence interval, from 0 to 1. */
export type Share = ReturnType<typeof shareOf>;

/** The quantile of the normal distribution that 95 % lie within, on both sides. */
const z = 1.959964;

/** How often something was seen, with the interval of Wilson, which holds for few and for shares near 0 and 1, too. */
export function shareOf(seen: number, of: number) {
  if (of === 0) return { seen, of, low: 0, high: 1 };
  const share = seen / of;
  const scale = 1 + z ** 2 / of;
  const middle = (share + z ** 2 / (2 * of)) / scale;
  const half = (z / scale) * Math.sqrt((share * (1 - share)) / of + z ** 2 / (4 * of ** 2));
  return { seen, of, low: Math.max(0, middle - half), high: Math.min(1, middle + half) };
}

/** What a run of the suite says of gateways that were drawn, and that no test names. */
export type Measured = Awaited<ReturnType<typeof measure>>;

/** Freedoms that each conformant gateway uses. */
export const freedomsEach = 5;
/** Gateways for each effect and share of broken replies. */
const powerEach = 3;

/** Draws and judges so many faulty gateways, so many conformant ones, and those of the curve of power. */
export async function measure(seed: number, count: number, atOnce: number, onRow: () => void) {
  const faulty = await freshRows(drawProducts(count, seed), atOnce, onRow);
  const combinations = drawCombinations(count, freedomsEach, seed);
  const conformant = await concurrently(combinations, atOnce, (one) => variantRow(one), onRow);
  const broken = brokenGateways(powerEach, seed);
  const rows = await freshRows(
    broken.map(({ gateway }) => gateway),
    atOnce,
    onRow,
  );
  // One of `share` replies is broken.
  const power = broken.map(({ effect, share }, i) => ({ effect, share, caught: rows[i]?.caught === true }));
  return { seed, faulty, conformant, power };
}
