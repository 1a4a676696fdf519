import { describe, expect, it } from 'vitest';
import type { Ending } from '../model/exchange.ts';
import { retryLimits } from './limits.ts';
import { type Circumstances, type Policy, retryAfter, type Step } from './policy.ts';
import { nextStep } from './retry.ts';
import type { AttemptRecord } from './send.ts';

/** What an attempt brought: a status, a status with Retry-After, or an ending without a reply. */
type Outcome = number | readonly [status: number, retryAfter: string] | Ending['kind'] | 'challenge';

function record(outcome: Outcome): AttemptRecord {
  const times = { startedAt: '2026-11-21T00:00:00.000Z', headersMs: 1, endMs: 2, stallMs: 0 };
  const body = { text: '', encoding: 'utf8', bytes: 0, arrivals: [] } as const;
  if (outcome === 'challenge') {
    const response = { status: 403, headers: [['cf-mitigated', 'challenge']], body } as const;
    return { response, ending: { kind: 'complete' }, ...times };
  }
  if (typeof outcome === 'string') return { response: null, ending: { kind: outcome }, ...times };
  const [status, after] = typeof outcome === 'number' ? [outcome, null] : outcome;
  const headers = after === null ? [] : [['retry-after', after] as const];
  return { response: { status, headers, body }, ending: { kind: 'complete' }, ...times };
}

/** Stands for a stream that tells an error. */
const failedStream = 207;

const policy = (expected: Policy['expect'], maxAttempts?: number): Policy => ({
  expect: expected,
  settled: ({ response }) =>
    response?.status === 200 ? 'answered' : response?.status === failedStream ? 'failed' : 'refused',
  ...(maxAttempts === undefined ? {} : { maxAttempts }),
});

const usual: Circumstances = {
  limits: retryLimits,
  waitedMs: 0,
  nowMs: 0,
  random: 0.5,
  vouched: null,
  isWeather: () => false,
  isKnown: () => false,
};

const step = (
  outcomes: readonly Outcome[],
  asked = policy('answer'),
  now: Partial<Circumstances> = {},
): Step => nextStep(outcomes.map(record), asked, { ...usual, ...now });

const inWeather = { isWeather: () => true };

const times = (count: number, outcome: Outcome): Outcome[] => Array<Outcome>(count).fill(outcome);

