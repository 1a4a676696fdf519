import { isRateLimit, transientOf } from '../reading/transient.ts';
import type { AttemptRecord } from './send.ts';

/** What the caller hopes for and how it reads a reply. It steers sending again, never a verdict. */
export interface Policy {
  readonly expect: 'answer' | 'refusal' | 'either' | 'limited';
  /** Pure: what a reply that can be judged amounts to. */
  readonly settled: (record: AttemptRecord) => 'answered' | 'refused' | 'unclear';
  /** At most this many attempts; `RetryLimits.attempts` where it is absent. */
  readonly maxAttempts?: number;
}

export interface RetryLimits {
  /** Attempts in all. */
  readonly attempts: number;
  /** Attempts in all while the target has never yet given a reply that can be judged. */
  readonly firstAttempts: number;
  /** Attempts that may run out of time. */
  readonly timeouts: number;
  /** Attempts whose reply may break off. */
  readonly cuts: number;
  /** Attempts whose reply may be no HTTP, or not what its content-encoding says. */
  readonly garbled: number;
  /** Attempts on which no reply may begin: a restart must fit, a target that is gone must come to an end. */
  readonly unreachable: number;
  /** Attempts that may be answered 500: it is taken once it repeats. */
  readonly failures: number;
  /** Attempts that may be refused where an answer was hoped for. */
  readonly refusals: number;
  /** First wait, in milliseconds; it doubles each time, up to the longest. */
  readonly backoffMs: number;
  readonly longestBackoffMs: number;
  /** The longest Retry-After that is waited for, in milliseconds. */
  readonly retryAfterMs: number;
  /** All waiting of one exchange, in milliseconds. */
  readonly waitingMs: number;
  /**
   * A target that has given no reply that can be judged for so many milliseconds and in so many attempts is
   * given up; a credential that was only ever limited for so long is waited for no more.
   */
  readonly patienceMs: number;
  readonly patienceAttempts: number;
}

export const retryLimits: RetryLimits = {
  attempts: 11,
  firstAttempts: 6,
  timeouts: 2,
  cuts: 5,
  garbled: 3,
  unreachable: 7,
  failures: 2,
  refusals: 2,
  backoffMs: 100,
  longestBackoffMs: 20_000,
  // A limit by the minute is common: one window must fit, and most of a second.
  retryAfterMs: 60_000,
  waitingMs: 90_000,
  patienceMs: 90_000,
  patienceAttempts: 6,
};

/** Why a valid request that was refused is sent again. */
export const confirming = 'to confirm the refusal';

/** What comes after an attempt: another one, or the end (with the reason where it is given up early). */
export type Step =
  | { readonly again: string; readonly waitMs: number }
  | { readonly again: null; readonly gaveUp?: string };

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

const isFailure = ({ response, ending }: AttemptRecord): boolean =>
  ending.kind === 'complete' && response?.status === 500;

/** The limit on attempts that end in one way. */
const mostOf = {
  timeout: 'timeouts',
  cut: 'cuts',
  garbled: 'garbled',
  unreachable: 'unreachable',
} as const satisfies Record<string, keyof RetryLimits>;

/** Why an outcome is worth another attempt; null where it is taken as it is. */
function reason(history: readonly AttemptRecord[], policy: Policy, limits: RetryLimits): string | null {
  const last = history.at(-1);
  if (last === undefined) return null;
  if (isTransient(last, policy)) {
    const transient = transientOf(last);
    if (transient === null || transient.cause === 'oversize') return null;
    const { cause } = transient;
    const spent = history.filter(({ ending }) => ending.kind === cause).length;
    return cause !== 'status' && spent >= limits[mostOf[cause]] ? null : transient.why;
  }
  if (isFailure(last)) {
    return history.filter(isFailure).length < limits.failures ? 'to see whether 500 repeats' : null;
  }
  const refused = (record: AttemptRecord): boolean =>
    !isTransient(record, policy) && !isFailure(record) && policy.settled(record) === 'refused';
  if (policy.expect !== 'answer' || !refused(last)) return null;
  return history.filter(refused).length < limits.refusals ? confirming : null;
}

export interface Circumstances {
  readonly limits: RetryLimits;
  /** Milliseconds waited so far. */
  readonly waitedMs: number;
  /** Of the clock, in milliseconds since 1970. */
  readonly nowMs: number;
  /** From 0 to 1: spreads the waits of many. */
  readonly random: number;
}

/** Decides what comes after the last attempt of a history. */
export function nextStep(history: readonly AttemptRecord[], policy: Policy, now: Circumstances): Step {
  const { limits } = now;
  const last = history.at(-1);
  const again = reason(history, policy, limits);
  if (last === undefined || again === null || history.length >= (policy.maxAttempts ?? limits.attempts)) {
    return { again: null };
  }
  const asked = isTransient(last, policy) ? retryAfter(last, now.nowMs) : null;
  if (asked !== null && asked > limits.retryAfterMs) {
    return { again: null, gaveUp: `Retry-After asks for ${Math.round(asked / 1000)} s` };
  }
  const backoff =
    Math.min(limits.longestBackoffMs, limits.backoffMs * 2 ** (history.length - 1)) * (0.5 + now.random);
  const waitMs = Math.round((asked ?? 0) + (asked ? limits.backoffMs * now.random : backoff));
  if (now.waitedMs + waitMs > limits.waitingMs) {
    return { again: null, gaveUp: `waited ${Math.round(now.waitedMs / 1000)} s already` };
  }
  return { again, waitMs };
}
