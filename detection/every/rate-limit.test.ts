import { expect, test } from 'vitest';
import type { Hooks } from '../../fixtures/gateway/hooks.ts';
import { composed } from '../../fixtures/faults/composed.ts';
import { jsonReply } from '../../fixtures/gateway/refusal.ts';
import { ending, slidingWindow } from '../../fixtures/variants/rate-limits.ts';
import { detect } from '../detect.ts';

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

/** Locks the spent token for a while behind so many answers to it, as another's refused logins may lock whoever was last. */
const lockingSpent = (answers: number, ms: number): Hooks => ({
  reply: (reply, { token, state }) => {
    if (token?.requestsPerMinute !== 0) return reply;
    const now = performance.now();
    if (now < Number(state.get('locked until') ?? 0))
      return jsonReply(429, { error: { message: 'Locked for a while' } }, { 'retry-after': '1' });
    const answered = Number(state.get('answered') ?? 0) + (reply.status === 200 ? 1 : 0);
    state.set('answered', answered);
    if (answered === answers) state.set('locked until', now + ms);
    return reply;
  },
});

test.each<[string, number, Hooks, string]>([
  ['a limit that ended is not failed for a lock-out by 429 behind it', 12, ending(5), 'pass'],
  [
    'a limit that does not hold on one endpoint is failed whatever locks its token out by 429',
    8,
    { limit: (refusal, { protocol }) => (protocol === 'responses' ? null : refusal) },
    'fail',
  ],
])(
  '%s',
  async (_, answers, limit, verdict) => {
    const subject = {
      id: 'locking',
      title: 'locks a spent token',
      hooks: composed(limit, lockingSpent(answers, 1500)),
    };
    const id = 'errors.rate-limit.enforced';
    const { requirements } = await detect(subject, { selected: { requirements: [id] } });
    expect(requirements.find((row) => row.id === id)?.verdict).toBe(verdict);
  },
  60_000,
);
