import type { Attempt } from '../../types/exchange.ts';
import type { GaveUp, RetryReason } from '../../types/reasons/exchange-reasons.ts';
import {
  refusalRepeats,
  refusalWithRetryAfterRepeats,
  type ReplyHistory,
  sameReplies,
} from '../../reading/reply-history.ts';
import type { RequestFacts } from '../../reading/request-facts.ts';
import { type AttemptReading, controlOf, type ExchangeOptions } from './attempt-reading.ts';
import type { RetryCause, RetryPolicy } from './policy.ts';

/** What comes after an attempt: another one, with a control sent before it where that is wanted; or the end. */
export type Step =
  | {
      readonly kind: 'retry';
      readonly reason: RetryReason;
      readonly waitMs: number;
      readonly sendControl: boolean;
      /** It waits until its caller is answered again. */
      readonly isClosed: boolean;
    }
  | { readonly kind: 'stop'; readonly gaveUp?: GaveUp };

/** What `nextStep` knows of an exchange that is under way. */
export interface Progress {
  readonly attempts: readonly Attempt[];
  readonly readings: readonly AttemptReading[];
  /** A control was answered between the first reply that is like the last one and that. */
  readonly isControlAnswered: boolean;
  /** Milliseconds waited so far. */
  readonly waitedMs: number;
  /** How long no control of its caller has been answered, in milliseconds; infinite where that is no longer waited for. */
  readonly closedMs?: number | undefined;
  /** The most attempts that the state of target and route allows. */
  readonly maxAttempts: number;
}

/** What is known when it is decided what comes after an attempt. */
export interface Circumstances {
  readonly policy: RetryPolicy;
  readonly history: ReplyHistory;
  /** Whether its status came to the last attempt of another exchange of the same credential, and none got past: it is no short outage. */
  readonly isLasting: (reading: AttemptReading) => boolean;
  /** From 0 to 1: spreads the waits of many. */
  readonly random: number;
}

const stop: Step = { kind: 'stop' };

const giveUp = (
  kind: 'waited-enough' | 'retry-after-too-long' | 'retry-after-without-control',
  ms: number,
): Step => ({ kind: 'stop', gaveUp: { kind, seconds: Math.round(ms / 1000) } });

/** Whether another exchange got past a reply like that of an attempt. */
const passedBy =
  ({ history }: Circumstances, facts: RequestFacts) =>
  ({ fingerprint }: AttemptReading): boolean =>
    history.hasPassed(fingerprint, facts);

/** How often in a row a reply must come that others got past. */
const timesByChance = (
  { cause, fingerprint }: AttemptReading,
  facts: RequestFacts,
  { policy, history }: Circumstances,
): number => {
  const row = cause === null ? undefined : policy.table[cause];
  const most = (facts.expect === 'answer' ? row?.whereAnswerIsDue : undefined) ?? row?.attempts ?? 1;
  return Math.max(most, history.timesNeeded(fingerprint, facts));
};

/** Whether the row of a cause has no attempt left. A retryable status that others got past counts only where the row says how often. */
function isSpent(
  cause: RetryCause,
  { readings }: Progress,
  facts: RequestFacts,
  now: Circumstances,
): boolean {
  const row = now.policy.table[cause];
  const passed = passedBy(now, facts);
  const same = readings.filter((reading) => reading.cause === cause);
  const last = same.at(-1);
  if (last && row.whereLasting !== undefined && now.isLasting(last)) {
    // What is no refusal, and no answer is due to, shows nothing more by being told the same limit again.
    const isToldEnough = last.isRateLimit && passed(last) && facts.expect !== 'answer';
    return isToldEnough || same.length >= row.whereLasting;
  }
  if (last && passed(last) && row.wherePassed !== undefined)
    return (
      same.length >= (row.wherePassed === 'by-chance' ? timesByChance(last, facts, now) : row.wherePassed)
    );
  const most = (facts.expect === 'answer' ? row.whereAnswerIsDue : undefined) ?? row.attempts;
  const counted = last?.transient?.cause === 'status' ? same.filter((reading) => !passed(reading)) : same;
  return counted.length >= most;
}

