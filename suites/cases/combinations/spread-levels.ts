/** A factor that no row of the array has: any level of it may stand in any row that allows it. */
interface FreeFactor<Row, Level> {
  /** Where several add as much, the first one is taken. */
  readonly levels: readonly Level[];
  readonly mayHave?: (row: Row, level: Level) => boolean;
}

function pairsShown() {
  const counts = new Map<string, number>();
  const pair = (level: unknown, feature: string): string => `${String(level)} ${feature}`;
  return {
    add: (level: unknown, features: readonly string[], by: 1 | -1): void => {
      for (const key of features.map((feature) => pair(level, feature)))
        counts.set(key, (counts.get(key) ?? 0) + by);
    },
    /** How many more pairs are shown where a row has another level than its own. */
    gain: (own: unknown, other: unknown, features: readonly string[]): number => {
      if (String(own) === String(other)) return 0;
      const shows = (level: unknown, times: number): number =>
        features.filter((feature) => (counts.get(pair(level, feature)) ?? 0) === times).length;
      return shows(other, 0) - shows(own, 1);
    },
  };
}

/** Spreads the levels of a further factor over rows: in turn, and then changed as long as more pairs show. A row may be allowed none. */
export function spreadLevels<Row, Level>(
  rows: readonly Row[],
  { levels, mayHave = () => true }: FreeFactor<Row, Level>,
  featuresOf: (row: Row) => readonly string[],
): ReadonlyMap<Row, Level> {
  const choices = rows.map((row) => ({ row, allowed: levels.filter((level) => mayHave(row, level)) }));
  const others = choices.flatMap(({ row, allowed }) => allowed.map((level) => [row, level] as const));
  const given = new Map<Row, Level>(
    choices.flatMap(({ row, allowed }, at) =>
      allowed
        .slice(at % allowed.length)
        .slice(0, 1)
        .map((level) => [row, level] as const),
    ),
  );
  const features = new Map(rows.map((row) => [row, [...new Set(featuresOf(row))]]));
  const of = (row: Row): readonly string[] => features.get(row) ?? [];
  const shown = pairsShown();
  for (const [row, level] of given) shown.add(level, of(row), 1);
  const better = () => others.find(([row, level]) => shown.gain(given.get(row), level, of(row)) > 0);
  for (let found = better(); found !== undefined; found = better()) {
    const [row, level] = found;
    shown.add(given.get(row), of(row), -1);
    shown.add(level, of(row), 1);
    given.set(row, level);
  }
  return given;
}
