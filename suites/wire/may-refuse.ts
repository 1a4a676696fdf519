import { isHinted, isRateLimit, isTransientStatus, transientOf } from '../reading/transient.ts';
import { type Circumstances, isTransient, type Policy, retryAfter, type Step } from './policy.ts';
import type { AttemptRecord } from './send.ts';
import { repeated } from './signature.ts';

/** A gateway may refuse with a status that asks to come again: none is shown (section 7). One that ran out of time did not. */
const isAmbiguousStatus = (status: number): boolean => isTransientStatus(status) && status !== 504;

/** A rate limit that names a time is no refusal of anything else. */
const isAmbiguous = (record: AttemptRecord): boolean =>
  transientOf(record)?.cause === 'status' &&
  isAmbiguousStatus(record.response?.status ?? 0) &&
  !(isRateLimit(record) && retryAfter(record, 0) !== null);

const isDown = (record: AttemptRecord): boolean => isAmbiguous(record) && !isRateLimit(record);

/** How long to wait for what may be a refusal with Retry-After. */
export const hintedWait = (last: AttemptRecord, { limits, isKnown, nowMs }: Circumstances): number =>
  isKnown(last) ? limits.backoffMs : Math.min(limits.hintedMs, retryAfter(last, nowMs) ?? 0);

/** It may be the refusal of a request that may be refused. */
const mayRefuse = (last: AttemptRecord, { expect }: Policy): boolean =>
  expect === 'answer' ? isHinted(last) || isDown(last) : isAmbiguous(last);

/** It may be that, and a control is there to tell: then it is no use to wait for as long as it asks. */
export const isTold = (last: AttemptRecord, policy: Policy, { isWeather }: Circumstances): boolean =>
  policy.control !== undefined && !isRateLimit(last) && mayRefuse(last, policy) && !isWeather(last);

/**
 * A reply that asks to come again where the request may be refused: it may be the refusal. With the status of
 * any refusal it is one once it repeats; else only where its control is answered before it comes once more.
 * What an exchange got on its way to another reply is weather, and never a refusal.
 */
export function asRefusal(
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
export const isInTheMaking = (
  history: readonly AttemptRecord[],
  policy: Policy,
  now: Circumstances,
): boolean =>
  policy.control !== undefined &&
  history.filter((record) => mayRefuse(record, policy) && !now.isWeather(record)).length >= 2;
