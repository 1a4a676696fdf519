import covertable from 'covertable';
import { oncePer } from '../../../spec/once.ts';
import { compiledArrays } from './compiled-arrays.ts';

/** Levels by factor; the first of each is its absence. */
export type Factors = Readonly<Record<string, readonly string[]>>;

/** A level of each factor. */
export type Levels = Readonly<Record<string, string>>;

/** An array as numbers: of each row, for each factor, the place of its level from 0. */
export type ArrayOfPlaces = readonly (readonly number[])[];

/** The length of an array differs with what the generator begins with: of these, one is short for each endpoint. */
const starts = ['s242', 's568', 's100', 's447'];

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

/** The arrays of a shape, one for each start. */
export const arraysOfShape = (shape: string): readonly ArrayOfPlaces[] => {
  const places = shape.split(' ').map((count) => Array.from({ length: Number(count) }, (_, place) => place));
  return starts.map((seed) => covertable.make(places, { seed }));
};

/** Making them takes a tenth of a second of each command. */
const knownArrays = oncePer(
  (shape: string): readonly ArrayOfPlaces[] => compiledArrays[shape] ?? arraysOfShape(shape),
);

/**
 * Covering arrays of strength two: each pair of levels of two factors stands in at least one row. The same seed gives
 * the same arrays.
 */
export function coveringArrays(factors: Factors, seed: number): readonly (readonly Levels[])[] {
  const levels = Object.entries(factors).map(([name, each]) => ({ name, each: rotated(each, seed) }));
  const rowOf = (places: readonly number[]): Levels =>
    Object.fromEntries(levels.map(({ name, each }, at) => [name, each[places[at] ?? 0] ?? '']));
  return knownArrays(shapeOf(factors)).map((array) => array.map(rowOf));
}
