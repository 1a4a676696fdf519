import { isRateLimit, transientOf } from '../reading/transient.ts';
import type { RetryLimits } from './limits.ts';
import { asRefusal, hintedWait, isInTheMaking, isTold } from './may-refuse.ts';
import { type Circumstances, isTransient, type Policy, retryAfter, type Step } from './policy.ts';
import type { AttemptRecord } from './send.ts';
import { repeated } from './signature.ts';

/** Why a valid request that was refused is sent again. */
export const confirming = 'to confirm the refusal';

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
