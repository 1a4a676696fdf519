import { type ShownByReplies, onlyWords, separationWords } from '../separation.ts';
import { failureWords } from './failures.ts';
import { inconclusiveWords } from './inconclusive.ts';
import { untestedWords } from './untested.ts';
import { filledIn, type ReasonsOf, type Words } from './words.ts';

export type FailureReason = ReasonsOf<typeof failureWords>;
export type InconclusiveReason = ReasonsOf<typeof inconclusiveWords>;
export type UntestedReason = ReasonsOf<typeof untestedWords>;

export type Reason = FailureReason | InconclusiveReason | UntestedReason;

const catalogue = { ...failureWords, ...inconclusiveWords, ...untestedWords };

/** The words of a reason. They are for people: nothing is decided by them. */
export function wordsOf(reason: Reason): Words {
  const words = filledIn<string | readonly [string, string]>(catalogue[reason.kind], reason);
  if (typeof words !== 'string') return { message: words[0], expected: words[1] };
  const isUndecided = reason.kind in inconclusiveWords;
  return { message: words, expected: isUndecided ? 'evidence that decides it' : 'something to test it with' };
}

/** In how many replies something is seen, and in which, behind what it is; empty where all show it. */
export function shareWords({ replies, separation }: ShownByReplies): string {
  if (replies === undefined) return '';
  if (replies.kept.length === 0) return separation ? `, ${onlyWords(separation)}` : '';
  const [seen, of] = [replies.broken.length, replies.broken.length + replies.kept.length];
  return `, in ${seen} of ${of} replies${separation ? `, ${separationWords(separation, seen)}` : ''}`;
}

/** What is said of a requirement; of a failure that not every reply shows, also how many do, and which. */
export function messageOf(finding: ShownByReplies & { readonly reason: Reason }): string {
  const { reason, separation } = finding;
  const { message } = wordsOf(reason);
  const share = shareWords(finding);
  switch (reason.kind) {
    // These say how many by themselves; texts by those that they are held against, which are not all.
    case 'answer-missing-in-some':
    case 'answer-never-came':
    case 'text-missing-in-some':
      return separation ? `${message}, ${separationWords(separation, reason.seen)}` : message;
    case 'text-differs':
      return separation ? `${message}; in all${share}` : message;
    case 'context-lost':
      return share === '' ? message : `${message}; it is missing${share.slice(1)}`;
    default:
      return `${message}${share}`;
  }
}
