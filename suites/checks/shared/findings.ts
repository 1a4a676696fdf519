import type { Failure, Finding, FindingWithReason, Judgement } from '../../model/finding.ts';
import type { InconclusiveReason, UntestedReason } from '../../model/reasons/index.ts';
import type { NonGating } from '../../model/report.ts';

export const pass = (requirement: string): Finding => ({ requirement, verdict: 'pass' });

export const fail = (requirement: string, failure: Failure): FindingWithReason => ({
  requirement,
  verdict: 'fail',
  ...failure,
});

/** What an inconclusive finding has besides its reason. */
interface Seen {
  readonly actual?: string;
  /** Where it depends on the model or on timing, which does not gate. */
  readonly nonGating?: NonGating;
}

/** Tried and not decided. */
export const inconclusive = (
  requirement: string,
  reason: InconclusiveReason,
  seen: Seen = {},
): FindingWithReason => ({ requirement, verdict: 'inconclusive', reason, ...seen });

export const untested = (requirement: string, reason: UntestedReason): FindingWithReason => ({
  requirement,
  verdict: 'untested',
  reason,
});

/** The judgement of a check that has one finding. */
export const oneFinding = (finding: Finding, shows?: string): Judgement => ({
  findings: [finding],
  ...(shows === undefined ? {} : { shows }),
});
