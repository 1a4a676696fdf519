import { createRequire } from 'node:module';

/** An array as numbers: of each row, for each factor, the place of its level from 0. */
export type ArrayOfPlaces = readonly (readonly number[])[];

/** The length of an array differs with what the generator begins with: of these, one is short for each endpoint. */
const starts = ['s242', 's568', 's100', 's447'];

/** Makes the covering arrays of factors with so many levels, one array for each start. The generator is loaded here. */
export function madeArrays(shape: string): readonly ArrayOfPlaces[] {
  const { make } = createRequire(import.meta.url)('covertable') as typeof import('covertable');
  const places = shape.split(' ').map((count) => Array.from({ length: Number(count) }, (_, place) => place));
  return starts.map((seed) => make(places, { seed }));
}
