import { expect, test } from 'vitest';
import type { RequestFacts } from '../../reading/request-facts.ts';
import type { Attempt } from '../../types/exchange.ts';
import type { Prepared } from '../send.ts';
import type { AttemptReading } from './attempt-reading.ts';
import { createLockWaits, type LockWait } from './lock-out-wait.ts';
import { createLockWatch } from './lock-out-watch.ts';
import { retryPolicy } from './policy.ts';

const caller = { credential: 'default', model: 'g-large' } as Prepared;
const valid: RequestFacts = { kind: 'valid', expect: 'answer', credential: 'right', isInvalidToken: false };
const login: RequestFacts = { ...valid, kind: 'login', expect: 'refusal', credential: 'wrong' };

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
const attempt = (settled: 'answered' | 'refused'): Attempt => ({
  status: settled === 'refused' ? 401 : 200,
  ending: { kind: 'complete' },
  fingerprint: settled,
  bytes: 0,
  startedAt: '2026-11-22T09:00:00.000Z',
  ms: 1,
  waitedMs: 0,
});

/** A later time than any before: two readings of the clock may be the same. */
function later(): number {
  const before = performance.now();
  while (performance.now() === before);
  return performance.now();
}

/** What an exchange that comes to these replies is told of locks at the last of them. */
async function told(
  wait: LockWait,
  replies: readonly ('answered' | 'refused')[],
  between: () => Promise<unknown> = async () => undefined,
) {
  const [begunAt, attempts] = [later(), [] as Attempt[]];
  let last: number | undefined;
  for (const each of replies) {
    attempts.push(attempt(each));
    last = await wait.note(attempts, { reading: reading(each), begunAt }, begunAt);
    await between();
  }
  wait.end();
  return last;
}

function watched() {
  const waits = createLockWaits(retryPolicy, createLockWatch());
  const callerControl = async () => ({ id: 'control', answered: true });
  return {
    isAnswered: () => told(waits(caller, { facts: valid, read: () => 'answered' }), ['answered']),
    isLoginRefused: () =>
      told(waits({ ...caller, credential: 'invalid' }, { facts: login, read: () => 'refused' }), ['refused']),
    valid: () => waits(caller, { facts: valid, read: () => 'refused', callerControl }),
  };
}

const fiveTimes = Array.from({ length: 5 }, () => 'refused' as const);
const twice = fiveTimes.slice(0, 2);

test('a refusal that repeats behind an answered control is that of the request', async () => {
  const { isAnswered, isLoginRefused, valid: request } = watched();
  await isAnswered();
  await isLoginRefused();
  expect(await told(request(), twice)).toBeGreaterThan(0);
  expect(await told(request(), fiveTimes)).toBeUndefined();
  expect(await told(request(), twice)).toBeUndefined();
});

test('one that repeats while further logins are refused may be that of the next lock, for every request', async () => {
  const { isAnswered, isLoginRefused, valid: request } = watched();
  await isAnswered();
  await isLoginRefused();
  expect(await told(request(), fiveTimes, isLoginRefused)).toBeGreaterThan(0);
  expect(await told(request(), twice)).toBeGreaterThan(0);
});
