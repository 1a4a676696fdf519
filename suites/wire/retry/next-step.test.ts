import { describe, expect, it } from 'vitest';
import type { Attempt } from '../../types/exchange.ts';
import type { Ending } from '../../types/reasons/exchange-reasons.ts';
import { createReplyHistory, type ReplyHistory } from '../../reading/reply-history.ts';
import type { RequestFacts } from '../../reading/request-facts.ts';
import { fingerprintOf } from '../../reading/transient.ts';
import type { AttemptRecord } from '../send.ts';
import { nextStep, type Progress, type Step } from './next-step.ts';
import { type ExchangeOptions, readAttempt } from './attempt-reading.ts';
import { retryPolicy } from './policy.ts';

/** What an attempt brought: a status, a status with Retry-After, or an ending without a reply. */
type Brought = number | readonly [status: number, retryAfter: string] | Ending['kind'] | 'challenge';

const endings: Readonly<Record<string, Ending>> = {
  timeout: { kind: 'timeout', afterMs: 100 },
  oversize: { kind: 'oversize', bound: 'body', limit: 9 },
  unreachable: { kind: 'unreachable', detail: 'ECONNREFUSED' },
  cut: { kind: 'cut', detail: 'closed' },
  garbled: { kind: 'garbled', detail: 'no HTTP' },
};
const complete: Ending = { kind: 'complete' };

function record(brought: Brought): AttemptRecord {
  const times = { startedAt: '2026-11-21T00:00:00.000Z', headersMs: 1, endMs: 2, stallMs: 0 };
  const body = { text: '', encoding: 'utf8', bytes: 0, arrivals: [] } as const;
  const [status, headers] =
    brought === 'challenge'
      ? [403, [['cf-mitigated', 'challenge'] as const]]
      : typeof brought === 'object'
        ? [brought[0], [['retry-after', brought[1]] as const]]
        : [typeof brought === 'number' ? brought : null, []];
  const response = status === null ? null : { status, headers, body };
  const ending = (typeof brought === 'string' && endings[brought]) || complete;
  return { response, ending, fingerprint: fingerprintOf({ response }), ...times };
}

/** Stands for a stream that tells an error. */
const failedStream = 207;

const expecting = (expect: RequestFacts['expect'], more: Partial<RequestFacts> = {}): ExchangeOptions => ({
  facts: { kind: 'kind', expect, credential: 'right', isInvalidToken: false, isFollowing: false, ...more },
  read: ({ response }) =>
    response?.status === 200 ? 'answered' : response?.status === failedStream ? 'failed' : 'refused',
});
const withControl = (expect: RequestFacts['expect'], more: Partial<RequestFacts> = {}): ExchangeOptions => ({
  ...expecting(expect, more),
  control: () => Promise.resolve({ id: 'control', answered: true }),
});

interface Circumstances extends Partial<Pick<Progress, 'isControlAnswered' | 'waitedMs' | 'maxAttempts'>> {
  readonly history?: Partial<ReplyHistory>;
  readonly isLasting?: boolean;
  readonly random?: number;
}

/** What comes after these attempts. */
function step(brought: readonly Brought[], options = expecting('answer'), now: Circumstances = {}): Step {
  const { history = {}, isLasting = false, random = 0.5, ...more } = now;
  const records = brought.map(record);
  const readings = records.map((each) => readAttempt(each, options, 0));
  const attempts = records.map(({ response, ending, fingerprint, startedAt }, index): Attempt => {
    const { transient, isRefusalWithRetryAfter } = readings[index] ?? { transient: null };
    const confirmed = isRefusalWithRetryAfter ? 'confirm-refusal-with-retry-after' : 'confirm-failure';
    const retry =
      transient === null ? ({ kind: confirmed } as const) : ({ kind: 'transient', transient } as const);
    const brief = { status: response?.status ?? null, ending, fingerprint, startedAt };
    return { ...brief, bytes: 0, ms: 2, waitedMs: 0, ...(index < records.length - 1 ? { retry } : {}) };
  });
  const progress = { isControlAnswered: false, waitedMs: 0, maxAttempts: retryPolicy.attempts, ...more };
  const known = { ...createReplyHistory(() => false, 1e-6), ...history };
  return nextStep({ attempts, readings, ...progress }, options, {
    policy: retryPolicy,
    history: known,
    isLasting: () => isLasting,
    random,
  });
}

