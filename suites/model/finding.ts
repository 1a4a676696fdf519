import type { ReportFinding, ReportObservation } from './report.ts';

/** What a check says: a requirement was kept, or what was found instead. */
export type Finding = { readonly requirement: string; readonly verdict: 'pass' } | ReportFinding;

/** All that a check says of its case. A check that says nothing has not run. */
export interface Judgement {
  readonly findings: readonly Finding[];
  readonly observations?: readonly Omit<ReportObservation, 'id' | 'exchanges'>[];
  /** Which reading of a conflict the target follows. */
  readonly follows?: 'A' | 'B' | 'neither' | 'unknown';
  /** The exchange that a reproduce command repeats; the first one read where it is left out. */
  readonly shows?: string;
}
