import { expect, test } from 'vitest';
import type { Hooks } from '../fixtures/gateway/hooks.ts';
import { slidingWindow } from '../fixtures/variants/rate-limits.ts';
import { detect } from './detect.ts';

const rate = { requests: 40, windowMs: 1000 };
const suites = ['families', 'authentication'] as const;

/** The same gateway, which counts how often its limit is passed. */
function counting() {
  const limited = slidingWindow(rate.requests, rate.windowMs);
  const passed = { times: 0 };
  const hooks: Hooks = {
    limit: (spent, ctx) => {
      const refusal = limited.limit?.(spent, ctx) ?? null;
      if (spent === null && refusal !== null) passed.times += 1;
      return refusal;
    },
  };
  return { passed, subject: { id: 'counting', title: 'counts how often its limit is passed', hooks } };
}

test('a run that keeps to the rate of a target never passes its limit, and one that does not passes it', async () => {
  const [kept, unkept] = [counting(), counting()];
  const [slow, fast] = await Promise.all([
    detect(kept.subject, { limits: { rate }, selected: { suites } }),
    detect(unkept.subject, { selected: { suites } }),
  ]);
  expect([slow.verdict, fast.verdict]).toEqual(['conformant', 'conformant']);
  expect(slow.run.requests).toBeGreaterThan(2 * rate.requests);
  expect(kept.passed.times).toBe(0);
  expect(unkept.passed.times).toBeGreaterThan(0);
}, 60_000);
