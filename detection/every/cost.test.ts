import { expect, test } from 'vitest';
import type { Hooks } from '../../fixtures/gateway/hooks.ts';
import type { Price, Prices } from '../../fixtures/target/prices.ts';
import type { Target } from '../../fixtures/target/target.ts';
import { drawsImages, families } from '../../spec/vocabulary.ts';
import { costOf } from '../../suites/cost/run-cost.ts';
import { type Profile, profiles } from '../../suites/types/profile.ts';
import { isConditional, type Plan } from '../../suites/types/plan.ts';
import { everything, planRun } from '../../suites/plan/plan.ts';
import { detect } from '../detect.ts';

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
  const made = new Map<string, (price: Price) => number>();
  const hooks: Hooks = {
    generate: (generation, { family, body }) => {
      const n = family === 'image' && typeof body.n === 'number' ? body.n : 1;
      made.set(JSON.stringify(body), (price) =>
        family !== null && drawsImages(family)
          ? n * (body.quality === 'hd' ? price.hd : price.image)
          : (generation.promptTokens * price.input + generation.tokens.length * price.output) / 1_000_000,
      );
      return generation;
    },
  };
  const subject = { id: 'metered', title: 'knows what it makes', hooks };
  const plans: Plan[] = [];
  const declared = (target: Target): Target => {
    const priced = { ...target, prices: pricesAt(whole) };
    plans.push(planRun(priced, { seed: 1, selection: everything, profile, skipCostly: false }));
    return priced;
  };
  const { exchanges, run } = await detect(subject, { profile, declared });
  const [plan] = plans;
  if (plan === undefined) throw new Error('nothing was declared');
  const answered = exchanges.filter(({ response }) => response?.status === 200);
  const bill = (price: Price, some = answered): number =>
    some.reduce((sum, { request }) => sum + (made.get(request.body ?? '')?.(price) ?? 0), 0);
  // What a busy machine makes necessary, no plan knows.
  const due = new Set(plan.requests.filter((one) => !isConditional(one)).map(({ id }) => id));
  const planned = answered.filter(({ id }) => due.has(id));
  const brokenOff = new Set(plan.requests.filter((one) => one.breaksOff).map(({ id }) => id));
  const seen = answered.filter(({ id }) => !brokenOff.has(id));
  return { plan, cost: run.cost, bill, planned, seen, brokenOff: brokenOff.size };
}

test.each(profiles)(
  'the cost of a plan of %s is within a tenth of what the reference gateway makes, part by part',
  async (profile) => {
    const { plan, cost, bill, planned, seen, brokenOff } = await meteredRun(profile);
    for (const [part, price] of Object.entries(parts)) {
      const { expected, most } = costOf(plan, pricesAt(price));
      expect(Math.abs(expected / bill(price, planned) - 1), part).toBeLessThan(0.1);
      expect(most, part).toBeGreaterThan(bill(price));
    }
    expect(cost?.expected).toBe(costOf(plan, pricesAt(whole)).expected);
    // Of what is broken off nobody sees how much is made.
    if (brokenOff === 0) expect(cost?.actual).toBeCloseTo(bill(whole), 7);
    expect(cost?.actual).toBeGreaterThanOrEqual(bill(whole, seen) - 1e-7);
    expect((cost?.actual ?? 0) / bill(whole)).toBeCloseTo(1, 1);
  },
  120_000,
);