/** Why an attempt is worth another one; null where it is taken as it is. */
function reasonFor(
  progress: Progress,
  { cause, transient }: AttemptReading,
  { facts }: ExchangeOptions,
  now: Circumstances,
): RetryReason | null {
  if (cause === null) return null;
  if (progress.closedMs === undefined && isSpent(cause, progress, facts, now)) return null;
  if (progress.closedMs !== undefined && cause === 'refusal') return { kind: 'lock-out' };
  if (transient !== null) return { kind: 'transient', transient };
  return { kind: cause === 'refusal' ? 'confirm-refusal' : 'confirm-failure' };
}

/** How a retryable reply stands that may be the refusal of its request. */
type Suspicion = 'none' | 'repeats-with-retry-after' | 'open' | 'ask-control' | 'settled';

function suspicionOf(
  progress: Progress,
  last: AttemptReading,
  options: ExchangeOptions,
  now: Circumstances,
): Suspicion {
  const { facts } = options;
  const control = controlOf(options, last);
  const { attempts, isControlAnswered } = progress;
  const isRetryable = last.transient?.cause === 'status';
  if (!isRetryable || passedBy(now, facts)(last)) return 'none';
  if (now.history.isKnownRefusal(last.fingerprint, facts)) return 'settled';
  const times = sameReplies(attempts).length;
  if (last.isRefusalWithRetryAfter && facts.expect !== 'answer')
    return times >= refusalWithRetryAfterRepeats ? 'settled' : 'repeats-with-retry-after';
  if (!last.mayBeRefusal) return 'none';
  if (control === undefined) return facts.expect === 'either' && times >= refusalRepeats ? 'settled' : 'none';
  if (times >= refusalRepeats && isControlAnswered) return 'settled';
  return times >= refusalRepeats - 1 ? 'ask-control' : 'open';
}

/** Waits that grow with the time, in milliseconds: that a caller is answered again is seen soon, and seldom asked for long. */
const closedWait = (closedMs: number): number => Math.min(3_000, Math.max(250, closedMs / 3));

/** Whether others got past a reply that is asked again until chance does not explain it. */
const passedByChance = (last: AttemptReading, facts: RequestFacts, now: Circumstances): boolean =>
  passedBy(now, facts)(last) &&
  last.cause !== null &&
  now.policy.table[last.cause].wherePassed === 'by-chance';

/** Where an answer is due, what others got past by time must have the time: as long as any of them waited. */
function chanceWait(last: AttemptReading, facts: RequestFacts, now: Circumstances): number {
  const { backOffMs, passedBackOffMs } = now.policy;
  if (facts.expect !== 'answer') return backOffMs;
  const waits = Math.max(1, timesByChance(last, facts, now) - 1);
  const ms = now.history.passedAfterMs(last.fingerprint) / waits;
  return Math.min(passedBackOffMs, Math.max(backOffMs, ms / leastSpread));
}

/** The most attempts of the exchange, and the longest wait before the next, in milliseconds. */
function bounds(
  { readings, maxAttempts, closedMs }: Progress,
  last: AttemptReading,
  options: ExchangeOptions,
  now: Circumstances,
): { readonly attempts: number; readonly longestMs: number } {
  const { policy } = now;
  const { facts } = options;
  const longestMs = last.cause === null ? 0 : policy.table[last.cause].longestBackOffMs;
  if (closedMs !== undefined) return { attempts: policy.mostAttempts, longestMs: closedWait(closedMs) };
  if (maxAttempts < policy.attempts) return { attempts: maxAttempts, longestMs };
  const passed = passedBy(now, facts);
  if (passed(last) && last.isRateLimit)
    return { attempts: policy.mostAttempts, longestMs: policy.passedBackOffMs };
  if (passedByChance(last, facts, now))
    return { attempts: policy.mostAttempts, longestMs: chanceWait(last, facts, now) };
  const suspects = readings.filter((reading) => reading.mayBeRefusal && !passed(reading)).length;
  if (controlOf(options, last) === undefined || suspects < 2) return { attempts: maxAttempts, longestMs };
  // What is known to pass does not count against a refusal in the making.
  return {
    attempts: Math.min(maxAttempts + readings.filter(passed).length, policy.mostAttempts),
    longestMs: passed(last) ? policy.passedBackOffMs : longestMs,
  };
}

