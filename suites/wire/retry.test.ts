import { describe, expect, it } from 'vitest';
import type { Ending } from '../model/exchange.ts';
import { nextStep, type Policy, retryAfter, retryLimits, type Step } from './retry.ts';
import type { AttemptRecord } from './send.ts';

/** What an attempt brought: a status, a status with Retry-After, or an ending without a reply. */
type Outcome = number | readonly [status: number, retryAfter: string] | Ending['kind'];

function record(outcome: Outcome): AttemptRecord {
  const times = { startedAt: '2026-11-21T00:00:00.000Z', headersMs: 1, endMs: 2, stallMs: 0 };
  if (typeof outcome === 'string') return { response: null, ending: { kind: outcome }, ...times };
  const [status, after] = typeof outcome === 'number' ? [outcome, null] : outcome;
  const headers = after === null ? [] : [['retry-after', after] as const];
  const body = { text: '', encoding: 'utf8', bytes: 0, arrivals: [] } as const;
  return { response: { status, headers, body }, ending: { kind: 'complete' }, ...times };
}

const policy = (expected: Policy['expect'], maxAttempts?: number): Policy => ({
  expect: expected,
  settled: ({ response }) => (response?.status === 200 ? 'answered' : 'refused'),
  ...(maxAttempts === undefined ? {} : { maxAttempts }),
});

const step = (outcomes: readonly Outcome[], asked = policy('either'), waitedMs = 0, random = 0.5): Step =>
  nextStep(outcomes.map(record), asked, { limits: retryLimits, waitedMs, nowMs: 0, random });

const times = (count: number, outcome: Outcome): Outcome[] => Array<Outcome>(count).fill(outcome);

describe('another attempt', () => {
  it.each<Outcome>([408, 425, 429, 502, 503, 504, 520, 530])('follows %s, eleven in all', (outcome) => {
    expect(step([outcome]).again).toEqual(expect.any(String));
    expect(step(times(10, outcome)).again).toEqual(expect.any(String));
    expect(step(times(11, outcome))).toEqual({ again: null });
  });

  it('follows no reply, seven in all, and no HTTP, three in all', () => {
    expect(step(times(6, 'unreachable')).again).toEqual(expect.any(String));
    expect(step(times(7, 'unreachable'))).toEqual({ again: null });
    expect(step(times(2, 'garbled')).again).toEqual(expect.any(String));
    expect(step(times(3, 'garbled'))).toEqual({ again: null });
  });

  it('follows a reply that breaks off, five in all', () => {
    expect(step(times(4, 'cut')).again).toEqual(expect.any(String));
    expect(step(times(5, 'cut'))).toEqual({ again: null });
  });

  it('follows one timeout, not two', () => {
    expect(step(['timeout']).again).toBe('the time was up');
    expect(step(['timeout', 503, 'timeout'])).toEqual({ again: null });
    expect(step(['timeout', 503]).again).toEqual(expect.any(String));
  });

  it('follows 500 once, to see whether it repeats', () => {
    expect(step([500]).again).toBe('to see whether 500 repeats');
    expect(step([500, 500])).toEqual({ again: null });
    expect(step([503, 500]).again).toBe('to see whether 500 repeats');
    expect(step([500, 500], policy('answer'))).toEqual({ again: null });
  });

  it('follows a refusal once where an answer was hoped for, and nowhere else', () => {
    expect(step([400], policy('answer')).again).toBe('to confirm the refusal');
    expect(step([400, 503, 400], policy('answer'))).toEqual({ again: null });
    expect(step([400, 200], policy('answer'))).toEqual({ again: null });
    for (const other of ['refusal', 'either', 'limited'] as const) {
      expect(step([400], policy(other))).toEqual({ again: null });
    }
  });

  it.each<Outcome>([200, 301, 401, 404, 422, 501, 'oversize'])('does not follow %s', (outcome) => {
    expect(step([outcome], policy('refusal'))).toEqual({ again: null });
  });

  it('does not follow 429 where a limit was hoped for', () => {
    expect(step([[429, '1']], policy('limited'))).toEqual({ again: null });
    expect(step([503], policy('limited')).again).toEqual(expect.any(String));
  });

  it('is bounded by the policy', () => {
    expect(step([503], policy('either', 1))).toEqual({ again: null });
    expect(step([503], policy('either', 2)).again).toEqual(expect.any(String));
  });
});

describe('the wait', () => {
  const wait = (found: Step): number => (found.again === null ? -1 : found.waitMs);

  it('doubles, and is spread by half to either side', () => {
    expect([1, 2, 3, 7].map((count) => wait(step(times(count, 503))))).toEqual([100, 200, 400, 6400]);
    expect(wait(step([503], policy('either'), 0, 0))).toBe(50);
    expect(wait(step([503], policy('either'), 0, 0.99))).toBe(149);
  });

  it('honours Retry-After up to 60 s, and gives up at once beyond', () => {
    expect(wait(step([[429, '2']]))).toBe(2050);
    expect(wait(step([[503, '0']]))).toBe(100);
    expect(wait(step([[503, 'Thu, 01 Jan 1970 00:00:03 GMT']]))).toBe(3050);
    expect(step([[429, '61']])).toEqual({ again: null, gaveUp: 'Retry-After asks for 61 s' });
  });

  it('is at most 90 s in all', () => {
    expect(step([[429, '30']], policy('either'), 70_000)).toEqual({
      again: null,
      gaveUp: 'waited 70 s already',
    });
  });
});

it.each([
  ['120', 120_000],
  ['1.5', 1500],
  ['Wed, 21 Oct 2015 07:28:00 GMT', 10_000],
  ['Wed, 21 Oct 2015 07:27:00 GMT', 0],
  ['soon', null],
  ['-5', null],
  ['', null],
])('Retry-After %j asks for %s ms', (value, ms) => {
  const now = Date.parse('2015-10-21T07:27:50Z');
  expect(retryAfter(record([429, value]), now)).toBe(ms);
});
