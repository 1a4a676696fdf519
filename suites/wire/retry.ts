import { isHinted, isRateLimit, isTransientStatus, transientOf } from '../reading/transient.ts';
import type { RetryLimits } from './limits.ts';
import type { AttemptRecord } from './send.ts';
import { repeated } from './signature.ts';

/** What the caller hopes for and how it reads a reply. It steers sending again, never a verdict. */
export interface Policy {
  readonly expect: 'answer' | 'refusal' | 'either' | 'limited';
  /** Pure: what a reply that can be judged amounts to. */
  readonly settled: (record: AttemptRecord) => 'answered' | 'refused' | 'failed' | 'unclear';
  /** At most this many attempts; `RetryLimits.attempts` where it is absent. */
  readonly maxAttempts?: number;
  /**
   * Sends a control of the request, unless one was begun after that time of `performance.now()`. Gives its
   * name where it is answered. Absent where there is none; where an answer is hoped for, there is one only
   * if the document leaves a refusal open.
   */
  readonly control?: (begunAfter: number) => Promise<string | null>;
  /** It is such a control: the exchange that it is sent for waits for it, and keeps its turn. */
  readonly beside?: true;
}

/** Why a valid request that was refused is sent again. */
export const confirming = 'to confirm the refusal';

/**
 * What comes after an attempt: another one, with the control sent before it where that is wanted; or the end,
 * with the reason where it is given up early, or where a reply that asks to come again is taken as a refusal.
 */
export type Step =
  | { readonly again: string; readonly waitMs: number; readonly control?: true }
  | { readonly again: null; readonly gaveUp?: string; readonly refusal?: string };

/** How long a reply asks to wait, in milliseconds (seconds or HTTP date, RFC 9110 section 10.2.3). */
export function retryAfter({ response }: Pick<AttemptRecord, 'response'>, nowMs: number): number | null {
  const value = response?.headers.find(([name]) => name === 'retry-after')?.[1].trim() ?? '';
  if (/^\d+(\.\d+)?$/.test(value)) return Number(value) * 1000;
  // A date has letters; Date.parse alone would take almost anything.
  const date = /^[A-Z][a-z]{2}.*\d$|GMT$/.test(value) ? Date.parse(value) : Number.NaN;
  return Number.isNaN(date) ? null : Math.max(0, date - nowMs);
}

/** The outcome proves nothing of the target. A rate limit that was hoped for proves what it should. */
export const isTransient = (record: AttemptRecord, policy: Policy): boolean =>
  transientOf(record) !== null && !(policy.expect === 'limited' && isRateLimit(record));

/** A 500, or a stream that is begun and tells an error in place of its text: an upstream may have failed. */
const isFailure = (record: AttemptRecord, policy: Policy): boolean =>
  record.ending.kind === 'complete' &&
  (record.response?.status === 500 || policy.settled(record) === 'failed');

/** The limit on attempts that end in one way. */
const mostOf = {
  challenge: 'challenges',
  timeout: 'timeouts',
  cut: 'cuts',
  garbled: 'garbled',
  unreachable: 'unreachable',
} as const satisfies Record<string, keyof RetryLimits>;

/** Attempts that may fail. */
function mostFailures(last: AttemptRecord, { expect }: Policy, { limits, isWeather }: Circumstances): number {
  if (isWeather(last)) return limits.failuresInWeather;
  return expect === 'answer' ? limits.failuresOfAnswer : limits.failures;
}

/** Why an outcome is worth another attempt; null where it is taken as it is. */
function reason(history: readonly AttemptRecord[], policy: Policy, now: Circumstances): string | null {
  const { limits } = now;
  const last = history.at(-1);
  if (last === undefined) return null;
  if (isTransient(last, policy)) {
    const transient = transientOf(last);
    if (transient === null || transient.cause === 'oversize') return null;
    const { cause } = transient;
    const spent = history.filter((record) => transientOf(record)?.cause === cause).length;
    return cause !== 'status' && spent >= limits[mostOf[cause]] ? null : transient.why;
  }
  const failed = (record: AttemptRecord): boolean => isFailure(record, policy);
  if (failed(last)) {
    const most = mostFailures(last, policy, now);
    return history.filter(failed).length < most ? 'to see whether the failure repeats' : null;
  }
  const refused = (record: AttemptRecord): boolean =>
    !isTransient(record, policy) && !failed(record) && policy.settled(record) === 'refused';
  if (policy.expect !== 'answer' || !refused(last)) return null;
  return history.filter(refused).length < limits.refusals ? confirming : null;
}

/** A gateway may refuse with a status that asks to come again: none is shown (section 7). One that ran out of time did not. */
const isAmbiguousStatus = (status: number): boolean => isTransientStatus(status) && status !== 504;

/** A rate limit that names a time is no refusal of anything else. */
const isAmbiguous = (record: AttemptRecord): boolean =>
  transientOf(record)?.cause === 'status' &&
  isAmbiguousStatus(record.response?.status ?? 0) &&
  !(isRateLimit(record) && retryAfter(record, 0) !== null);

const isDown = (record: AttemptRecord): boolean => isAmbiguous(record) && !isRateLimit(record);

/** How long to wait for what may be a refusal with Retry-After. */
const hintedWait = (last: AttemptRecord, { limits, isKnown, nowMs }: Circumstances): number =>
  isKnown(last) ? limits.backoffMs : Math.min(limits.hintedMs, retryAfter(last, nowMs) ?? 0);

