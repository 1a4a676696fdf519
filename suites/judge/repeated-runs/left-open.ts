import { decisions } from '../../../spec/decisions.ts';
import { chanceOf, levelOf } from '../../facts/exact-test.ts';
import { canFail } from '../../types/gating.ts';
import type { AskedAgain } from '../../types/profile.ts';
import type { ReportRequirement, RequirementRuns } from '../../types/report.ts';

/** What of some rows failed, or is undecided in a way that gates. */
export const leftOpen = (rows: readonly ReportRequirement[]): AskedAgain['requirements'] =>
  rows.flatMap(({ id, verdict, nonGating }) =>
    verdict === 'fail' || (verdict === 'inconclusive' && nonGating === undefined) ? [{ id, verdict }] : [],
  );

/** Whether another run can tell no more: one decided what others could not, or passing faults do not explain so many. */
function isDecided(runs: RequirementRuns | undefined, level: number): boolean {
  if (runs === undefined) return false;
  const { judged: of, failed, inconclusive } = runs;
  const seen = failed + inconclusive;
  return (failed === 0 && seen < of) || chanceOf({ seen, of }, decisions.lawfulOutages) <= level;
}

/** What the next of several runs asks again, of the rows that those before it came to; empty where all is decided. */
export function leftToAsk(rows: readonly ReportRequirement[]): AskedAgain['requirements'] {
  const tests = rows.filter((row) => canFail(row) && row.verdict !== 'untested').length;
  const level = levelOf(tests, 1);
  return leftOpen(rows.filter(({ runs }) => !isDecided(runs, level)));
}
