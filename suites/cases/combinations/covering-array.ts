import { arraysOfShape } from './compiled-arrays.ts';

/** Levels by factor; the first of each is its absence. */
export type Factors = Readonly<Record<string, readonly string[]>>;

export type Levels = Readonly<Record<string, string>>;

export const everyCombination = <Value>(
  values: readonly (readonly [name: string, values: readonly Value[]])[],
): readonly Readonly<Record<string, Value>>[] =>
  values.reduce<readonly Readonly<Record<string, Value>>[]>(
    (made, [name, each]) => made.flatMap((row) => each.map((value) => ({ ...row, [name]: value }))),
    [{}],
  );

/** The levels with those that are not absence in another order. */
function rotated([first, ...others]: readonly string[], by: number): readonly string[] {
  const from = others.length === 0 ? 0 : by % others.length;
  return [...(first === undefined ? [] : [first]), ...others.slice(from), ...others.slice(0, from)];
}

/** How many levels each factor has: arrays depend on nothing else. */
export const shapeOf = (factors: Factors): string =>
  Object.values(factors)
    .map(({ length }) => length)
    .join(' ');

/** Covering arrays of strength two: each pair of levels of two factors stands in a row; always the same for a seed. */
export function coveringArrays(factors: Factors, seed: number): readonly (readonly Levels[])[] {
  const levels = Object.entries(factors).map(([name, each]) => ({ name, each: rotated(each, seed) }));
  const rowOf = (places: readonly number[]): Levels =>
    Object.fromEntries(levels.map(({ name, each }, at) => [name, each[places[at] ?? 0] ?? '']));
  return arraysOfShape(shapeOf(factors)).map((array) => array.map(rowOf));
}
