import type { FailureReason, InconclusiveReason, UntestedReason } from './reasons/index.ts';
import type { NonGating, ReportObservation } from './report.ts';

/** What is seen of a requirement that is not kept, and why that breaks it. */
export interface Failure {
  readonly reason: FailureReason;
  /** What was seen: an excerpt or a description. */
  readonly actual: string;
  /** A JSON Pointer, or `event N` with a pointer behind it for a stream. */
  readonly pointer?: string;
  /** The exchange that shows it. */
  readonly exchange?: string;
}

/** A requirement that is not found kept, with the reason. */
export type FindingWithReason = { readonly requirement: string } & (
  | ({ readonly verdict: 'fail' } & Failure)
  | {
      readonly verdict: 'inconclusive';
      readonly reason: InconclusiveReason;
      readonly actual?: string;
      readonly nonGating?: NonGating;
    }
  | { readonly verdict: 'untested'; readonly reason: UntestedReason }
);

/** What a check says: a requirement was kept, or what was found instead. */
export type Finding = { readonly requirement: string; readonly verdict: 'pass' } | FindingWithReason;

/** All that a check says of its case. A check that says nothing has not run. */
export interface Judgement {
  readonly findings: readonly Finding[];
  readonly observations?: readonly Omit<ReportObservation, 'id' | 'exchanges'>[];
  /** Which reading of a conflict the target follows. */
  readonly follows?: 'A' | 'B' | 'neither' | 'unknown';
  /** The exchange that a reproduce command repeats; the first one read where it is left out. */
  readonly shows?: string;
}
