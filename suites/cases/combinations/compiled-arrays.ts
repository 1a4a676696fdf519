import covertable from 'covertable';
import { oncePer } from '../../../spec/once.ts';

/** An array as numbers: of each row, for each factor, the place of its level from 0. */
type ArrayOfPlaces = readonly (readonly number[])[];

/** The length of an array differs with what the generator begins with: of these, one is short for each endpoint. */
const starts = ['s242', 's568', 's100', 's447'];

/**
 * The covering arrays of factors with so many levels, one array for each start. In dist/ the build puts a table of the
 * arrays that can be asked for in the place of this module: making them takes longer than all else that a plan needs.
 * @param shape the numbers of levels, with blanks between them
 */
export const arraysOfShape = oncePer((shape: string): readonly ArrayOfPlaces[] => {
  const places = shape.split(' ').map((count) => Array.from({ length: Number(count) }, (_, place) => place));
  return starts.map((seed) => covertable.make(places, { seed }));
});
