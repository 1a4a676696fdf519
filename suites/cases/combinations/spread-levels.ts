/** What is known of a row when a level of another factor is chosen for it. */
type FeaturesOf<Row> = (row: Row) => readonly string[];

/** A factor that no row of the array has: any level of it may stand in any row that allows it. */
interface FreeFactor<Row, Level> {
  /** Where several add as much, the first one is taken. */
  readonly levels: readonly Level[];
  readonly mayHave?: (row: Row, level: Level) => boolean;
}

/**
 * Gives each row a level of a further factor, so that each level stands beside as much as can be of what rows have. The
 * row and the level that add most come first. A row that may have none of the levels gets none.
 */
export function spreadLevels<Row, Level>(
  rows: readonly Row[],
  { levels, mayHave = () => true }: FreeFactor<Row, Level>,
  featuresOf: FeaturesOf<Row>,
): ReadonlyMap<Row, Level> {
  const given = new Map<Row, Level>();
  const seen = new Map(levels.map((level) => [level, new Set<string>()]));
  const choices = rows.flatMap((row) => {
    const features = featuresOf(row);
    return levels.filter((level) => mayHave(row, level)).map((level) => ({ row, level, features }));
  });
  const gain = ({ level, features }: (typeof choices)[number]): number =>
    features.filter((feature) => !seen.get(level)?.has(feature)).length;
  for (let left = choices; left.length > 0; left = left.filter(({ row }) => !given.has(row))) {
    const best = left.reduce((one, other) => (gain(other) > gain(one) ? other : one));
    given.set(best.row, best.level);
    for (const feature of best.features) seen.get(best.level)?.add(feature);
  }
  return given;
}
