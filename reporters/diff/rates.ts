import { chanceOfDifference } from '../../suites/facts/exact-test.ts';
import type { ReportRequirement } from '../../suites/types/report.ts';

/** `register`: the statement itself is another one, so that the verdicts are of two things. */
export type ChangeKind = 'regression' | 'improvement' | 'other' | 'register';

/** How improbable a difference must be before it is told from chance, in all rows together. */
const significance = 0.05;

/** `not-passed`: failed, or could not be decided. */
type Counted = 'failed' | 'not-passed';

/** In how many runs a requirement failed, or did not pass; a report of one run has one. */
function countsOf({ verdict, runs }: ReportRequirement, counted: Counted) {
  const isOfFailures = counted === 'failed';
  if (runs !== undefined)
    return { times: runs.failed + (isOfFailures ? 0 : runs.inconclusive), judged: runs.judged };
  if (verdict !== 'pass' && verdict !== 'fail' && verdict !== 'inconclusive') return undefined;
  const isCounted = isOfFailures ? verdict === 'fail' : verdict !== 'pass';
  return { times: isCounted ? 1 : 0, judged: 1 };
}

type RunCounts = NonNullable<ReturnType<typeof countsOf>>;

const rateOf = ({ times, judged }: RunCounts): number => times / judged;

/** How often something was so before and after, and the chance of that; undefined where one side did not judge it. */
function compared(before: ReportRequirement, after: ReportRequirement, counted: Counted) {
  const [one, other] = [countsOf(before, counted), countsOf(after, counted)];
  if (one === undefined || other === undefined) return undefined;
  const [low, high] = rateOf(other) > rateOf(one) ? [one, other] : [other, one];
  // That so many of the hits, or more, are among the high ones where both are alike.
  const shares = ({ times: seen, judged: of }: RunCounts) => ({ seen, of });
  return { before: one, after: other, low, high, chance: chanceOfDifference(shares(high), shares(low)) };
}

type Compared = NonNullable<ReturnType<typeof compared>>;

/** The chances of a pair of rows. Where no run failed, or all did, no difference can be seen, and none is looked for. */
function chancesIn(before: ReportRequirement, after: ReportRequirement): readonly number[] {
  const isMixed = ({ before: { times, judged }, after: other }: Compared): boolean =>
    times + other.times > 0 && times + other.times < judged + other.judged;
  const [failed, open] = [compared(before, after, 'failed'), compared(before, after, 'not-passed')];
  const isSame = failed?.before.times === open?.before.times && failed?.after.times === open?.after.times;
  return [failed, isSame ? undefined : open].flatMap((each) => (each && isMixed(each) ? [each.chance] : []));
}

/** The greatest chance at which a difference is none, by Holm’s step-down procedure: one row in many differs by chance. */
export function rateLevel(
  pairs: readonly (readonly [before: ReportRequirement, after: ReportRequirement])[],
) {
  const chances = pairs.flatMap((pair) => chancesIn(...pair)).sort((one, other) => one - other);
  const { length: comparisons } = chances;
  const kept = chances.findIndex((chance, at) => chance > significance / (comparisons - at));
  return { most: (kept < 0 ? chances.at(-1) : chances[kept - 1]) ?? 0, comparisons };
}
export type RateLevel = ReturnType<typeof rateLevel>;

/** How a rate changed; undefined where it is the same. From never to always is more than chance, however few the runs. */
export function rateChange(
  before: ReportRequirement,
  after: ReportRequirement,
  { counted, level }: { readonly counted: Counted; readonly level: RateLevel },
) {
  const found = compared(before, after, counted);
  if (found === undefined || rateOf(found.before) === rateOf(found.after)) return undefined;
  const { low, high, chance } = found;
  const isAll = low.times === 0 && high.times === high.judged;
  const isSignificant = isAll || chance <= level.most;
  const kind: ChangeKind = high === found.after ? 'regression' : 'improvement';
  return {
    kind: isSignificant ? kind : 'other',
    rates: {
      counted,
      before: found.before,
      after: found.after,
      /** How probable so great a difference is where nothing changed, from 0 to 1. */
      chance: Number(chance.toPrecision(3)),
      /** How many rates were compared. */
      comparisons: level.comparisons,
      /** Whether it is more than chance: at most 0.05 for any of all rates compared (Holm), or from never to always. */
      isSignificant,
    },
  } as const;
}
export type RateChange = NonNullable<ReturnType<typeof rateChange>>['rates'];
