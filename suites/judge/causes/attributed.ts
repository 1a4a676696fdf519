import type { EvidenceView } from '../../checks/evidence-view.ts';
import type { ViewOf } from '../../checks/model-views.ts';
import type { Fact } from '../../facts/fact.ts';
import type { Mistake } from '../../facts/mistakes.ts';
import type { RefusedRequestReader } from '../../facts/refused-requests.ts';
import type { Case } from '../../types/case.ts';
import type { FindingWithReason } from '../../types/finding.ts';
import type { UnansweredReader } from './unanswered.ts';

/** A finding that decided a requirement, with its case. */
export interface Deciding {
  readonly entry: Case;
  readonly finding: FindingWithReason;
  /** The exchange that shows it, where there is one. */
  readonly shown: string | undefined;
}

/** What attributing needs of a judged run. */
export interface Attributed {
  readonly view: EvidenceView;
  readonly viewOf: ViewOf;
  readonly mistakes: readonly Mistake[];
  readonly unanswered: UnansweredReader;
  readonly refusedRequest: RefusedRequestReader;
}

export interface Failures {
  /** The fact of the failure that an exchange shows, or that breaks a requirement. */
  readonly failureAt: (name: string) => Fact | undefined;
  /** The failures that the reply of an exchange shows. */
  readonly brokenAt: (exchange: string) => readonly Fact[];
}
