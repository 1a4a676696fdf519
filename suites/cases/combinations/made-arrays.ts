import { createRequire } from 'node:module';

/** An array as numbers: of each row, for each factor, the place of its level from 0. */
export type ArrayOfPlaces = readonly (readonly number[])[];

/** The length of an array differs with what the generator begins with: of these, one is short for each endpoint. */
const starts = ['s242', 's568', 's100', 's447'];

/** Levels of a factor that the generator is given, whose time grows with their third power; each further one has rows of its own. */
const mostGenerated = 16;

/** Rows in which a level of one factor stands beside every level of each other one. */
function rowsOf(counts: readonly number[], factor: number, level: number): ArrayOfPlaces {
  const most = Math.max(1, ...counts.filter((_, at) => at !== factor));
  return Array.from({ length: most }, (_, row) =>
    counts.map((count, at) => (at === factor ? level : (row + level) % count)),
  );
}

/** Makes the covering arrays of factors with so many levels, one array for each start. The generator is loaded here. */
export function madeArrays(shape: string): readonly ArrayOfPlaces[] {
  const { make } = createRequire(import.meta.url)('covertable') as typeof import('covertable');
  const counts = shape.split(' ').map(Number);
  const places = counts.map((count) =>
    Array.from({ length: Math.min(count, mostGenerated) }, (_, place) => place),
  );
  const further = counts.flatMap((count, factor) =>
    Array.from({ length: Math.max(0, count - mostGenerated) }, (_, at) =>
      rowsOf(counts, factor, mostGenerated + at),
    ).flat(),
  );
  return starts.map((seed) => [...make(places, { seed }), ...further]);
}