const stop: Step = { kind: 'stop' };
const again = { kind: 'retry' } as const;
const passed = { history: { hasPassed: () => true } };
const answered = { isControlAnswered: true };

const times = (count: number, brought: Brought): Brought[] => Array<Brought>(count).fill(brought);

describe('another attempt', () => {
  it.each<Brought>([408, 425, 429, 502, 503, 504, 520, 530])('follows %s, eleven in all', (brought) => {
    expect(step([brought])).toMatchObject(again);
    expect(step(times(10, brought))).toMatchObject(again);
    expect(step(times(11, brought))).toEqual(stop);
  });

  it('follows a rate limit that others passed, thirty in all and soon', () => {
    expect(step(times(29, 429), expecting('answer'), passed)).toMatchObject({ waitMs: 3000 });
    expect(step(times(30, 429), expecting('answer'), passed)).toEqual(stop);
    expect(step(times(3, 429), expecting('answer'), { ...passed, maxAttempts: 3 })).toEqual(stop);
    expect(step(times(11, 503), expecting('answer'), passed)).toEqual(stop);
  });

  it('follows no reply, seven in all, and no HTTP, three in all', () => {
    expect(step(times(6, 'unreachable'))).toMatchObject(again);
    expect(step(times(7, 'unreachable'))).toEqual(stop);
    expect(step(times(2, 'garbled'))).toMatchObject(again);
    expect(step(times(3, 'garbled'))).toEqual(stop);
  });

  it('follows a reply that breaks off, five in all', () => {
    expect(step(times(4, 'cut'))).toMatchObject(again);
    expect(step(times(5, 'cut'))).toEqual(stop);
  });

  it('follows one timeout, not two', () => {
    expect(step(['timeout'])).toMatchObject({
      reason: { kind: 'transient', transient: { cause: 'timeout', afterMs: 100 } },
    });
    expect(step(['timeout', 503, 'timeout'])).toEqual(stop);
    expect(step(['timeout', 503])).toMatchObject(again);
  });

  it('follows a page of a bot filter, six in all', () => {
    expect(step(times(5, 'challenge'), expecting('refusal'))).toMatchObject({
      reason: { transient: { cause: 'challenge', sign: 'cf-mitigated' } },
    });
    expect(step(times(6, 'challenge'), expecting('refusal'))).toEqual(stop);
  });

  it('follows 500 once, to see whether it repeats, and so a stream that tells an error', () => {
    const refusal = expecting('refusal');
    const confirm = { reason: { kind: 'confirm-failure' } };
    expect(step([failedStream], refusal)).toMatchObject(confirm);
    expect(step([500, failedStream], refusal)).toEqual(stop);
    expect(step(times(3, failedStream))).toMatchObject(again);
    expect(step(times(4, failedStream))).toEqual(stop);
    expect(step([500], refusal)).toMatchObject(confirm);
    expect(step([500, 500], refusal)).toEqual(stop);
    expect(step([503, 500], refusal)).toMatchObject(confirm);
  });

  it('follows 500 more often where an answer is due, and where chance may explain so many of those that passed', () => {
    expect(step(times(3, 500))).toMatchObject(again);
    expect(step(times(4, 500))).toEqual(stop);
    expect(step(times(2, 500), expecting('answer'), { isLasting: true })).toEqual(stop);
    const byChance = { history: { ...passed.history, timesNeeded: () => 12 } };
    for (const expected of ['answer', 'refusal'] as const) {
      expect(step(times(11, 500), expecting(expected), byChance)).toMatchObject(again);
      expect(step(times(12, 500), expecting(expected), byChance)).toEqual(stop);
    }
  });

  it('follows a limit and an overload as often as a refusal once they lasted elsewhere', () => {
    for (const status of [429, 503])
      for (const expected of ['answer', 'either', 'refusal'] as const) {
        const lasting = { isLasting: true };
        expect(step(times(3, status), expecting(expected), lasting)).toMatchObject(again);
        expect(step(times(4, status), expecting(expected), lasting)).toEqual(stop);
        expect(step(times(10, status), expecting('answer'))).toMatchObject(again);
      }
  });

  it('waits for the end of an outage where an answer is due, and no other got past the failure or tried in vain', () => {
    const waits = (expected: RequestFacts['expect'], count: number, more: Circumstances = {}) => {
      const next = step(times(count, 500), expecting(expected), more);
      return next.kind === 'retry' ? next.waitMs : undefined;
    };
    expect([1, 2, 3].map((count) => waits('answer', count))).toEqual([1000, 2000, 4000]);
    // What comes by chance does not pass by waiting.
    expect([1, 2, 3].map((count) => waits('answer', count, passed))).toEqual([100, 100, 100]);
    // What passed by time gets as much time, spread over the attempts that chance needs.
    const late = { history: { ...passed.history, timesNeeded: () => 4, passedAfterMs: () => 1200 } };
    expect([1, 2, 3].map((count) => waits('answer', count, late))).toEqual([800, 800, 800]);
    expect(waits('answer', 1, { isLasting: true })).toBe(100);
    expect(waits('refusal', 1)).toBe(100);
  });

  it('follows a refusal once where an answer is due, more often where it was seen to pass, and nowhere else', () => {
    expect(step([400])).toMatchObject({ reason: { kind: 'confirm-refusal' } });
    expect(step([400, 503, 400])).toEqual(stop);
    expect(step([400, 200])).toEqual(stop);
    const byChance = { history: { ...passed.history, timesNeeded: () => 20 } };
    expect(step(times(19, 400), expecting('answer'), byChance)).toMatchObject(again);
    expect(step(times(20, 400), expecting('answer'), byChance)).toEqual(stop);
    for (const other of ['refusal', 'either', 'limited'] as const)
      expect(step([400], expecting(other))).toEqual(stop);
  });

  it.each<Brought>([200, 301, 401, 404, 422, 501, 'oversize'])('does not follow %s', (brought) => {
    expect(step([brought], expecting('refusal'))).toEqual(stop);
  });

  it('does not follow 429 where a limit is due', () => {
    const limited = expecting('limited', { credential: 'spent' });
    expect(step([[429, '1']], limited)).toEqual(stop);
    expect(step([503], limited)).toMatchObject(again);
  });

  it('is bounded by what the state of the target allows', () => {
    expect(step([503], expecting('either'), { maxAttempts: 1 })).toEqual(stop);
    expect(step([503], expecting('either'), { maxAttempts: 2 })).toMatchObject(again);
  });
});

