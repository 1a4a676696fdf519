import { isGatingLevel } from '../../spec/vocabulary.ts';
import type { ReportRequirement } from './report.ts';

/** True where an inconclusive requirement keeps the run from being conformant (contract "Exit codes"). */
export const isGating = ({ level, verdict, nonGating }: ReportRequirement): boolean =>
  verdict === 'inconclusive' && nonGating === undefined && isGatingLevel(level);