/** The wait before the second attempt, in milliseconds. */
function firstBackOff(last: AttemptReading, { facts }: ExchangeOptions, now: Circumstances): number {
  if (passedByChance(last, facts, now)) return chanceWait(last, facts, now);
  const mayBeOutage =
    last.cause === 'failure' &&
    facts.expect === 'answer' &&
    !now.isLasting(last) &&
    !passedBy(now, facts)(last);
  return mayBeOutage ? now.policy.outageBackOffMs : now.policy.backOffMs;
}

/** Waits are spread from this share of what is named to one more than it. */
const leastSpread = 0.5;

/** How long to wait where the reply may be a refusal: a repetition or a control tells sooner what it is. */
const shortWait = (last: AttemptReading, { policy, history }: Circumstances): number =>
  history.isKnownStatus(last.status)
    ? policy.backOffMs
    : Math.min(policy.controlledRetryAfterMs, last.retryAfterMs ?? 0);

/** Whether a control tells what the reply is, so that its Retry-After need not be waited for. */
const isToldByControl = (last: AttemptReading, suspicion: Suspicion, { facts }: ExchangeOptions): boolean =>
  (suspicion === 'open' || suspicion === 'ask-control') &&
  (!last.isRateLimit || facts.credential === 'wrong');

/** Decides what comes after the last attempt of an exchange. Pure. */
export function nextStep(progress: Progress, options: ExchangeOptions, now: Circumstances): Step {
  const { policy, random } = now;
  const { attempts, readings, waitedMs } = progress;
  const last = readings.at(-1);
  if (last === undefined) return stop;
  const suspicion = suspicionOf(progress, last, options, now);
  if (suspicion === 'settled') return stop;
  const reason = reasonFor(progress, last, options, now);
  const { attempts: most, longestMs } = bounds(progress, last, options, now);
  if (reason === null || attempts.length >= most) return stop;
  if (progress.closedMs === Number.POSITIVE_INFINITY)
    return last.transient === null ? stop : giveUp('waited-enough', waitedMs);
  if (suspicion === 'repeats-with-retry-after') {
    const [confirm, waitMs] = [{ kind: 'confirm-refusal-with-retry-after' } as const, shortWait(last, now)];
    return { kind: 'retry', reason: confirm, waitMs, sendControl: false, isClosed: false };
  }
  const named = last.retryAfterMs;
  const isTold = named !== null && isToldByControl(last, suspicion, options);
  // Failed logins are often limited for an hour; its control tells a refused login in seconds.
  const isToldSoon = isTold && options.facts.credential === 'wrong';
  if (named !== null && named > policy.retryAfterMs && !isToldSoon)
    return giveUp('retry-after-too-long', named);
  const isRepeated = sameReplies(attempts).length >= refusalRepeats;
  // Its control was not answered: so long a wait would be the last one anyhow.
  if (isTold && 2 * named > policy.retryAfterMs && isRepeated && !now.history.isKnownStatus(last.status))
    return giveUp('retry-after-without-control', named);
  const asked = isTold ? Math.min(named, shortWait(last, now)) : named;
  const first = firstBackOff(last, options, now);
  const backOff = Math.min(longestMs, first * 2 ** (attempts.length - 1)) * (leastSpread + random);
  // All that were told the same time would come back at the same moment; of a caller that is refused one asks for all.
  const spread = progress.closedMs === undefined ? backOff : Math.min(backOff, policy.backOffMs);
  const waitMs = Math.round((asked ?? 0) + (asked ? Math.min(spread, asked) : backOff));
  if (waitedMs + waitMs > policy.waitingMs) return giveUp('waited-enough', waitedMs);
  const isClosed = progress.closedMs !== undefined;
  return { kind: 'retry', reason, waitMs, sendControl: suspicion === 'ask-control', isClosed };
}
