import { isRateLimit, transientOf } from '../reading/transient.ts';
import type { RetryLimits } from './limits.ts';
import type { AttemptRecord } from './send.ts';

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

/** What is known when it is decided what comes after an attempt. */
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
