import { type Protocol, protocols } from '../../spec/vocabulary.ts';
import type { EvidenceView } from '../checks/evidence-view.ts';
import type { ReportTextLimit } from '../types/report.ts';
import { signsOf } from '../types/text-differences.ts';
import { type SentValid, sentValid, stringsIn } from './sent-requests.ts';

/** What of their texts valid requests are refused for, and for no sign or parameter: a length, or a word. `seen`: how many have it. */
export type RefusedText =
  | {
      readonly by: 'length';
      readonly seen: number;
      /** Characters of the shortest one that is refused, and of the longest one below it that is answered. */
      readonly refused: number;
      readonly answered: number;
    }
  | { readonly by: 'word'; readonly seen: number; readonly word: string };

type Asked = ReturnType<typeof readText>;

/** So few are refused for many reasons. */
const leastRefused = 2;

function readText(sent: SentValid) {
  const texts = stringsIn(sent);
  const all = texts.join(' ');
  return {
    isRefused: sent.kind === 'refused' && !sent.isTaken,
    isTaken: sent.isTaken,
    /** Its longest text, of a message or of the system prompt. */
    longest: Math.max(0, ...texts.map(({ length }) => length)),
    signs: signsOf(all),
    members: Object.keys(sent.body),
    words: new Set(all.match(/\p{L}{4,}/gu)),
  };
}

/** Why these valid requests of an endpoint are refused, where it is for their texts; undefined where nothing shows it. */
export function refusedText(view: EvidenceView, protocol: Protocol, ids: readonly string[]) {
  const sent = sentValid(view).filter(({ request }) => request.protocol === protocol);
  const all = sent.map(readText);
  const own = all.filter((_, at) => ids.includes(sent[at]?.id ?? ''));
  if (own.length < ids.length || !own.every(({ isRefused }) => isRefused)) return undefined;
  const taken = all.filter(({ isTaken }) => isTaken);
  return byLength(own, all, taken) ?? byWord(own, all, taken);
}

/** The endpoints that refuse every text of some length or more, and answer shorter ones before and after (principle 4). */
export const textLimits = (view: EvidenceView): readonly ReportTextLimit[] =>
  protocols.flatMap((protocol) => {
    const sent = sentValid(view).filter(({ request }) => request.protocol === protocol);
    const longestTaken = Math.max(
      ...sent.filter(({ isTaken }) => isTaken).map((each) => readText(each).longest),
    );
    const isLonger = (each: SentValid): boolean => readText(each).longest > longestTaken;
    const exchanges = sent.filter(isLonger).map(({ id }) => id);
    const isAnsweredSince = sent.findLastIndex(({ isTaken }) => isTaken) > sent.findLastIndex(isLonger);
    const found =
      exchanges.length === 0 || !isAnsweredSince ? undefined : refusedText(view, protocol, exchanges);
    if (found?.by !== 'length') return [];
    const { by: _, ...figures } = found;
    return [{ protocol, ...figures, exchanges }];
  });

function byLength(own: readonly Asked[], all: readonly Asked[], taken: readonly Asked[]) {
  const refused = Math.min(...own.map(({ longest }) => longest));
  const shorter = taken.filter(({ longest }) => longest < refused);
  const those = all.filter(({ longest }) => longest >= refused);
  if (shorter.length === 0 || !areAllRefused(those, taken)) return undefined;
  const answered = Math.max(...shorter.map(({ longest }) => longest));
  return { by: 'length', refused, seen: those.length, answered };
}

function byWord(
  [first, ...others]: readonly Asked[],
  all: readonly Asked[],
  taken: readonly Asked[],
): RefusedText | undefined {
  for (const word of first?.words ?? []) {
    const those = all.filter(({ words }) => words.has(word));
    if (others.every(({ words }) => words.has(word)) && areAllRefused(those, taken))
      return { by: 'word', word, seen: those.length };
  }
  return undefined;
}

/** Whether these are refused, and for no sign that all of them have and no parameter: each is taken elsewhere. */
function areAllRefused(those: readonly Asked[], taken: readonly Asked[]): boolean {
  const [first, ...others] = those;
  const common = first?.signs.filter((sign) => others.every(({ signs }) => signs.includes(sign))) ?? [];
  return (
    those.length >= leastRefused &&
    taken.length > 0 &&
    those.every(({ isRefused }) => isRefused) &&
    common.every((sign) => taken.some(({ signs }) => signs.includes(sign))) &&
    those.every((each) => each.members.every((name) => taken.some(({ members }) => members.includes(name))))
  );
}
