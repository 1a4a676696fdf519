import { oncePer } from '../../../spec/once.ts';
import { madeArrays } from './made-arrays.ts';

/**
 * The covering arrays of factors with so many levels (`shape`: numbers with blanks between them), one for each start. In dist/
 * the build puts a table of those of the interface in place of this module: making them takes longer than all else of a plan.
 */
export const arraysOfShape = oncePer(madeArrays);