describe('a retryable reply to a request that may be refused', () => {
  it.each<Brought>([408, 425, 429, 502, 503, 520, 529, 530, [503, '1'], [503, '60']])(
    'is settled once %j came four times and the control was answered before the last',
    (brought) => {
      for (const expected of ['refusal', 'either'] as const) {
        const options = withControl(expected);
        expect(step(times(2, brought), options)).toMatchObject({ sendControl: false });
        expect(step(times(3, brought), options)).toMatchObject({ sendControl: true });
        expect(step(times(4, brought), options, answered)).toEqual(stop);
      }
    },
  );

  it('is tried on, the control with it, where the control was not answered', () => {
    expect(step(times(4, 503), withControl('refusal'))).toMatchObject({ sendControl: true });
    expect(step(times(11, 503), withControl('refusal'))).toEqual(stop);
  });

  it('is asked once where its kind is known to get it', () => {
    const known = { history: { isKnownRefusal: () => true } };
    expect(step([[503, '30']], withControl('refusal'), known)).toEqual(stop);
  });

  it('is waited for beyond eleven attempts and without long waits where known transient replies come between', () => {
    const is503 = record(503).fingerprint;
    const known = { history: { hasPassed: (fingerprint: string | null) => fingerprint !== is503 } };
    const unlucky: Brought[] = [503, 503, ...times(8, 502), 503];
    const refusal = withControl('refusal');
    expect(step(unlucky, refusal, known)).toMatchObject({ sendControl: true });
    expect(step([...unlucky, ...times(3, 502)], refusal, known)).toMatchObject({ waitMs: 3000 });
    expect(step([...unlucky, 503], refusal, { ...known, ...answered })).toEqual(stop);
    expect(step([...times(11, 503), ...times(8, 502)], refusal, known)).toEqual(stop);
    expect(step([503, ...times(10, 502)], refusal, known)).toEqual(stop);
    expect(step([503, 503, ...times(28, 502)], refusal, known)).toEqual(stop);
  });

  it('is counted over what proves nothing, and anew after what can be judged', () => {
    const refusal = withControl('refusal');
    expect(step([503, 503, 503, 502], refusal, answered)).toMatchObject({ sendControl: false });
    expect(step([502, 503, 503, 503], refusal)).toMatchObject({ sendControl: true });
    expect(step([503, [429, '1'], 503, 'unreachable', 503, 503], refusal, answered)).toEqual(stop);
    expect(step([503, 503, 500, 503, 503], refusal, answered)).toMatchObject({ sendControl: false });
  });

  it.each<Brought>([504, [408, '1'], [429, '1'], 'challenge', 'unreachable'])(
    'is no refusal where it is %j',
    (brought) => {
      expect(step(times(4, brought), withControl('refusal'), answered)).toMatchObject({
        ...again,
        sendControl: false,
      });
    },
  );

  it('is no refusal where the like was seen to pass', () => {
    const next = step(times(5, 503), withControl('refusal'), { ...answered, ...passed });
    expect(next).toMatchObject({ ...again, sendControl: false });
  });

  it('is no refusal where an answer is due, unless there is a control', () => {
    for (const brought of [503, 429, [403, '1']] as const)
      expect(step(times(5, brought), expecting('answer'), answered)).toMatchObject(again);
    for (const brought of [503, [403, '1']] as const) {
      expect(step(times(3, brought), withControl('answer'))).toMatchObject({ sendControl: true });
      expect(step(times(4, brought), withControl('answer'), answered)).toEqual(stop);
    }
    expect(step(times(5, 429), withControl('answer'), answered)).toMatchObject(again);
  });

  it('has an answer to its caller as control where only Retry-After makes the status retryable', () => {
    const { control, ...valid } = withControl('answer');
    const ofCaller: ExchangeOptions = { ...valid, ...(control ? { callerControl: control } : {}) };
    expect(step(times(3, [403, '1']), ofCaller)).toMatchObject({ sendControl: true });
    expect(step(times(4, [403, '1']), ofCaller, answered)).toEqual(stop);
    expect(step(times(4, [403, '1']), ofCaller, { ...answered, ...passed })).toMatchObject(again);
    expect(step(times(5, 503), ofCaller, answered)).toMatchObject({ ...again, sendControl: false });
  });

  it('ends undecided where there is no control to send', () => {
    expect(step(times(3, 503), expecting('either'))).toMatchObject(again);
    expect(step(times(4, 503), expecting('either'))).toEqual(stop);
    expect(step(times(4, 503), expecting('either'), passed)).toMatchObject(again);
    expect(step(times(10, 503), expecting('refusal'))).toMatchObject(again);
  });

  it('is settled once it repeats where only Retry-After makes it retryable', () => {
    const refusal = expecting('refusal');
    const confirm = { reason: { kind: 'confirm-refusal-with-retry-after' } };
    expect(step([[401, '1']], refusal)).toMatchObject({ ...confirm, waitMs: 1000 });
    expect(step(times(2, [401, '1']), refusal)).toEqual(stop);
    expect(step([[401, '1']], refusal, { history: { isKnownStatus: () => true } })).toMatchObject({
      waitMs: 100,
    });
    expect(step([[401, '3600']], refusal)).toMatchObject({ waitMs: 5000 });
    expect(step(times(2, [401, '1']), refusal, passed)).toMatchObject(again);
    expect(step(times(10, [401, '1']))).toMatchObject(again);
  });
});

