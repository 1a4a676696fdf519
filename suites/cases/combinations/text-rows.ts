import { groupBy } from '../../../spec/group-by.ts';
import type { TextProtocol } from '../../../spec/vocabulary.ts';
import { absent, chained, fractionLevels, isWith, present, textFactors } from './text-factors.ts';
import { coveringArrays, type Levels } from './covering-array.ts';
import { featuresOf, styled, type Styles } from './row-styles.ts';
import { spreadLevels } from './spread-levels.ts';
import type { Place } from '../builder/attempts.ts';

/** One valid request of a covering array. */
export interface TextRow {
  /** From 1. */
  readonly number: number;
  /** Whether `stream` is false: left out it is to be that, too (4.1 to 4.3). */
  readonly declined: boolean;
  readonly levels: Levels;
  /** What of it costs nothing and stands beside all else: who asks, and further turns. */
  readonly styles?: Styles;
  /** At least one. */
  readonly places: readonly Place[];
}

export const has = ({ levels }: Pick<TextRow, 'levels'>, factor: string): boolean => isWith(levels, factor);

export const isAt = ({ places }: Pick<TextRow, 'places'>, place: Place): boolean => places.includes(place);

export const isStreamed = (levels: Levels): boolean => isWith(levels, 'stream');

/** Where a row has its nonces, by what it has; a bound is not tested with it. */
export function placesOf(levels: Levels): readonly Place[] {
  const is = (factor: string) => has({ levels }, factor);
  const found: readonly (Place | false)[] = [
    (is('system') || is('instructions')) && 'system',
    // A request asks for three nonces at most.
    is('history') && !is('system') && 'first',
    is('history') && 'user',
    is('history') && 'assistant',
    is('list') && 'element',
  ];
  const listed = found.filter((place) => place !== false);
  return listed.length > 0 ? listed : ['inline'];
}

/** Whether a row has a place for a nonce other than its question: what goes without one there is not asked for it. */
const hasPlace = (levels: Levels): boolean => placesOf(levels)[0] !== 'inline';

/** Output tokens that a `limit` row allows: the fewest that chunks tell, more where words do, for whole chats an unusual number. */
export const lowLimit = (protocol: TextProtocol, { levels }: Pick<TextRow, 'levels'>): number => {
  const isStream = isStreamed(levels);
  if (protocol === 'chat') return isStream ? 1 : 5;
  return isStream ? 5 : 16;
};

/** Each place of a nonce in a row with whatever else the row has. */
const asked = (levels: Levels): readonly string[] =>
  placesOf(levels).flatMap((place) =>
    Object.entries(levels)
      .filter(([, level]) => level !== absent)
      .map((level) => [place, ...level].join(' ')),
  );

/** How much of what each of these rows asks for no other one does. */
function askedOnlyBy(rows: readonly Levels[]): (levels: Levels) => number {
  const asking = groupBy(
    rows.flatMap((row) => [...new Set(asked(row))]),
    (each) => each,
  );
  const isOfOne = (each: string): boolean => asking.get(each)?.length === 1;
  return (levels) => (hasPlace(levels) ? asked(levels).filter(isOfOne).length : 0);
}

/** A second row of a caller that has one, where another could be had: more than a row can lose. */
const sameCaller = 1000;
/** A long prompt, which a model may refuse (8.4). */
const longPrompt = 100;

/** Rows that test the bound, streamed and not, of other callers: those asked for most, since no nonce is asked for there. */
function limitRows(rows: readonly Levels[]): readonly Levels[] {
  const chosen: Levels[] = [];
  const withBound = (stream: boolean): readonly Levels[] =>
    rows.filter((levels) => has({ levels }, 'limit') && isStreamed(levels) === stream);
  // First those of which there are few: the others leave a choice.
  const both = [withBound(false), withBound(true)].sort((one, other) => one.length - other.length);
  for (const bounded of both) {
    const left = rows.filter((levels) => !chosen.includes(levels));
    const alone = askedOnlyBy(left);
    const rank = (levels: Levels): number =>
      alone(levels) +
      (chosen.some(({ caller }) => caller === levels.caller) ? sameCaller : 0) +
      (has({ levels }, 'length') ? longPrompt : 0);
    const ranks = new Map(bounded.map((levels) => [levels, rank(levels)]));
    const [best] = [...bounded].sort((one, other) => (ranks.get(one) ?? 0) - (ranks.get(other) ?? 0));
    if (best) chosen.push(best);
  }
  return chosen;
}

type Placed = Omit<TextRow, 'number' | 'declined' | 'styles'>;

const needed = (place: Place, ...factors: readonly string[]): Placed => ({
  places: [place],
  levels: Object.fromEntries(factors.map((factor) => [factor, present])),
});

const twice = (place: Place, factor: string): readonly Placed[] => [
  needed(place, factor),
  needed(place, factor, 'stream'),
];
const ofTurns = [...twice('limit', 'limit'), ...twice('system', 'system'), ...twice('user', 'history')];

/** What the rows of a protocol must show, whatever the array is: a place, streamed and not. */
const neededRows: Readonly<Record<TextProtocol, readonly Placed[]>> = {
  responses: [...twice('system', 'instructions'), needed('element', 'list')],
  messages: ofTurns,
  chat: ofTurns,
};

/** The rows that an array leaves out and the places need. */
const missing = (protocol: TextProtocol, rows: readonly Placed[]): readonly Placed[] =>
  neededRows[protocol].filter(({ levels, places: [place = 'inline'] }) => {
    const isStream = isStreamed(levels);
    // A row that begins a conversation is needed, and not one that goes on in one: another may follow it.
    const begins = 'instructions' in levels && !isStream;
    const isShown = (row: Placed): boolean =>
      isAt(row, place) && isStreamed(row.levels) === isStream && !(begins && has(row, 'previous'));
    return !rows.some(isShown);
  });

