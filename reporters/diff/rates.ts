import type { ReportRequirement } from '../../suites/types/report.ts';
import type { ChangeKind, RateChange, RunCounts } from './report-diff.ts';

/** How improbable a difference must be before it is told from chance. */
const significance = 0.05;

/** Logarithms of factorials up to a number. */
function logFactorials(most: number): readonly number[] {
  const logs = [0];
  for (let number = 1; number <= most; number += 1) logs.push((logs[number - 1] ?? 0) + Math.log(number));
  return logs;
}

/**
 * Fisher's exact test, one-sided: how probable it is that so many of the hits, or more, are among the later ones where
 * both are alike.
 */
export function fisher(before: RunCounts, after: RunCounts): number {
  const all = before.judged + after.judged;
  const hits = before.times + after.times;
  const logs = logFactorials(all);
  const choose = (of: number, some: number): number =>
    (logs[of] ?? 0) - (logs[some] ?? 0) - (logs[of - some] ?? 0);
  let sum = 0;
  for (let times = after.times; times <= Math.min(after.judged, hits); times += 1)
    if (hits - times <= before.judged)
      sum += Math.exp(choose(after.judged, times) + choose(before.judged, hits - times) - choose(all, hits));
  return Math.min(1, sum);
}

/** What is counted in both reports. */
type Counted = RateChange['counted'];

/** In how many runs a requirement failed, or did not pass; a report of one run has one. */
function countsOf({ verdict, runs }: ReportRequirement, counted: Counted): RunCounts | undefined {
  const isOfFailures = counted === 'failed';
  if (runs !== undefined)
    return { times: runs.failed + (isOfFailures ? 0 : runs.inconclusive), judged: runs.judged };
  if (verdict !== 'pass' && verdict !== 'fail' && verdict !== 'inconclusive') return undefined;
  const isCounted = isOfFailures ? verdict === 'fail' : verdict !== 'pass';
  return { times: isCounted ? 1 : 0, judged: 1 };
}

/**
 * Whether a rate is another by more than chance. From never to always is, however few the runs: so it is with one run
 * on each side, too.
 */
function isHigher(before: RunCounts, after: RunCounts): boolean {
  const isAll = before.times === 0 && after.times === after.judged;
  return isAll || fisher(before, after) <= significance;
}

const rateOf = ({ times, judged }: RunCounts): number => times / judged;

/** How a rate changed, and whether by more than chance; undefined where it is the same. */
export function rateChange(
  before: ReportRequirement,
  after: ReportRequirement,
  counted: Counted,
): { readonly kind: ChangeKind; readonly rates: RateChange } | undefined {
  const [one, other] = [countsOf(before, counted), countsOf(after, counted)];
  if (one === undefined || other === undefined || rateOf(one) === rateOf(other)) return undefined;
  const isWorse = rateOf(other) > rateOf(one);
  const [low, high] = isWorse ? [one, other] : [other, one];
  const isSignificant = isHigher(low, high);
  return {
    kind: isSignificant ? (isWorse ? 'regression' : 'improvement') : 'other',
    rates: {
      counted,
      before: one,
      after: other,
      chance: Number(fisher(low, high).toPrecision(3)),
      isSignificant,
    },
  };
}
