import { describe, expect, test } from 'vitest';
import type { RequestFacts } from '../../reading/request-facts.ts';
import type { Attempt } from '../../types/exchange.ts';
import type { Prepared } from '../send.ts';
import type { AttemptReading, ExchangeOptions } from './attempt-reading.ts';
import { createCallerGate } from './caller-gate.ts';

const timingKind = { name: 'chat', endpoint: 'chat', isAnswerDue: true };
const caller = { credential: 'default', model: 'g-large', timingKind } as Prepared;
const valid: RequestFacts = {
  kind: 'valid',
  expect: 'answer',
  credential: 'right',
  isInvalidToken: false,
  isFollowing: false,
};
const wrong: RequestFacts = { ...valid, kind: 'wrong', expect: 'refusal' };
const login: RequestFacts = { ...wrong, kind: 'login', credential: 'wrong' };

const reading = (settled: 'answered' | 'refused'): AttemptReading => ({
  settled,
  cause: settled === 'refused' ? 'refusal' : null,
  transient: null,
  fingerprint: settled,
  status: settled === 'refused' ? 401 : 200,
  isRateLimit: false,
  isRefusalWithRetryAfter: false,
  mayBeRefusal: false,
  retryAfterMs: null,
});
const refusedTimes = (times: number): readonly Attempt[] =>
  Array.from({ length: times }, () => ({
    status: 401,
    ending: { kind: 'complete' as const },
    fingerprint: 'refused',
    bytes: 0,
    startedAt: '2026-11-22T09:00:00.000Z',
    ms: 1,
    waitedMs: 0,
  }));

/** A later time than any before: two readings of the clock may be the same. */
function later(): number {
  const before = performance.now();
  while (performance.now() === before);
  return performance.now();
}

/** A gate before a caller whose controls come to this. */
function gateWhere(control: 'answered' | 'refused', lockMs = 30_000) {
  const gate = createCallerGate({ lockMs, retryAfterMs: 60_000 });
  let controls = 0;
  const note = (facts: RequestFacts, settled: 'answered' | 'refused'): void =>
    gate.note(caller, { facts, read: () => settled }, { reading: reading(settled), begunAt: later() });
  const callerControl = async () => {
    controls += 1;
    const last = { reading: reading(control), begunAt: later() };
    gate.note(caller, { facts: valid, read: () => control, isControl: true }, last);
    gate.noteControl(caller, last);
    return { id: 'control', answered: control === 'answered' };
  };
  const own: ExchangeOptions = { facts: valid, read: () => 'refused', callerControl };
  const closedMs = (times = 2, firstBegunAt = later()): Promise<number | undefined> =>
    gate.closedMs(caller, own, { attempts: refusedTimes(times), reading: reading('refused') }, firstBegunAt);
  return { gate, note, closedMs, controls: () => controls };
}

describe('a valid request that is refused behind a refused login', () => {
  test('is refused for itself where its control is answered', async () => {
    const { note, closedMs, controls } = gateWhere('answered');
    note(valid, 'answered');
    note(login, 'refused');
    expect([await closedMs(), controls()]).toEqual([undefined, 1]);
  });

  test('waits while its control is refused, and no longer than until the caller is answered', async () => {
    const { note, closedMs } = gateWhere('refused');
    note(valid, 'answered');
    note(login, 'refused');
    const begunAt = later();
    expect(await closedMs()).toBeGreaterThan(0);
    note(valid, 'answered');
    expect(await closedMs(2, begunAt)).toBeUndefined();
  });

  test('is given up, and with it all that is refused in the same words, where that lasts', async () => {
    const { note, closedMs, controls } = gateWhere('refused', -1);
    note(valid, 'answered');
    note(login, 'refused');
    expect([await closedMs(), await closedMs(), controls()]).toEqual([Infinity, Infinity, 1]);
  });
});

test.each([
  ['was refused once', 1, [valid, login]],
  ['follows an answer with nothing wrong in between', 2, [login, valid]],
  ['is of a caller that nothing was answered to', 2, [login]],
] as const)('a valid request sends no control where it %s', async (_, times, before) => {
  const { note, closedMs, controls } = gateWhere('refused');
  for (const facts of before) note(facts, facts === login ? 'refused' : 'answered');
  expect([await closedMs(times), controls()]).toEqual([undefined, 0]);
});

test('wrong requests of a caller go one at a time once its control was refused', async () => {
  const { gate, note, closedMs } = gateWhere('refused');
  const own: ExchangeOptions = { facts: wrong, read: () => 'refused' };
  note(valid, 'answered');
  note(login, 'refused');
  expect(await gate.enter(caller, own)).toBeUndefined();
  await closedMs();
  const order: string[] = [];
  const leave = await gate.enter(caller, own);
  const second = gate.enter(caller, own).then((next) => {
    order.push('second');
    next?.();
  });
  order.push('first leaves');
  leave?.();
  await second;
  expect(order).toEqual(['first leaves', 'second']);
});

describe('a request that need not be answered, where another of its endpoint is told a limit', () => {
  const told: AttemptReading = { ...reading('refused'), settled: null, cause: 'rate-limit', status: 429 };
  const first: ExchangeOptions = { facts: wrong, read: () => 'refused' };
  const second: ExchangeOptions = { facts: { ...wrong, expect: 'either' }, read: () => 'refused' };
  const limited = () => {
    const gate = createCallerGate({ lockMs: 30_000, retryAfterMs: 60_000 });
    gate.note(caller, first, { reading: told, begunAt: later() });
    return gate;
  };

  test.each([
    ['is over', (gate: ReturnType<typeof limited>) => gate.end(caller, first)],
    [
      'is told something else',
      (gate: ReturnType<typeof limited>) =>
        gate.note(caller, first, { reading: reading('refused'), begunAt: later() }),
    ],
  ])('waits until that one %s', async (_, ends) => {
    const gate = limited();
    let isIn = false;
    const entered = gate.enter(caller, second).then(() => {
      isIn = true;
    });
    await gate.enter(caller, first);
    expect(isIn).toBe(false);
    ends(gate);
    await entered;
    expect(isIn).toBe(true);
  });

  test('does not keep valid requests, and those of other endpoints, from being sent', async () => {
    const gate = limited();
    const other = { ...caller, timingKind: { ...timingKind, endpoint: 'images' } } as Prepared;
    await gate.enter(caller, { facts: valid, read: () => 'answered' });
    await gate.enter(other, second);
  });
});
