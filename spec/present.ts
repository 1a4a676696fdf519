/** Those of some things that are there, where others are left out by a condition. */
export const present = <Of>(items: readonly (Of | null | undefined | false)[]): readonly Of[] =>
  items.filter((item): item is Of => item !== null && item !== undefined && item !== false);

type Given<Of> = { [Name in keyof Of as undefined extends Of[Name] ? never : Name]: Of[Name] } & {
  [Name in keyof Of as undefined extends Of[Name] ? Name : never]?: Exclude<Of[Name], undefined>;
};

/** An object without its members that are undefined. */
export const given = <Of extends object>(members: Of): Given<Of> =>
  Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined)) as Given<Of>;
