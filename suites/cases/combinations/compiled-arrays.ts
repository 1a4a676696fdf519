import { oncePer } from '../../../spec/once.ts';
import { madeArrays } from './made-arrays.ts';

/**
 * The covering arrays of factors with so many levels, one array for each start. In dist/ the build puts a table of the
 * arrays of the interface in the place of this module: making them takes longer than all else that a plan needs.
 * @param shape the numbers of levels, with blanks between them
 */
export const arraysOfShape = oncePer(madeArrays);
