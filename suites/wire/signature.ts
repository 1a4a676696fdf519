import { withoutNumbers } from '../reading/numbers.ts';
import { transientOf } from '../reading/transient.ts';
import type { AttemptRecord } from './send.ts';

/** More of a body than this is not looked at: a refusal is short. */
const mostChars = 4096;

/** What stays the same of a reply when it is given again: its status and the words of its body. */
export const signature = ({ response }: Pick<AttemptRecord, 'response'>): string =>
  response === null
    ? ''
    : `${response.status} ${withoutNumbers(response.body.text.slice(0, mostChars)).trim()}`;

/**
 * How many attempts of a history were answered as the last one was, since the last reply that can be judged:
 * what came between them that proves nothing does not count.
 */
export function repeated(history: readonly AttemptRecord[]): number {
  const last = history.at(-1);
  if (last === undefined || last.ending.kind !== 'complete') return 0;
  if (history.length === 1) return 1;
  const own = signature(last);
  const isLike = (record: AttemptRecord): boolean =>
    record.ending.kind === 'complete' && signature(record) === own;
  const judged = history.findLastIndex((record) => !isLike(record) && transientOf(record) === null);
  return history.slice(judged + 1).filter(isLike).length;
}
