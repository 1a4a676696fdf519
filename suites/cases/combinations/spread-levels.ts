/** What is known of a row when a level of another factor is chosen for it. */
type FeaturesOf<Row> = (row: Row) => readonly string[];

/** A factor that no row of the array has: any level of it may stand in any row that allows it. */
interface FreeFactor<Row, Level> {
  /** Where several add as much, the first one is taken. */
  readonly levels: readonly Level[];
  readonly mayHave?: (row: Row, level: Level) => boolean;
}

/** How many levels stand beside how many features, each pair counted once. */
const shownBy = <Row, Level>(given: ReadonlyMap<Row, Level>, featuresOf: FeaturesOf<Row>): number =>
  new Set(
    [...given].flatMap(([row, level]) => featuresOf(row).map((feature) => `${String(level)} ${feature}`)),
  ).size;

/**
 * Gives each row a level of a further factor, so that each level stands beside as much as can be of what rows have: they
 * take turns, and then a row gets another one as long as that shows more. A row that may have none gets none.
 */
export function spreadLevels<Row, Level>(
  rows: readonly Row[],
  { levels, mayHave = () => true }: FreeFactor<Row, Level>,
  featuresOf: FeaturesOf<Row>,
): ReadonlyMap<Row, Level> {
  const choices = rows.map((row) => ({ row, allowed: levels.filter((level) => mayHave(row, level)) }));
  const others = choices.flatMap(({ row, allowed }) => allowed.map((level) => [row, level] as const));
  let given: ReadonlyMap<Row, Level> = new Map(
    choices.flatMap(({ row, allowed }, at) =>
      allowed
        .slice(at % allowed.length)
        .slice(0, 1)
        .map((level) => [row, level] as const),
    ),
  );
  for (let isBetter = true; isBetter; ) {
    const best = shownBy(given, featuresOf);
    const tried = others.map((other) => new Map([...given, other]));
    const found = tried.find((other) => shownBy(other, featuresOf) > best);
    given = found ?? given;
    isBetter = found !== undefined;
  }
  return given;
}
