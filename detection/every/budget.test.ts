import { describe, expect, test } from 'vitest';
import type { Hooks } from '../../fixtures/gateway/hooks.ts';
import type { Prices } from '../../fixtures/target/prices.ts';
import type { Target } from '../../fixtures/target/target.ts';
import { families } from '../../spec/vocabulary.ts';
import type { RunLimits } from '../../suites/types/limits.ts';
import { detect } from '../detect.ts';

const prices: Prices = {
  currency: 'USD',
  families: Object.fromEntries(
    families.map((family) => [family, { input: 2.5, output: 10, image: 0.04, hd: 0.08 }]),
  ),
};

/** Refuses nothing, and breaks off every fifth reply: it bills for whatever it is sent. */
function greedy() {
  const made = { requests: 0, generations: 0 };
  const hooks: Hooks = {
    authenticate: (verdict, { console }) => ({
      token: verdict.token ?? console.accounts[0]?.tokens[0] ?? null,
      problem: null,
    }),
    limit: () => null,
    check: () => [],
    route: ({ family }) => ({ family, problem: null }),
    generate: (generation, { family, body }) => {
      made.generations += family === 'image' && typeof body.n === 'number' ? Math.max(1, body.n) : 1;
      return generation;
    },
    reply: (reply, { requestNumber }) => {
      made.requests += 1;
      return requestNumber % 5 === 0 ? { ...reply, ending: 'dropped' } : reply;
    },
  };
  return { made, subject: { id: 'greedy', title: 'refuses nothing', hooks } };
}

describe('a budget', () => {
  const budgets: readonly (readonly [string, RunLimits])[] = [
    ['requests', { maxRequests: 40 }],
    ['generations', { maxGenerations: 30 }],
    ['cost', { maxCost: 0.5 }],
  ];

  test.each(budgets)(
    'of %s is kept whatever the target answers, and the rest is named',
    async (budget, limits) => {
      const { made, subject } = greedy();
      const report = await detect(subject, {
        limits,
        declared: (target: Target) => ({ ...target, prices }),
      });
      const { run, causes = [] } = report;
      expect(made.requests).toBeLessThanOrEqual(limits.maxRequests ?? Number.POSITIVE_INFINITY);
      expect(made.generations).toBeLessThanOrEqual(limits.maxGenerations ?? Number.POSITIVE_INFINITY);
      expect(run.cost?.actual).toBeLessThanOrEqual(limits.maxCost ?? Number.POSITIVE_INFINITY);
      expect(run.partial).toBe(true);
      const [option] = Object.keys(limits);
      const stopped = causes.find(({ kind }) => kind === 'run-stopped');
      expect(stopped?.summary).toContain(
        `--${option?.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`,
      );
      expect(stopped?.requirements.length, budget).toBeGreaterThan(20);
    },
  );

  test('that covers the plan changes nothing', async () => {
    const subject = { id: 'reference', title: 'the reference gateway', hooks: {} };
    const selected = { suites: ['families', 'authentication'] } as const;
    const limits = { maxRequests: 400, maxGenerations: 80, maxCost: 100 };
    const [limited, free] = await Promise.all([
      detect(subject, { selected, limits, declared: (target: Target) => ({ ...target, prices }) }),
      detect(subject, { selected }),
    ]);
    expect(limited.run.partial).toBe(false);
    expect(limited.summary).toEqual(free.summary);
  });
});