describe('a rate limit for a wrong credential', () => {
  const wrong = withControl('refusal', { credential: 'wrong', isInvalidToken: true });

  it('may be its refusal, whatever time it names', () => {
    expect(step(times(3, [429, '60']), wrong)).toMatchObject({ sendControl: true, waitMs: 5400 });
    expect(step(times(4, [429, '60']), wrong, answered)).toEqual(stop);
  });

  it('is repeated for its control to tell even where the time is too long to wait for, and ends without one', () => {
    expect(step([[429, '3600']], wrong)).toMatchObject({ ...again, waitMs: 5100 });
    expect(step(times(4, [429, '3600']), wrong)).toEqual({
      kind: 'stop',
      gaveUp: { kind: 'retry-after-without-control', seconds: 3600 },
    });
  });
});

describe('the wait', () => {
  const wait = (found: Step): number => (found.kind === 'stop' ? -1 : found.waitMs);

  it('doubles, and is spread by half to either side', () => {
    expect([1, 2, 3, 7].map((count) => wait(step(times(count, 503))))).toEqual([100, 200, 400, 6400]);
    expect(wait(step([503], expecting('either'), { random: 0 }))).toBe(50);
    expect(wait(step([503], expecting('either'), { random: 0.99 }))).toBe(149);
  });

  it('follows Retry-After up to 60 s, and ends the exchange beyond', () => {
    expect(wait(step([[429, '2']]))).toBe(2100);
    expect(wait(step([[503, '0']]))).toBe(100);
    expect(wait(step([[503, 'Thu, 01 Jan 1970 00:00:03 GMT']]))).toBe(3100);
    expect(step([[429, '61']])).toEqual({
      kind: 'stop',
      gaveUp: { kind: 'retry-after-too-long', seconds: 61 },
    });
  });

  it('is spread the more over the time that a reply asks for, the more often it asked', () => {
    expect([1, 3, 9].map((count) => wait(step(times(count, [429, '2']))))).toEqual([2100, 2400, 4000]);
  });

  it('is 5 s at most for what its control will tell of, and less once the like was a refusal', () => {
    const guarded = withControl('refusal');
    expect([1, 2, 3].map((count) => wait(step(times(count, [503, '60']), guarded)))).toEqual([
      5100, 5200, 5400,
    ]);
    expect(wait(step([[503, '60']], guarded, { history: { isKnownStatus: () => true } }))).toBe(200);
    expect(wait(step([[503, '60']], guarded, passed))).toBe(60_100);
    expect(wait(step([[503, '60']]))).toBe(60_100);
    expect(wait(step([[429, '60']], guarded))).toBe(60_100);
    for (const brought of [
      [429, '61'],
      [503, '61'],
    ] as const)
      expect(step([brought], guarded)).toMatchObject({ gaveUp: { kind: 'retry-after-too-long' } });
    expect(step(times(4, [503, '60']), guarded)).toEqual({
      kind: 'stop',
      gaveUp: { kind: 'retry-after-without-control', seconds: 60 },
    });
  });

  it('is at most 90 s in all', () => {
    expect(step([[429, '30']], expecting('either'), { waitedMs: 70_000 })).toEqual({
      kind: 'stop',
      gaveUp: { kind: 'waited-enough', seconds: 70 },
    });
  });
});
