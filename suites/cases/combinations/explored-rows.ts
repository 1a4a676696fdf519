import { createHash } from 'node:crypto';
import { type TextProtocol, textProtocols } from '../../../spec/vocabulary.ts';
import type { RequestBuilder } from '../builder/request-builder.ts';
import { everyCombination, type Levels } from './covering-array.ts';
import { type PlannedRow, type PlannedRows, planRow } from './row-requests.ts';
import { textFactors } from './text-factors.ts';
import { has, isAt, placesOf, unfolded } from './text-rows.ts';

/** Of so many combinations every second one is valid, from the first; the others are wrong in one thing. */
export const validOf = (combinations: number): number => Math.ceil(combinations / 2);

/** A choice that only the seed and what is chosen for tell. */
export const drawn = (seed: number, what: string): string =>
  createHash('sha256').update(`${seed} ${what}`).digest('hex');

/** The most nonces that a valid combination takes: three places, each asked for three times and with a control. */
const mostNonces = 12;

export const exploredNonces = (combinations: number): number => mostNonces * validOf(combinations);

/** The same for rows that ask for the same: what is absent is left out, and the first caller is. */
const keyOf = (levels: Levels): string =>
  JSON.stringify(
    Object.entries(levels)
      .filter(([name, level]) => has({ levels }, name) && !(name === 'caller' && level === '0'))
      .sort(([one], [other]) => (one < other ? -1 : 1)),
  );

/** Whether a combination has anything that is stated to be accepted: who calls and how long a prompt is are not. */
const isJudged = (levels: Levels): boolean =>
  Object.keys(levels).some((name) => name !== 'caller' && name !== 'length' && has({ levels }, name));

/** The combinations that the covering array lacks, in the order that the seed gives them. */
function furtherLevels(builder: RequestBuilder, protocol: TextProtocol, rows: readonly PlannedRow[]) {
  const known = new Set(rows.map(({ levels }) => keyOf(levels)));
  const factors = Object.entries(textFactors(protocol, builder.callers(protocol).length));
  const every = everyCombination(factors).map((levels) =>
    protocol === 'responses' ? unfolded(levels) : levels,
  );
  const order = (levels: Levels): string => drawn(builder.seed, `${protocol} ${keyOf(levels)}`);
  const further = every.filter((levels) => !known.has(keyOf(levels)) && isJudged(levels));
  const places = new Map(further.map((levels) => [levels, order(levels)]));
  return further.toSorted((one, other) => ((places.get(one) ?? '') < (places.get(other) ?? '') ? -1 : 1));
}

/** Plans the random combinations of a text protocol behind its covering array; where all are drawn, it begins again. */
export function planExplored(builder: RequestBuilder, protocol: TextProtocol, { rows, inline }: PlannedRows) {
  // How many valid combinations of a protocol are explored: the protocols take turns.
  const asked = textProtocols.filter((each) => builder.callers(each).length > 0);
  const turn = asked.indexOf(protocol);
  const valid = validOf(builder.depth.explore ?? 0);
  const share = turn < 0 ? 0 : Math.ceil(Math.max(0, valid - turn) / asked.length);
  if (share === 0) return [];
  const levels = furtherLevels(builder, protocol, rows);
  const previous = rows.find((row) => isAt(row, 'root'))?.id;
  return Array.from({ length: share }, (_, at) => {
    const each = levels[at % levels.length] ?? {};
    const row = { levels: each, declined: at % 2 === 0, places: placesOf(each) };
    const number = rows.length + at + 1;
    return planRow({ builder, protocol, previous }, { number, ...row }, { inline, earlier: {} });
  });
}
