import { expect, test } from 'vitest';
import type { Hooks } from '../fixtures/gateway/hooks.ts';
import type { Price, Prices } from '../fixtures/target/prices.ts';
import type { Target } from '../fixtures/target/target.ts';
import { drawsImages, families } from '../spec/vocabulary.ts';
import { costOf } from '../suites/cost/planned-cost.ts';
import { type Profile, profiles } from '../suites/model/profile.ts';
import { everything } from '../suites/plan/plan.ts';
import { planRun } from '../suites/plan/plan-run.ts';
import { detect } from './detect.ts';

const free: Price = { input: 0, output: 0, image: 0, hd: 0 };
/** Each part of the bill by itself: no part hides an error in another. */
const parts: Readonly<Record<string, Price>> = {
  input: { ...free, input: 1 },
  output: { ...free, output: 1 },
  images: { ...free, image: 1, hd: 2 },
};
const whole: Price = { input: 2.5, output: 10, image: 0.04, hd: 0.08 };

const pricesAt = ({ image, hd, ...tokens }: Price): Prices => ({
  currency: 'EUR',
  families: Object.fromEntries(
    families.map((family) => [family, { ...free, ...(drawsImages(family) ? { image, hd } : tokens) }]),
  ),
});

/** What the reference gateway itself knows that it made in a run, at each price. */
async function meteredRun(profile: Profile) {
  const made: ((price: Price) => number)[] = [];
  const hooks: Hooks = {
    generate: (generation, { family, body }) => {
      const n = family === 'image' && typeof body.n === 'number' ? body.n : 1;
      made.push((price) =>
        family !== null && drawsImages(family)
          ? n * (body.quality === 'hd' ? price.hd : price.image)
          : (generation.promptTokens * price.input + generation.tokens.length * price.output) / 1_000_000,
      );
      return generation;
    },
  };
  let priced: Target | undefined;
  const declared = (target: Target): Target => {
    priced = { ...target, prices: pricesAt(whole) };
    return priced;
  };
  const report = await detect({ id: 'metered', title: 'knows what it makes', hooks }, { profile, declared });
  if (priced === undefined) throw new Error('nothing was declared');
  const plan = planRun(priced, { seed: 1, selection: everything, profile, skipCostly: false });
  return {
    plan,
    cost: report.run.cost,
    bill: (price: Price) => made.reduce((sum, of) => sum + of(price), 0),
  };
}

test.each(profiles)(
  'the cost of a plan of %s is within a tenth of what the reference gateway makes, part by part',
  async (profile) => {
    const { plan, cost, bill } = await meteredRun(profile);
    for (const [part, price] of Object.entries(parts)) {
      const { expected, most } = costOf(plan, pricesAt(price));
      expect(Math.abs(expected / bill(price) - 1), part).toBeLessThan(0.1);
      expect(most, part).toBeGreaterThan(bill(price));
    }
    expect(cost?.expected).toBe(costOf(plan, pricesAt(whole)).expected);
    expect(cost?.actual).toBeCloseTo(bill(whole), 7);
  },
  60_000,
);
