import { expect, test } from 'vitest';
import { defaultConsole } from '../../fixtures/gateway/console.ts';
import { targetFor } from '../../fixtures/gateway/describe.ts';
import { createGateway } from '../../fixtures/gateway/gateway.ts';
import { jsonReply } from '../../fixtures/gateway/refusal.ts';
import { locking } from '../../fixtures/faults/locking.ts';
import { everything } from '../plan/plan.ts';
import { planned } from '../plan/planned.fixture.ts';
import { isExchange } from '../types/exchange.ts';
import { scopeOf } from '../types/scope.ts';
import { executePlan } from './execute-plan.ts';

test('what a lock-out refused is asked again when it is over, and its exchange has all attempts', async () => {
  let failed = 0;
  const gateway = await createGateway({
    console: defaultConsole(),
    hooks: locking({
      holdsFor: () => 'everybody',
      isSetOffBy: (_, { kind }) => {
        failed += kind === 'authentication' ? 1 : 0;
        return failed === 3;
      },
      reply: jsonReply(403, { error: { message: 'Locked for a while' } }),
      ms: 1000,
    }),
  }).listen();
  try {
    const target = targetFor(defaultConsole(), gateway.url);
    const selection = { ...everything, suites: ['authentication'] as const };
    const plan = planned(scopeOf(target), selection, { profile: 'standard', skipCostly: false });
    const recorded: string[] = [];
    const { evidence } = await executePlan(
      target,
      plan,
      { seed: 1, selection, concurrency: 8, timeoutMs: 20_000 },
      { onEvidence: ({ id }) => recorded.push(id) },
    );
    const expected = new Map(plan.requests.map((request) => [request.id, request.expect]));
    const again = [...evidence.values()]
      .filter(isExchange)
      .filter(({ id }) => expected.get(id) === 'refusal')
      .filter(({ attempts }) => attempts.some(({ retry }) => retry?.kind === 'lock-out'));
    // Of four logins at once the third locks everybody out.
    expect(again.length).toBeGreaterThan(0);
    for (const { id, attempts } of again) {
      expect(attempts.map(({ status }) => status)[0], id).toBe(403);
      expect(attempts.at(-1)?.response, id).toBeUndefined();
      expect(attempts[0]?.response?.status, id).toBe(403);
      expect(recorded.filter((each) => each === id).length, id).toBeGreaterThan(1);
    }
  } finally {
    await gateway.close();
  }
}, 60_000);
