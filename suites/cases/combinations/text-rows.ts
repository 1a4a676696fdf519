import type { TextProtocol } from '../../../spec/vocabulary.ts';
import { coveringArrays, type Levels } from './covering-array.ts';
import { absent, present, textFactors } from './text-factors.ts';

/**
 * Where a row has the nonce that it asks for: in the question itself, in the system prompt, in a turn of the user
 * or of the assistant, in another element of a list, or earlier in a chain. A `root` has one and asks for nothing;
 * a `limit` asks for a text that is longer than its bound.
 */
export const places = ['system', 'user', 'assistant', 'element', 'chain', 'inline', 'root', 'limit'] as const;
export type Place = (typeof places)[number];

/** One valid request of a covering array. */
export interface TextRow {
  /** From 1. */
  readonly number: number;
  readonly levels: Levels;
  readonly place: Place;
}

export const has = ({ levels }: Pick<TextRow, 'levels'>, factor: string): boolean =>
  (levels[factor] ?? absent) !== absent;

type Placed = Omit<TextRow, 'number'>;

const isStreamed = (levels: Levels): boolean => has({ levels }, 'stream');

/** Where a row may have its nonce, by what it has. */
function possiblePlaces(levels: Levels): readonly Place[] {
  const is = (factor: string) => has({ levels }, factor);
  const found: readonly (Place | false)[] = [
    is('limit') && 'limit',
    (is('system') || is('instructions')) && 'system',
    is('history') && 'user',
    is('history') && 'assistant',
    is('list') && 'element',
  ];
  return found.filter((place) => place !== false);
}

const needed = (place: Place, ...factors: readonly string[]): Placed => ({
  place,
  levels: Object.fromEntries(factors.map((factor) => [factor, present])),
});

const neededWithHistory: readonly Placed[] = [
  needed('limit', 'limit'),
  needed('limit', 'limit', 'stream'),
  needed('system', 'system'),
  needed('system', 'system', 'stream'),
  needed('user', 'history'),
  needed('user', 'history', 'stream'),
  needed('assistant', 'history'),
];

/** What the rows of a protocol must show, whatever the array is: a place, streamed or not. */
const neededRows: Readonly<Record<TextProtocol, readonly Placed[]>> = {
  responses: [
    needed('system', 'instructions'),
    needed('system', 'instructions', 'stream'),
    needed('element', 'list'),
  ],
  messages: neededWithHistory,
  chat: neededWithHistory,
};

/** Whether a row may show what is needed; a turn of the assistant may come with a stream or without. */
const mayShow = (levels: Levels, { place, levels: wanted }: Placed): boolean =>
  possiblePlaces(levels).includes(place) &&
  (place === 'assistant' || isStreamed(levels) === isStreamed(wanted));

/**
 * Gives each row a place, so that as much as can be of what is needed is shown: first what fewest rows can show. What
 * no row is left for comes as a row of its own.
 */
function placed(protocol: TextProtocol, rows: readonly Levels[]): readonly Placed[] {
  const open = new Set(neededRows[protocol]);
  const free = new Set(rows);
  const given = new Map<Levels, Place>();
  const candidates = (want: Placed): readonly Levels[] =>
    [...free]
      .filter((levels) => mayShow(levels, want))
      .sort(
        (one, other) =>
          sameCaller(want, one) - sameCaller(want, other) ||
          possiblePlaces(one).length - possiblePlaces(other).length,
      );
  /** How many rows show the same for the same caller. */
  function sameCaller({ place }: Placed, levels: Levels): number {
    const rowsAt = [...given].filter(([, at]) => at === place).map(([row]) => row);
    return rowsAt.filter((row) => row.caller === levels.caller).length;
  }
  const own: Placed[] = [];
  while (open.size > 0) {
    const [scarcest] = [...open].sort((one, other) => candidates(one).length - candidates(other).length);
    if (scarcest === undefined) break;
    open.delete(scarcest);
    const [levels] = candidates(scarcest);
    if (levels === undefined) {
      own.push(scarcest);
      continue;
    }
    free.delete(levels);
    given.set(levels, scarcest.place);
  }
  const rest = (levels: Levels): Place => possiblePlaces(levels)[0] ?? 'inline';
  return [...rows.map((levels) => ({ levels, place: given.get(levels) ?? rest(levels) })), ...own];
}

/** A chain has so many responses between the first and the last: more than the last two must be carried. */
const links = 2;

/**
 * The first response of a chain, and those behind it that are no stream, since a stream shows no id: each follows the
 * one before. The last, which asks for what the first was given, may be a stream.
 */
function asChain(rows: readonly Levels[]): readonly Placed[] {
  const isFollowing = (levels: Levels): boolean => has({ levels }, 'previous');
  const weight = (levels: Levels): number =>
    Object.keys(levels).filter((each) => has({ levels }, each)).length;
  const [root] = rows
    .filter((levels) => !isFollowing(levels) && !isStreamed(levels))
    .sort((one, other) => weight(one) - weight(other));
  const following = rows.filter(isFollowing);
  const last = following.find(isStreamed) ?? following.at(-1);
  const between = following.filter((levels) => levels !== last);
  const linked = between.filter((levels) => !isStreamed(levels));
  const added = Array.from({ length: Math.max(0, links - linked.length) }, () => ({ previous: present }));
  const starting = rows.filter((levels) => !isFollowing(levels) && levels !== root);
  return [
    { levels: root ?? {}, place: 'root' },
    ...placed('responses', [...starting, ...linked, ...added, ...between.filter(isStreamed)]),
    ...(last ? [{ levels: last, place: 'chain' as const }] : []),
  ];
}

/**
 * The valid requests of a text protocol: a covering array of its factors, and what else the places of a nonce need.
 * @param callers how many callers may judge the protocol
 */
export function textRows(protocol: TextProtocol, callers: number, seed: number): readonly TextRow[] {
  const arrays = coveringArrays(textFactors(protocol, callers), seed).map((array) =>
    protocol === 'responses' ? asChain(array) : placed(protocol, array),
  );
  const shortest = arrays.reduce((one, other) => (other.length < one.length ? other : one));
  return shortest.map((row, at) => ({ number: at + 1, ...row }));
}
