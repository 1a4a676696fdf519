import { areaOf } from '../fixtures/faults/population.ts';
import type { Site } from '../fixtures/faults/effect.ts';
import { type Product, product } from '../fixtures/faults/product.ts';
import type { Context } from '../fixtures/gateway/context.ts';
import type { Hooks } from '../fixtures/gateway/hooks.ts';
import { concurrently } from './detect.ts';
import { faultRow } from './matrix.ts';

/** What the suite says of a gateway that no test names. */
export type FreshRow = Awaited<ReturnType<typeof freshRow>>;

/** Milliseconds that a run may take, on a machine with other work, too; one that is still waiting then has caught nothing. */
const patience = 300_000;

/** The same hooks, which add the number of each request for which one of them changes what it was given. */
const counted = (hooks: Hooks, met: Set<number>): Hooks =>
  Object.fromEntries(
    Object.entries(hooks).map(([step, hook]) => [
      step,
      (before: unknown, ctx: Context, further: never) => {
        const after: unknown = (hook as (...given: unknown[]) => unknown)(before, ctx, further);
        if (after !== before) met.add(ctx.requestNumber);
        return after;
      },
    ]),
  );

async function freshRow(one: Product) {
  const signal = AbortSignal.timeout(patience);
  const met = new Set<number>();
  // What a condition needs, such as answers that take a while, is none of the effect.
  const site: Site = { ...one.site, hooks: (where) => counted(one.site.hooks(where), met) };
  const row = await faultRow(product(one.effect, site, ...one.conditions), { signal });
  const isBlamed = row.blamed.some((id) => one.breaks.includes(id));
  return {
    id: one.id,
    title: one.title,
    area: areaOf(one.effect),
    effect: one.effect.id,
    /** The conditions, joined. */
    condition: one.conditions.map(({ id }) => id).join(' and '),
    dimension: one.conditions[0]?.dimension ?? '',
    caught: row.caught && isBlamed && !signal.aborted,
    /** Exit code 1 for other requirements only. */
    blamedOther: row.caught && !isBlamed && !signal.aborted,
    /** It had not ended in time. */
    endless: signal.aborted,
    collateral: row.collateral,
    untrue: row.untrue,
    /** How many requests of the run met the effect. */
    met: met.size,
  };
}

export const freshRows = (
  products: readonly Product[],
  atOnce: number,
  onRow: () => void,
): Promise<readonly FreshRow[]> => concurrently(products, atOnce, freshRow, onRow);
