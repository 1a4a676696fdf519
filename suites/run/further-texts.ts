import { randomOf, shuffled } from '../../fixtures/dice.ts';
import { type EvidenceView, isAnswered } from '../checks/evidence-view.ts';
import { saidTexts } from '../facts/said-texts.ts';
import { type Asked, textLevelOf } from '../facts/text-faults.ts';
import { furtherTexts } from '../facts/text-samples.ts';
import { valueAt } from '../reading/json.ts';
import type { PlannedRequest } from '../types/plan.ts';
import { cellId } from '../types/request-ids.ts';

/** The requests for a text that differ in nothing that a model sees, of callers that are served. */
function comparable(view: EvidenceView): readonly (Asked & { readonly request: PlannedRequest })[] {
  return view.plan.requests.flatMap((request) => {
    const { protocol, callers, body, isCompared = false } = request;
    const [caller] = callers;
    if (!isCompared || caller === undefined || protocol === 'images') return [];
    if (!isAnswered(view, cellId(caller, protocol))) return [];
    const stream = valueAt(body?.json, '/stream');
    return [{ request, protocol, ...caller, stream: typeof stream === 'boolean' ? stream : null }];
  });
}

/**
 * The requests of a second sample of texts that are known, in an order in which nothing takes turns: where too few were
 * asked to tell whether a difference is chance (principle 9). None where nothing is open.
 * @param round how many such samples were asked before
 */
export function furtherTextRequests(view: EvidenceView, round: number): readonly PlannedRequest[] {
  if (view.plan.profile === 'smoke') return [];
  const asked = furtherTexts(saidTexts(view), comparable(view), { level: textLevelOf(view.plan), round });
  return shuffled(asked, randomOf(view.plan.seed + round)).map(({ request }) => request);
}
