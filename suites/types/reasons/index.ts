import { failureWords } from './failures.ts';
import { inconclusiveWords } from './inconclusive.ts';
import { untestedWords } from './untested.ts';
import { filledIn, type ReasonsOf, type Words } from './words.ts';

export type FailureReason = ReasonsOf<typeof failureWords>;
export type InconclusiveReason = ReasonsOf<typeof inconclusiveWords>;
export type UntestedReason = ReasonsOf<typeof untestedWords>;

/** Why a finding is not a pass. */
export type Reason = FailureReason | InconclusiveReason | UntestedReason;

const catalogue = { ...failureWords, ...inconclusiveWords, ...untestedWords };

interface Share {
  readonly seen: number;
  readonly of: number;
}

/** The words of a reason. They are for people: nothing is decided by them. */
export function wordsOf(reason: Reason): Words {
  const words = filledIn<string | readonly [string, string]>(catalogue[reason.kind], reason);
  if (typeof words !== 'string') return { message: words[0], expected: words[1] };
  const isUndecided = reason.kind in inconclusiveWords;
  return { message: words, expected: isUndecided ? 'evidence that decides it' : 'something to test it with' };
}

/** What is said of a requirement; of a failure that not every reply shows, also how many do. */
export function messageOf({ reason, share }: { readonly reason: Reason; readonly share?: Share }): string {
  const { message } = wordsOf(reason);
  return share && share.seen < share.of ? `${message}, in ${share.seen} of ${share.of} replies` : message;
}
