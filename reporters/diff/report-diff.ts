import type { ReportedDepth } from '../../suites/types/profile.ts';
import type {
  Report,
  ReportCell,
  ReportConflict,
  ReportObservation,
  ReportRequirement,
  Verdict,
} from '../../suites/types/report.ts';
import type { Latency } from './latency.ts';

/** One of the two reports, as far as it is named. */
export interface Side {
  readonly target: Report['target'];
  readonly suite: Report['suite'];
  readonly run: Pick<Report['run'], 'id' | 'startedAt' | 'partial'>;
  readonly depth: ReportedDepth;
  readonly verdict: Report['verdict'];
}

/** `register`: the statement itself is another one, so that the verdicts are of two things. */
export type ChangeKind = 'regression' | 'improvement' | 'other' | 'register';

/** What names a requirement. */
export type RequirementSummary = Pick<
  ReportRequirement,
  'id' | 'sections' | 'level' | 'impact' | 'statement'
>;

/** In how many of the runs that judged it something was so. */
export interface RunCounts {
  readonly times: number;
  readonly judged: number;
}

/** How often a requirement failed, or did not pass, where one of the reports is of several runs. */
export interface RateChange {
  /** `not-passed`: failed, or could not be decided. */
  readonly counted: 'failed' | 'not-passed';
  readonly before: RunCounts;
  readonly after: RunCounts;
  /** How probable so great a difference is where nothing changed, from 0 to 1. */
  readonly chance: number;
  /** How many rates were compared. */
  readonly comparisons: number;
  /** Whether it is more than chance: at most 0.05 for any of all rates compared (Holm), or from never to always. */
  readonly isSignificant: boolean;
}

/** A requirement whose verdict changed, or how often it failed, or whose statement did. */
export interface VerdictChange extends RequirementSummary {
  readonly kind: ChangeKind;
  readonly before: Verdict;
  readonly after: Verdict;
  readonly rates?: RateChange;
  /** In what the statement is another one, in words; absent where it is the same. */
  readonly register?: readonly string[];
  /** What the later report says of it. */
  readonly reason?: string;
}

/** A requirement that only one of the reports has: the register of the suite changed. */
export interface OneSided extends RequirementSummary {
  readonly verdict: Verdict;
}

export type ObservedValue = Pick<ReportObservation, 'id' | 'section' | 'subject' | 'value'>;

export interface CellChange
  extends Pick<ReportCell, 'family' | 'protocol' | 'group' | 'stream' | 'model' | 'expectation'> {
  readonly before: ReportCell['observed'];
  readonly after: ReportCell['observed'];
}

export interface ReportDiff {
  readonly before: Side;
  readonly after: Side;
  /** Not judged by the same requirements, OpenAPI document or version. */
  readonly suiteChanged: boolean;
  /** What was declared, selected or asked by the profile differs: a verdict may be missing because it was out of scope. */
  readonly scopeChanged: boolean;
  /** Regressions, improvements, the rest, changed statements; within each by impact and level, else as in the later report. */
  readonly changes: readonly VerdictChange[];
  readonly appeared: readonly OneSided[];
  readonly vanished: readonly OneSided[];
  readonly drift: {
    readonly changed: readonly (Omit<ObservedValue, 'value'> &
      Readonly<Record<'before' | 'after', string>>)[];
    readonly appeared: readonly ObservedValue[];
    readonly vanished: readonly ObservedValue[];
  };
  readonly conflicts: readonly {
    readonly id: string;
    readonly before: ReportConflict['follows'];
    readonly after: ReportConflict['follows'];
  }[];
  readonly cells: readonly CellChange[];
  /** Protocols whose latency is of another class; reported, never a regression. */
  readonly latency: readonly Latency[];
  readonly regressed: boolean;
  readonly same: boolean;
}