describe('another attempt', () => {
  it.each<Outcome>([408, 425, 429, 502, 503, 504, 520, 530])('follows %s, eleven in all', (outcome) => {
    expect(step([outcome]).again).toEqual(expect.any(String));
    expect(step(times(10, outcome)).again).toEqual(expect.any(String));
    expect(step(times(11, outcome))).toEqual({ again: null });
  });

  it('follows a rate limit that others came through, thirty in all and soon', () => {
    expect(step(times(29, 429), policy('answer'), inWeather)).toMatchObject({ waitMs: 3000 });
    expect(step(times(30, 429), policy('answer'), inWeather)).toEqual({ again: null });
    expect(step(times(3, 429), policy('answer', 3), inWeather)).toEqual({ again: null });
    expect(step(times(11, 503), policy('answer'), inWeather)).toEqual({ again: null });
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

  it('follows a page of a bot filter, six in all', () => {
    expect(step(times(5, 'challenge'), policy('refusal')).again).toMatch(/^a bot filter answered/);
    expect(step(times(6, 'challenge'), policy('refusal'))).toEqual({ again: null });
  });

  it('follows 500 once, to see whether it repeats, and so a stream that tells an error', () => {
    const refusal = policy('refusal');
    expect(step([failedStream], refusal).again).toBe('to see whether the failure repeats');
    expect(step([500, failedStream], refusal)).toEqual({ again: null });
    expect(step(times(3, failedStream)).again).toEqual(expect.any(String));
    expect(step(times(4, failedStream))).toEqual({ again: null });
    expect(step([500], refusal).again).toBe('to see whether the failure repeats');
    expect(step([500, 500], refusal)).toEqual({ again: null });
    expect(step([503, 500], refusal).again).toBe('to see whether the failure repeats');
  });

  it('follows 500 more often where an answer was hoped for, and where 500 was seen to pass', () => {
    expect(step(times(3, 500)).again).toEqual(expect.any(String));
    expect(step(times(4, 500))).toEqual({ again: null });
    for (const expected of ['answer', 'refusal'] as const) {
      expect(step(times(7, 500), policy(expected), inWeather).again).toEqual(expect.any(String));
      expect(step(times(8, 500), policy(expected), inWeather)).toEqual({ again: null });
    }
  });

  it('follows a refusal once where an answer was hoped for, and nowhere else', () => {
    expect(step([400]).again).toBe('to confirm the refusal');
    expect(step([400, 503, 400])).toEqual({ again: null });
    expect(step([400, 200])).toEqual({ again: null });
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

describe('a reply that asks to come again where a refusal was hoped for', () => {
  const guarded = (expected: Policy['expect']): Policy => ({
    ...policy(expected),
    control: () => Promise.resolve('chat.plain'),
  });
  const vouched = { vouched: 'chat.plain' };

  it.each<Outcome>([408, 425, 429, 502, 503, 520, 529, 530, [503, '1'], [503, '60']])(
    'is a refusal once %j came four times and the control was answered before the last',
    (outcome) => {
      for (const expected of ['refusal', 'either'] as const) {
        const asked = guarded(expected);
        expect(step(times(2, outcome), asked)).not.toHaveProperty('control');
        expect(step(times(3, outcome), asked)).toMatchObject({ control: true, waitMs: expect.any(Number) });
        expect(step(times(4, outcome), asked, vouched)).toEqual({
          again: null,
          refusal: 'it came 4 times, and chat.plain was answered before the last',
        });
      }
    },
  );

  it('is tried on, the control with it, where the control was not answered', () => {
    expect(step(times(4, 503), guarded('refusal'))).toMatchObject({ control: true });
    expect(step(times(11, 503), guarded('refusal'))).toEqual({ again: null });
  });

  it('is waited for beyond eleven attempts and without long waits where known weather comes between', () => {
    const known = { isWeather: ({ response }: AttemptRecord) => response?.status !== 503 };
    const unlucky: Outcome[] = [503, 503, ...times(8, 502), 503];
    expect(step(unlucky, guarded('refusal'), known)).toMatchObject({ control: true });
    expect(step([...unlucky, ...times(3, 502)], guarded('refusal'), known)).toMatchObject({ waitMs: 3000 });
    expect(step([...unlucky, 503], guarded('refusal'), { ...known, ...vouched })).toHaveProperty('refusal');
    expect(step([...times(11, 503), ...times(8, 502)], guarded('refusal'), known)).toEqual({ again: null });
    expect(step([503, ...times(10, 502)], guarded('refusal'), known)).toEqual({ again: null });
    expect(step([503, 503, ...times(28, 502)], guarded('refusal'), known)).toEqual({ again: null });
  });

  it('is counted over what proves nothing, and anew after what can be judged', () => {
    expect(step([503, 503, 503, 502], guarded('refusal'), vouched)).not.toHaveProperty('control');
    expect(step([502, 503, 503, 503], guarded('refusal'), vouched)).toMatchObject({ control: true });
    const mixed = [503, [429, '1'], 503, 'unreachable', 503, 503] as const;
    expect(step(mixed, guarded('refusal'), vouched)).toHaveProperty('refusal');
    expect(step([503, 503, 500, 503, 503], guarded('refusal'), vouched)).not.toHaveProperty('control');
  });

  it.each<Outcome>([504, [408, '1'], [429, '1'], 'challenge', 'unreachable'])(
    'is none where it is %j',
    (outcome) => {
      const next = step(times(4, outcome), guarded('refusal'), vouched);
      expect(next.again).toEqual(expect.any(String));
      expect(next).not.toHaveProperty('control');
    },
  );

  it('is none where the like was seen to pass', () => {
    const passing = { ...vouched, ...inWeather };
    expect(step(times(5, 503), guarded('refusal'), passing)).not.toHaveProperty('control');
    expect(step(times(5, 503), guarded('refusal'), passing).again).toEqual(expect.any(String));
  });

  it('is none where an answer was hoped for, unless there is a control: then a refusal is left open', () => {
    for (const outcome of [503, 429, [403, '1']] as const) {
      expect(step(times(5, outcome), policy('answer'), vouched).again).toEqual(expect.any(String));
    }
    for (const outcome of [503, [403, '1']] as const) {
      expect(step(times(3, outcome), guarded('answer'))).toMatchObject({ control: true });
      expect(step(times(4, outcome), guarded('answer'), vouched)).toHaveProperty('refusal');
    }
    expect(step(times(5, 429), guarded('answer'), vouched).again).toEqual(expect.any(String));
  });

  it('ends without a verdict where nothing is to be sent beside it', () => {
    expect(step(times(3, 503), policy('either')).again).toEqual(expect.any(String));
    expect(step(times(4, 503), policy('either'))).toEqual({ again: null });
    expect(step(times(4, 503), policy('either'), inWeather).again).toEqual(expect.any(String));
    expect(step(times(10, 503), policy('refusal')).again).toEqual(expect.any(String));
  });

  it('is a refusal once it repeats where only Retry-After tells it from one', () => {
    const refusal = policy('refusal');
    expect(step([[401, '1']], refusal)).toEqual({
      again: 'to see whether the refusal repeats',
      waitMs: 1000,
    });
    expect(step(times(2, [401, '1']), refusal)).toEqual({ again: null, refusal: 'it came 2 times' });
    expect(step([[401, '1']], refusal, { isKnown: () => true })).toMatchObject({ waitMs: 100 });
    expect(step([[401, '3600']], refusal)).toMatchObject({ waitMs: 5000 });
    expect(step(times(2, [401, '1']), refusal, inWeather).again).toEqual(expect.any(String));
    expect(step(times(10, [401, '1'])).again).toEqual(expect.any(String));
  });
});

describe('the wait', () => {
  const wait = (found: Step): number => (found.again === null ? -1 : found.waitMs);

  it('doubles, and is spread by half to either side', () => {
    expect([1, 2, 3, 7].map((count) => wait(step(times(count, 503))))).toEqual([100, 200, 400, 6400]);
    expect(wait(step([503], policy('either'), { random: 0 }))).toBe(50);
    expect(wait(step([503], policy('either'), { random: 0.99 }))).toBe(149);
  });

  it('honours Retry-After up to 60 s, and gives up at once beyond', () => {
    expect(wait(step([[429, '2']]))).toBe(2100);
    expect(wait(step([[503, '0']]))).toBe(100);
    expect(wait(step([[503, 'Thu, 01 Jan 1970 00:00:03 GMT']]))).toBe(3100);
    expect(step([[429, '61']])).toEqual({ again: null, gaveUp: 'Retry-After asks for 61 s' });
  });

  it('is spread the more over the time that a reply asks for, the more often it asked', () => {
    expect([1, 3, 9].map((count) => wait(step(times(count, [429, '2']))))).toEqual([2100, 2400, 4000]);
  });

  it('is 5 s at most for what its control will tell of, and less once the like was a refusal', () => {
    const guarded: Policy = { ...policy('refusal'), control: () => Promise.resolve('chat.plain') };
    expect([1, 2, 3].map((count) => wait(step(times(count, [503, '60']), guarded)))).toEqual([
      5100, 5200, 5400,
    ]);
    expect(wait(step([[503, '60']], guarded, { isKnown: () => true }))).toBe(200);
    expect(wait(step([[503, '60']], guarded, inWeather))).toBe(60_100);
    expect(wait(step([[503, '60']]))).toBe(60_100);
    expect(wait(step([[429, '60']], guarded))).toBe(60_100);
    expect(step([[429, '61']], guarded)).toHaveProperty('gaveUp');
    expect(step([[503, '61']], guarded)).toHaveProperty('gaveUp');
    expect(step(times(4, [503, '60']), guarded)).toEqual({
      again: null,
      gaveUp: 'Retry-After asks for 60 s, and no control was answered',
    });
  });

  it('is at most 90 s in all', () => {
    expect(step([[429, '30']], policy('either'), { waitedMs: 70_000 })).toEqual({
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
