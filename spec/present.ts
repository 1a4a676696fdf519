/** Those of some things that are there, where others are left out by a condition. */
export const present = <Of>(items: readonly (Of | null | undefined | false)[]): readonly Of[] =>
  items.filter((item): item is Of => item !== null && item !== undefined && item !== false);
