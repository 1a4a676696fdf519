import { expect, test } from 'vitest';
import { blamed, detect } from '../../detection/detect.ts';
import { defaultConsole } from '../../fixtures/gateway/console.ts';
import { targetFor } from '../../fixtures/gateway/describe.ts';
import { createGateway } from '../../fixtures/gateway/gateway.ts';
import { jsonReply } from '../../fixtures/gateway/refusal.ts';
import { locking } from '../../fixtures/faults/locking.ts';
import { createEvidenceView } from '../checks/evidence-view.ts';
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

test('a token that is locked out as a model is asked for the first time is served with it later', async () => {
  const until: number[] = [];
  const lock = (ms: number): void => void until.push(performance.now() + ms);
  const report = await detect(
    {
      id: 'locked-at-first',
      title: 'the first request for one model locks its token out for a moment, and for another for seconds',
      hooks: {
        reply: (reply, { protocol, family, token }) => {
          if (token?.group !== 'default') return reply;
          // Lawful for all but one group (4).
          if (protocol === 'responses') return jsonReply(403, { error: { message: 'Not for this group' } });
          if (family === 'chat-image' && until.length === 0) lock(60);
          if (protocol === 'chat' && family === 'general' && until.length === 1) lock(3000);
          const isLocked = until.some((end) => performance.now() < end);
          return isLocked ? jsonReply(403, { error: { message: 'Locked for a while' } }) : reply;
        },
      },
    },
    { selected: { suites: ['families', 'authentication'] } },
  );
  expect(blamed(report)).toEqual([]);
  const asked = report.exchanges.find(({ id }) => id === 'cell.general.chat.default');
  expect(asked?.attempts.map(({ status }) => status)).toEqual(expect.arrayContaining([403, 200]));
}, 60_000);

test('a status that no control could tell at first is asked again once one is answered, and is a refusal', async () => {
  let answered = 0;
  const gateway = await createGateway({
    console: defaultConsole(),
    hooks: {
      reply: (reply, { protocol, family, token }) => {
        if (reply.status !== 200 || protocol !== 'responses' || family !== 'general') return reply;
        if (token?.group !== 'third-party-client')
          return jsonReply(503, { error: { message: 'No channel for this group' } });
        answered += 1;
        // The control comes when the others are over.
        return answered === 1 ? { ...reply, waitMs: 4000 } : reply;
      },
    },
  }).listen();
  try {
    const target = targetFor(defaultConsole(), gateway.url);
    const selection = { ...everything, suites: ['families'] as const };
    const plan = planned(scopeOf(target), selection, { profile: 'standard', skipCostly: false });
    const settings = { seed: 1, selection, concurrency: 8, timeoutMs: 20_000, policy: { attempts: 5 } };
    const { evidence } = await executePlan(target, plan, settings);
    const view = createEvidenceView(plan, evidence);
    expect(view.state('cell.general.responses.default').kind).toBe('refused');
    const attempts = view.state('cell.general.responses.default').exchange?.attempts ?? [];
    expect(attempts.filter(({ control }) => control !== undefined)).toHaveLength(1);
    expect(attempts.length).toBeGreaterThan(5);
  } finally {
    await gateway.close();
  }
}, 60_000);
