import { isGatingLevel } from '../../spec/vocabulary.ts';
import type { ReportRequirement } from './report.ts';

/** Whether a requirement can fail: it is stated or derived, and counts already. */
export const canFail = ({ level, provisional }: Pick<ReportRequirement, 'level' | 'provisional'>): boolean =>
  isGatingLevel(level) && provisional === undefined;

/** True where an inconclusive requirement keeps the run from being conformant (contract "Exit codes"). */
export const isGating = (row: ReportRequirement): boolean =>
  row.verdict === 'inconclusive' && row.nonGating === undefined && canFail(row);

/** Whether a requirement failed in some runs and passed in others. */
export const isUnsteady = ({ runs }: Pick<ReportRequirement, 'runs'>): boolean =>
  runs !== undefined && runs.failed > 0 && runs.judged > runs.failed + runs.inconclusive;
