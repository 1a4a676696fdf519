import type { Protocol } from '../../spec/vocabulary.ts';
import type { EvidenceView } from '../checks/evidence-view.ts';
import { signsOf } from '../types/text-signs.ts';
import { type SentValid, sentValid, stringsIn } from './sent-requests.ts';

/**
 * What of their texts an endpoint refuses valid requests for: a length from which on all are refused, or a word that is
 * in refused ones alone. All signs of these texts are taken elsewhere. `seen`: how many have it, all refused.
 */
export type RefusedText =
  | {
      readonly by: 'length';
      readonly seen: number;
      /** Characters of the shortest one that is refused, and of the longest one below it that is answered. */
      readonly refused: number;
      readonly answered: number;
    }
  | { readonly by: 'word'; readonly seen: number; readonly word: string };

interface Asked {
  readonly isRefused: boolean;
  readonly isTaken: boolean;
  /** Its longest text, of a message or of the system prompt, and all its words. */
  readonly longest: number;
  readonly signs: readonly string[];
  readonly words: ReadonlySet<string>;
}

/** So few are refused for many reasons. */
const leastRefused = 2;

function readText(sent: SentValid): Asked {
  const texts = stringsIn(sent);
  const all = texts.join(' ');
  return {
    isRefused: sent.kind === 'refused' && !sent.isTaken,
    isTaken: sent.isTaken,
    longest: Math.max(0, ...texts.map(({ length }) => length)),
    signs: signsOf(all),
    words: new Set(all.match(/\p{L}{4,}/gu)),
  };
}

/**
 * Why some valid requests of an endpoint are refused, where it is for their texts; undefined where nothing shows it.
 * @param ids those that are refused
 */
export function refusedText(
  view: EvidenceView,
  protocol: Protocol,
  ids: readonly string[],
): RefusedText | undefined {
  const sent = sentValid(view).filter(({ request }) => request.protocol === protocol);
  const all = sent.map(readText);
  const own = all.filter((_, at) => ids.includes(sent[at]?.id ?? ''));
  const taken = all.filter(({ isTaken }) => isTaken);
  const known = new Set(taken.flatMap(({ signs }) => signs));
  const isUnexplained =
    taken.length === 0 ||
    own.length < ids.length ||
    !own.every(({ isRefused, signs }) => isRefused && signs.every((sign) => known.has(sign)));
  return isUnexplained ? undefined : (byLength(own, all, taken) ?? byWord(own, all));
}

function byLength(
  own: readonly Asked[],
  all: readonly Asked[],
  taken: readonly Asked[],
): RefusedText | undefined {
  const refused = Math.min(...own.map(({ longest }) => longest));
  const shorter = taken.filter(({ longest }) => longest < refused);
  const seen = countAll(all.filter(({ longest }) => longest >= refused));
  if (seen === undefined || shorter.length === 0) return undefined;
  return { by: 'length', refused, seen, answered: Math.max(...shorter.map(({ longest }) => longest)) };
}

function byWord([first, ...others]: readonly Asked[], all: readonly Asked[]): RefusedText | undefined {
  for (const word of first?.words ?? []) {
    if (!others.every(({ words }) => words.has(word))) continue;
    const seen = countAll(all.filter(({ words }) => words.has(word)));
    if (seen !== undefined) return { by: 'word', word, seen };
  }
  return undefined;
}

/** How many these are; undefined where one of them is not refused, or they are too few. */
const countAll = (those: readonly Asked[]): number | undefined =>
  those.length >= leastRefused && those.every(({ isRefused }) => isRefused) ? those.length : undefined;