/** It may be the refusal of a request that may be refused. */
const mayRefuse = (last: AttemptRecord, { expect }: Policy): boolean =>
  expect === 'answer' ? isHinted(last) || isDown(last) : isAmbiguous(last);

/** It may be that, and a control is there to tell: then it is no use to wait for as long as it asks. */
const isTold = (last: AttemptRecord, policy: Policy, { isWeather }: Circumstances): boolean =>
  policy.control !== undefined && !isRateLimit(last) && mayRefuse(last, policy) && !isWeather(last);

/**
 * A reply that asks to come again where the request may be refused: it may be the refusal. With the status of
 * any refusal it is one once it repeats; else only where its control is answered before it comes once more.
 * What an exchange got on its way to another reply is weather, and never a refusal.
 */
function asRefusal(
  history: readonly AttemptRecord[],
  policy: Policy,
  now: Circumstances,
): Step | 'wait' | null {
  const { limits, isWeather, vouched } = now;
  const { expect, control } = policy;
  const last = history.at(-1);
  if (last === undefined || !isTransient(last, policy) || isWeather(last)) return null;
  const times = repeated(history);
  if (isHinted(last) && expect !== 'answer') {
    if (times >= 2) return { again: null, refusal: `it came ${times} times` };
    return { again: 'to see whether the refusal repeats', waitMs: hintedWait(last, now) };
  }
  if (!mayRefuse(last, policy)) return null;
  if (control === undefined) return expect === 'either' && times >= limits.repeats ? { again: null } : null;
  if (times >= limits.repeats && vouched !== null)
    return { again: null, refusal: `it came ${times} times, and ${vouched} was answered before the last` };
  return times >= limits.repeats - 1 ? 'wait' : null;
}

/** What came may be a refusal, and came again: what is known for weather between does not count against it. */
const isInTheMaking = (history: readonly AttemptRecord[], policy: Policy, now: Circumstances): boolean =>
  policy.control !== undefined &&
  history.filter((record) => mayRefuse(record, policy) && !now.isWeather(record)).length >= 2;

/** The most attempts, and the longest that is waited before one, in milliseconds. */
function room(history: readonly AttemptRecord[], policy: Policy, now: Circumstances) {
  const { limits } = now;
  const last = history.at(-1);
  const attempts = policy.maxAttempts ?? limits.attempts;
  const longestMs = limits.longestBackoffMs;
  if (last === undefined || attempts < limits.attempts) return { attempts, longestMs };
  const passes = now.isWeather(last);
  const soon = { attempts: limits.limitedAttempts, longestMs: limits.limitedBackoffMs };
  // A limit that others passed is passed in time: it is asked again more often, and sooner.
  if (passes && isRateLimit(last)) return soon;
  if (!isInTheMaking(history, policy, now)) return { attempts, longestMs };
  const most = attempts + history.filter(now.isWeather).length;
  return {
    attempts: Math.min(most, soon.attempts),
    longestMs: passes ? soon.longestMs : longestMs,
  };
}

export interface Circumstances {
  readonly limits: RetryLimits;
  /** Milliseconds waited so far. */
  readonly waitedMs: number;
  /** Of the clock, in milliseconds since 1970. */
  readonly nowMs: number;
  /** From 0 to 1: spreads the waits of many. */
  readonly random: number;
  /** The control that was answered between the first reply that is like the last one and that; null where none was. */
  readonly vouched: string | null;
  /** An exchange got the like, and another reply when it was sent again. */
  readonly isWeather: (record: AttemptRecord) => boolean;
  /** A refusal with this status and Retry-After was seen to repeat. */
  readonly isKnown: (record: AttemptRecord) => boolean;
}

const seconds = (ms: number): number => Math.round(ms / 1000);

/** Decides what comes after the last attempt of a history. */
export function nextStep(history: readonly AttemptRecord[], policy: Policy, now: Circumstances): Step {
  const { limits } = now;
  const last = history.at(-1);
  const refusal = asRefusal(history, policy, now);
  if (refusal !== null && refusal !== 'wait' && refusal.again === null) return refusal;
  const again = reason(history, policy, now);
  const { attempts, longestMs } = room(history, policy, now);
  if (last === undefined || again === null || history.length >= attempts) return { again: null };
  if (refusal !== null && refusal !== 'wait') return refusal;
  const named = isTransient(last, policy) ? retryAfter(last, now.nowMs) : null;
  const isShort = named !== null && named <= limits.retryAfterMs && isTold(last, policy, now);
  const asked = isShort ? Math.min(named, hintedWait(last, now)) : named;
  // Its control was not answered: so long a wait would be the last one anyhow.
  const isLong = named !== null && 2 * named > limits.retryAfterMs;
  if (isShort && isLong && !now.isKnown(last) && repeated(history) >= limits.repeats) {
    return { again: null, gaveUp: `Retry-After asks for ${seconds(named)} s, and no control was answered` };
  }
  if (asked !== null && asked > limits.retryAfterMs) {
    return { again: null, gaveUp: `Retry-After asks for ${seconds(asked)} s` };
  }
  const backoff = Math.min(longestMs, limits.backoffMs * 2 ** (history.length - 1)) * (0.5 + now.random);
  // All that were told the same time would come back at the same moment.
  const waitMs = Math.round((asked ?? 0) + (asked ? Math.min(backoff, asked) : backoff));
  if (now.waitedMs + waitMs > limits.waitingMs) {
    return { again: null, gaveUp: `waited ${seconds(now.waitedMs)} s already` };
  }
  return { again, waitMs, ...(refusal === 'wait' ? { control: true } : {}) };
}
