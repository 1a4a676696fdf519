import covertable from 'covertable';
import { oncePer } from '../../../spec/once.ts';

/** Levels by factor; the first of each is its absence. */
export type Factors = Readonly<Record<string, readonly string[]>>;

/** A level of each factor. */
export type Levels = Readonly<Record<string, string>>;

/** The length of an array differs with what the generator begins with: of these, one is short for each endpoint. */
const starts = ['s242', 's568', 's100', 's447'];

/** The levels with those that are not absence in another order. */
function rotated([first, ...others]: readonly string[], by: number): string[] {
  const from = others.length === 0 ? 0 : by % others.length;
  return [...(first === undefined ? [] : [first]), ...others.slice(from), ...others.slice(0, from)];
}

/**
 * Covering arrays of strength two: each pair of levels of two factors stands in at least one row. The same seed gives
 * the same arrays.
 */
export function coveringArrays(factors: Factors, seed: number): readonly (readonly Levels[])[] {
  const entries = Object.entries(factors);
  const levels = Object.fromEntries(entries.map(([name, each]) => [name, rotated(each, seed)]));
  return arraysOf(JSON.stringify(levels));
}

/** Of levels as JSON: kept, since several plans of a process have the same, and there are only so many rotations. */
const arraysOf = oncePer((json: string): readonly (readonly Levels[])[] => {
  const levels: Record<string, string[]> = JSON.parse(json);
  return starts.map((start): readonly Levels[] => covertable.make(levels, { seed: start }));
});
