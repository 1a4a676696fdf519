import { type Evidence, isExchange } from '../model/exchange.ts';
import { transientWords } from '../model/reasons/exchange-words.ts';
import { transientOf } from '../reading/transient.ts';

/**
 * What came instead, where nothing that a target sent can be judged: the most frequent outcome, with how
 * often it came. Undefined where one exchange can be judged, or none was sent.
 */
export function silence(evidence: Evidence): string | undefined {
  const counts = new Map<string, number>();
  let all = 0;
  for (const entry of evidence.values()) {
    if (!isExchange(entry)) continue;
    const transient = transientOf(entry);
    if (transient === null) return undefined;
    all += 1;
    const why = transientWords(transient);
    counts.set(why, (counts.get(why) ?? 0) + 1);
  }
  const [most] = [...counts].sort(([, one], [, other]) => other - one);
  return most && `${most[1]} of ${all} exchanges: ${most[0]}`;
}

/** What an operator may have declared wrong, by the status that every reply has. */
const hints: Readonly<Record<number, string>> = {
  401: 'are the tokens right?',
  403: 'are the tokens right, and allowed from here?',
  404: 'is target.baseUrl right?',
};

/** So few replies may well be all alike. */
const fewReplies = 4;

/**
 * What every reply was, where all that can be judged have one and the same status of a refusal: more likely
 * declared wrong than a gateway that serves nobody. Undefined where not, or where there are few.
 */
export function sameRefusal(evidence: Evidence): string | undefined {
  const replies = [...evidence.values()].filter(isExchange).filter((entry) => transientOf(entry) === null);
  const statuses = new Set(replies.map(({ response }) => response?.status ?? 0));
  const [status = 0] = statuses;
  if (replies.length < fewReplies || statuses.size !== 1 || status < 300) return undefined;
  const hint =
    hints[status] ?? (status < 400 ? 'is target.baseUrl right? No redirect is followed' : undefined);
  return `every reply was HTTP ${status}${hint === undefined ? '' : `; ${hint}`}`;
}
