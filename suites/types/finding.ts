import type { FailureReason, InconclusiveReason, UntestedReason } from './reasons/index.ts';
import type { ShownByReplies } from './separation.ts';
import type { NonGating, ReportConflict, ReportObservation } from './report.ts';

/** What is seen of a requirement that is not kept, and why that breaks it. */
export interface Failure extends ShownByReplies {
  readonly verdict: 'fail';
  readonly reason: FailureReason;
  readonly actual: string;
  /** A JSON Pointer, or `event N` with a pointer behind it for a stream. */
  readonly pointer?: string;
  readonly exchange?: string;
}

export interface AskedText {
  readonly exchange: string;
  readonly isSaid: boolean;
}

/** A reason that a requirement is not found kept, with what was seen. */
export type OutcomeWithReason =
  | Failure
  | {
      readonly verdict: 'inconclusive';
      readonly reason: InconclusiveReason;
      readonly actual?: string;
      readonly exchange?: string;
      /** Where it depends on the model or on timing, which does not gate. */
      readonly nonGating?: NonGating;
      /** Where it depends on the model: what that was asked to say. */
      readonly asked?: readonly AskedText[];
    }
  | { readonly verdict: 'untested'; readonly reason: UntestedReason };

/** What a check says of one requirement; a pass may name the exchange that shows it. */
export type Outcome = { readonly verdict: 'pass'; readonly exchange?: string } | OutcomeWithReason;

/** What a finding is about: a requirement, and the model where that is not the first of its family. */
interface Subject {
  readonly requirement: string;
  readonly model?: string;
}

export type FindingWithReason = Subject & OutcomeWithReason;
export type Finding = Subject & Outcome;

/** All that a check says of its case. A check that says nothing has not run. */
export interface Judgement {
  readonly findings: readonly Finding[];
  readonly observations?: readonly Omit<ReportObservation, 'id' | 'section' | 'exchanges'>[];
  readonly follows?: ReportConflict['follows'];
  /** The exchange that a reproduce command repeats; the first one read where it is left out. */
  readonly shows?: string;
}

/** Where a pointer leads: into an event of a stream, as `event 3 /choices/0`, or into a whole document. */
export type EventPointer = ReturnType<typeof readPointer>;

export function readPointer(pointer: string) {
  const event = /^event (\d+)\s*(.*)$/s.exec(pointer);
  return event ? { event: Number(event[1]), pointer: event[2] ?? '' } : { event: null, pointer };
}
