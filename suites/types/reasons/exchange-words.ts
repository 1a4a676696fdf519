import {
  causes,
  type Ending,
  endings,
  type GaveUp,
  gaveUps,
  retries,
  type RetryReason,
  type StopReason,
  stops,
  transientWords,
  type Unclear,
  unclears,
  type UnsentReason,
  unsents,
  type WaitReason,
  waits,
} from './exchange-reasons.ts';
import { type Catalogue, filledIn } from './words.ts';

// The words of what became of a request, for every rendering.

export { transientWords };

const wordsIn =
  <Reason extends { readonly kind: string }>(catalogue: Catalogue) =>
  (reason: Reason): string =>
    filledIn(catalogue[reason.kind] as string, reason);

/** How an attempt ended; `complete` where it ended in order. */
export const endingWords = wordsIn<Ending>(endings);
export const retryWords = wordsIn<RetryReason>(retries);
export const waitWords = wordsIn<WaitReason>(waits);
export const stopWords = wordsIn<StopReason>(stops);
export const gaveUpWords = wordsIn<GaveUp>(gaveUps);
export const unsentWords = wordsIn<UnsentReason>(unsents);
export const unclearWords = wordsIn<Unclear>(unclears);

/** A retry reason without what differs from reply to reply: equal for equal causes. */
export const retryCauseWords = (reason: RetryReason): string =>
  reason.kind === 'transient'
    ? filledIn<string>(causes[reason.transient.cause], reason.transient)
    : retryWords(reason);
