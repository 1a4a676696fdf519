import type { AskedText, Failure, Outcome, OutcomeWithReason } from '../../types/finding.ts';
import type { FailureReason, InconclusiveReason, UntestedReason } from '../../types/reasons/index.ts';

/** A reason, or only its kind where it takes no data. */
type Given<Reason extends { readonly kind: string }> =
  | Reason
  | (Reason extends unknown ? (keyof Reason extends 'kind' ? Reason['kind'] : never) : never);

const reasonOf = <Reason extends { readonly kind: string }>(given: Given<Reason>): Reason =>
  (typeof given === 'string' ? { kind: given } : given) as Reason;

/** What one exchange shows of a requirement: kept, broken, or nothing. */
export type Aspect = 'kept' | Failure | undefined;

export const isFailure = (aspect: Aspect): aspect is Failure => typeof aspect === 'object';

/** @param exchange the one that shows it */
export const pass = (exchange?: string): Outcome => ({
  verdict: 'pass',
  ...(exchange === undefined ? {} : { exchange }),
});

export const fail = (
  reason: Given<FailureReason>,
  actual: string,
  where: Pick<Failure, 'pointer' | 'exchange'> = {},
): Failure => ({ verdict: 'fail', reason: reasonOf(reason), actual, ...where });

/** Tried and not decided. */
export const inconclusive = (
  reason: Given<InconclusiveReason>,
  actual?: string,
  nonGating?: 'too-fast',
): Extract<OutcomeWithReason, { readonly verdict: 'inconclusive' }> => ({
  verdict: 'inconclusive',
  reason: reasonOf(reason),
  ...(actual === undefined ? {} : { actual }),
  ...(nonGating === undefined ? {} : { nonGating }),
});

/**
 * Not decided for what the model says: an excuse only where a reply lacks the text that was asked for (principle 17).
 * @param asked the replies that it rests on
 */
export const dependsOnModel = (
  reason: Given<InconclusiveReason>,
  asked: readonly AskedText[],
  actual?: string,
): OutcomeWithReason => ({
  ...inconclusive(reason, actual),
  ...(asked.some(({ isSaid }) => !isSaid) ? { nonGating: 'model-behaviour', asked } : {}),
});

/** Replies none of which holds the text that was asked for. */
export const unsaid = (exchanges: readonly string[]): readonly AskedText[] =>
  exchanges.map((exchange) => ({ exchange, isSaid: false }));

export const untested = (reason: Given<UntestedReason>): OutcomeWithReason => ({
  verdict: 'untested',
  reason: reasonOf(reason),
});
