import type { UnsentReason } from '../../types/reasons/exchange-reasons.ts';
import type { EvidenceView, State } from '../evidence-view.ts';
import type { Seen } from './observers.ts';

/** Reasons for which a request was not sent that say nothing about the target: the run had no time for it. */
const cutShort: Readonly<Partial<Record<UnsentReason['kind'], true>>> = {
  stopped: true,
  'duration-spent': true,
  'budget-spent': true,
  'target-given-up': true,
  'no-reply-in-time': true,
  'internal-error': true,
};

/** Whether another run may well show more of this request. */
function isMissing(state: State): boolean {
  if (state.kind !== 'unclear') return false;
  const { why } = state;
  return why.kind !== 'not-sent' || cutShort[why.unsent.kind] === true;
}

/** A refusal is no behaviour of its own where no request of its protocol is answered. */
function isUnfounded(view: EvidenceView, id: string): boolean {
  if (view.state(id).kind !== 'refused') return false;
  const protocol = view.request(id)?.protocol;
  return !view.plan.requests.some((one) => one.protocol === protocol && view.kind(one.id) === 'answered');
}

/**
 * What of an observation stays the same from run to run as long as the target does not change; null where nothing
 * does, or where this run could not see it whole.
 * @param seen what each of the probes shows
 */
export function stableValue(
  view: EvidenceView,
  probes: readonly string[],
  seen: readonly Seen[],
): string | null {
  // What a token with a spent limit is told is always a reply that says "later".
  const needsReplies = seen.some((one) => typeof one === 'string' || one.whenUnclear !== true);
  if (needsReplies && probes.some((id) => isMissing(view.state(id)))) return null;
  if (probes.some((id) => isUnfounded(view, id))) return null;
  const parts = seen.map((one) => (typeof one === 'string' ? one : one.stable));
  const known = parts.filter((part) => part !== null);
  return known.length === parts.length ? [...new Set(known)].join('; ') : null;
}
