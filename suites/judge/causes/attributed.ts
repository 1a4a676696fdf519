import type { EvidenceView } from '../../checks/evidence-view.ts';
import { type ViewOf, readsIn } from '../../checks/registry.ts';
import type { Fact } from '../../facts/fact.ts';
import type { Mistake } from '../../facts/mistakes.ts';
import type { RefusedRequestReader } from '../../facts/refused-requests.ts';
import type { Case } from '../../types/case.ts';
import type { FindingWithReason } from '../../types/finding.ts';
import type { UnansweredReader } from './unanswered.ts';
import { type InconclusiveReason, messageOf } from '../../types/reasons/index.ts';

export interface Deciding {
  readonly entry: Case;
  readonly finding: FindingWithReason;
  /** The exchange that shows it, where there is one. */
  readonly shown: string | undefined;
}

/** What was recorded, as a whole and as each case sees it, and the mistakes of the operator that it shows. */
export interface Judged {
  readonly view: EvidenceView;
  readonly viewOf: ViewOf;
  readonly mistakes: readonly Mistake[];
}

export interface Attributed extends Judged {
  readonly unanswered: UnansweredReader;
  readonly refusedRequest: RefusedRequestReader;
}

export interface Failures {
  /** The fact of the failure that an exchange shows, or that breaks a requirement. */
  readonly failureAt: (name: string) => Fact | undefined;
  readonly brokenAt: (exchange: string) => readonly Fact[];
}

/** Why a row is undecided for no reason of its own: the run ended first, or got no answer. Undefined where its own holds. */
export function reasonBehind(
  fact: Fact,
  deciding: readonly Deciding[],
  { view, viewOf }: { readonly view: EvidenceView; readonly viewOf: ViewOf },
): InconclusiveReason | undefined {
  if (fact.kind === 'run-stopped') {
    const stop = fact.stop === undefined ? {} : { stop: fact.stop };
    const [first] = deciding;
    // What a case is about stands first among what it reads, its controls behind.
    const isAsked = deciding.some(({ entry }) => {
      const [probe] = readsIn(entry.check, viewOf(entry).plan);
      return probe !== undefined && view.state(probe).exchange !== undefined;
    });
    return first && isAsked
      ? { kind: 'not-all-asked', message: messageOf(first.finding), ...stop }
      : { kind: 'not-asked', ...stop };
  }
  // What tells more than that nothing conclusive came is kept.
  if (deciding.some(({ finding }) => finding.reason.kind !== 'no-conclusive-reply')) return undefined;
  const seen = seenIn(fact);
  return seen === undefined ? undefined : { kind: 'asked-in-vain', seen };
}

/** What came in place of answers. */
function seenIn(fact: Fact): string | undefined {
  switch (fact.kind) {
    case 'stopped-answering':
      return `the target stopped answering at ${fact.silence.since}`;
    case 'unreachable':
      return `the target can't be reached: ${fact.detail}`;
    case 'limit-hit':
    case 'no-answer-in-time':
    case 'no-usable-reply':
      return fact.replies.most;
    default:
      return undefined;
  }
}
