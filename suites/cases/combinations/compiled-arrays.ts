import type { ArrayOfPlaces } from './covering-array.ts';

/** Covering arrays by their shape. Replaced in dist/ by those that the endpoints need, made by the build. */
export const compiledArrays: Readonly<Record<string, readonly ArrayOfPlaces[]>> = {};
