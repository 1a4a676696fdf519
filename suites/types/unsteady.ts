import type { ReportRequirement } from './report.ts';

/** Whether a requirement failed in some runs and passed in others. */
export const isUnsteady = ({ runs }: Pick<ReportRequirement, 'runs'>): boolean =>
  runs !== undefined && runs.failed > 0 && runs.judged > runs.failed + runs.inconclusive;