function placed(protocol: TextProtocol, rows: readonly Levels[]): readonly Placed[] {
  const bounded = limitRows(rows);
  const own = rows.map(
    (levels): Placed => ({ levels, places: bounded.includes(levels) ? ['limit'] : placesOf(levels) }),
  );
  return [...own, ...missing(protocol, own)];
}

/** A chain has so many responses between the first and the last: more than the last two must be carried. */
const links = 2;

/** The level of the factor `caller` of the one that all responses of a chain have. */
const firstCaller = '0';

const weight = (levels: Levels): number => Object.keys(levels).filter((each) => has({ levels }, each)).length;

/**
 * A chain: each response follows the one before, none is a stream, for a stream shows no id, but the last, which has instructions and
 * asks for what the first was given. The first asks for nothing: a row without a place for a nonce is taken for it. Nor does
 * the one before the last: the last asks for what stands in its list, too, where it has none of its own.
 */
function asChain(rows: readonly Levels[]): readonly Placed[] {
  const isFollowing = (levels: Levels): boolean => has({ levels }, 'previous');
  const isLast = (levels: Levels): boolean =>
    isFollowing(levels) && isStreamed(levels) && has({ levels }, 'instructions');
  const [root] = rows
    .filter(
      (levels) =>
        !isFollowing(levels) &&
        !isStreamed(levels) &&
        !hasPlace(levels) &&
        !has({ levels }, 'scripts') &&
        (levels.caller ?? firstCaller) === firstCaller,
    )
    .sort((one, other) => weight(one) - weight(other));
  const last = rows.find(isLast) ?? { previous: present, stream: present, instructions: present };
  const following = rows.filter((levels) => isFollowing(levels) && levels !== last);
  const linked = following.filter((levels) => !isStreamed(levels));
  const free = linked.find((levels) => !hasPlace(levels)) ?? { previous: present };
  const others = linked.filter((levels) => levels !== free);
  const atLast = placesOf(last).filter((place) => place !== 'inline');
  const asksForElement = !has({ levels: last }, 'list');
  const added = Array.from({ length: Math.max(0, links - 1 - others.length) }, () => ({ previous: present }));
  const starting = rows.filter((levels) => !isFollowing(levels) && levels !== root);
  const between = [...starting, ...others, ...added, ...following.filter(isStreamed)];
  return [
    { levels: { ...root, caller: firstCaller }, places: ['root'] },
    ...placed('responses', between),
    asksForElement
      ? { levels: { ...free, list: present }, places: ['told-element'] }
      : { levels: free, places: placesOf(free) },
    { levels: last, places: [...atLast, ...(asksForElement ? (['element-before'] as const) : []), 'chain'] },
  ];
}

/** A chain has one caller, since ids may be of no use to another. */
export const unfolded = ({ caller = firstCaller, ...levels }: Levels): Levels =>
  caller === chained ? { ...levels, caller: firstCaller, previous: present } : { ...levels, caller };

/** Puts each value between bounds in a row without one and without a nonce; else in one that no bound is tested with. */
const withFractions = (protocol: TextProtocol, rows: readonly Placed[]): readonly Placed[] =>
  fractionLevels(protocol).reduce((made, { factor, level }) => {
    const without = made.filter((row) => !has(row, factor));
    const chosen =
      without.find((row) => isAt(row, 'inline')) ?? without.find((row) => !isAt(row, 'limit')) ?? without[0];
    return made.map((row) => (row === chosen ? { ...row, levels: { ...row.levels, [factor]: level } } : row));
  }, rows);

/** Asked for what a turn of its shape says, in place of its question, or of a turn of the assistant amid many. */
function askedInShape<Row extends Omit<TextRow, 'number' | 'declined'>>(row: Row): Row {
  const { places, styles: { shape } = {} } = row;
  if (shape === undefined) return row;
  return {
    ...row,
    places: [...places.filter((place) => place !== 'inline' && place !== 'assistant'), shape.place],
  };
}

/** The valid requests of a text protocol, for so many callers: a covering array, and what else the places of a nonce need. */
export function textRows(protocol: TextProtocol, callers: number, seed: number): readonly TextRow[] {
  const arrays = coveringArrays(textFactors(protocol, callers), seed).map((array) =>
    protocol === 'responses' ? asChain(array.map(unfolded)) : placed(protocol, array),
  );
  const shortest = arrays.reduce((one, other) => (other.length < one.length ? other : one));
  const rows = styled(protocol, withFractions(protocol, shortest), {
    seed,
    mayHaveShape: (row) => !isAt(row, 'limit'),
    mustBeTaken: (row) =>
      isAt(row, 'root') ||
      (has(row, 'previous') && !isAt(row, 'chain')) ||
      (isAt(row, 'limit') && !isStreamed(row.levels)),
  }).map(askedInShape);
  const unstreamed = rows.filter(({ levels }) => !isStreamed(levels));
  const declined = spreadLevels(
    unstreamed,
    // A chained request that leaves it out has no control but another that does.
    { levels: [true, false], mayHave: (row, isDeclined) => isDeclined || !has(row, 'previous') },
    (row) => [...featuresOf(row), ...row.places, ...Object.keys(row.styles)],
  );
  return rows.map((row, at) => ({ number: at + 1, declined: declined.get(row) === true, ...row }));
}
