import type { EvidenceView } from '../evidence-view.ts';
import type { Seen } from './observers.ts';
import { isUnasked } from './unasked.ts';

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
  if (needsReplies && probes.some((id) => isUnasked(view.state(id)))) return null;
  if (probes.some((id) => isUnfounded(view, id))) return null;
  const parts = seen.map((one) => (typeof one === 'string' ? one : one.stable));
  const known = parts.filter((part) => part !== null);
  return known.length === parts.length ? [...new Set(known)].join('; ') : null;
}
