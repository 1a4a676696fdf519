import type { Target } from '../../fixtures/target/target.ts';
import { smallestSize } from '../cases/builder/smallest-image.ts';
import { createEvidenceView, type EvidenceView, mayBeSilent } from '../checks/evidence-view.ts';
import { type Evidence, isExchange } from '../types/exchange.ts';
import type { Plan, PlannedRequest } from '../types/plan.ts';
import { takenOver } from '../types/reply-references.ts';
import { drawsImages } from '../../spec/vocabulary.ts';
import { valueAt } from '../reading/json.ts';
import { transientOf } from '../reading/transient.ts';
import { nearMissToken } from '../run/near-miss-token.ts';
import { callerOf, isSentAs } from '../run/prepare.ts';

/** A recorded exchange that can be asked again by itself. */
export interface Repeatable {
  /** As it was planned, with the caller that it was sent as, and nothing that it waits for. */
  readonly request: PlannedRequest;
  readonly recorded: 'answered' | 'refused';
}

/** A run as its evidence gives it back. */
export interface Recorded {
  /** Token values are empty. */
  readonly target: Target;
  readonly plan: Plan;
  readonly evidence: Evidence;
}

/** What was timed, or went out with others at once, means little by itself. */
const isOfItsOwn = (request: PlannedRequest): boolean =>
  request.stage !== 'timed' && request.stage !== 'burst';

/** Characters of the body of a request that is to be answered: longer ones ask for long replies, or cost by themselves. */
const longestBody = 400;

/** Whether no more than a short text, or one image of the smallest size, is to come of it. */
function isCheap(
  { protocol, callers, body, billed }: PlannedRequest,
  recorded: Repeatable['recorded'],
): boolean {
  const { length } = JSON.stringify(body ?? null);
  if (billed > 1 || (recorded === 'answered' && length > longestBody)) return false;
  if (protocol === 'images') {
    const [size, n] = [valueAt(body?.json, '/size'), valueAt(body?.json, '/n')];
    const isSmall = size === smallestSize() || (size === undefined && recorded === 'refused');
    return isSmall && (typeof n !== 'number' || n <= 1);
  }
  // Chat has no parameter for the size of an image (4.5).
  return recorded === 'refused' || !callers.some(({ family }) => drawsImages(family));
}

/** The request as it can be sent alone. */
function alone(request: PlannedRequest, view: EvidenceView): PlannedRequest {
  const { combination: _parts, standsFor: _others, ...rest } = request;
  const caller = callerOf(request, view);
  return { ...rest, callers: caller === undefined ? [] : [caller], when: [], stage: 'lanes' };
}

/** Whether the live target declares what the request needs. */
function isDeclared({ callers: [caller], credential }: PlannedRequest, live: Target): boolean {
  if (caller === undefined) return false;
  const { family, model } = caller;
  const models = [live.models[family], ...(live.furtherModels?.[family] ?? [])];
  if (model === undefined ? models[0] === undefined : !models.includes(model)) return false;
  const token = live.tokens[caller.group];
  if (token === undefined) return false;
  if (credential.form === 'near-miss') return nearMissToken(token, credential.how, live) !== undefined;
  return credential.form !== 'token' || live.tokens[credential.token] !== undefined;
}

/**
 * The recorded exchanges that can be asked again cheaply, one by one: each was answered or refused beyond doubt, is
 * made of the plan as it was recorded, and takes nothing over from an earlier reply. Pure.
 */
export function repeatables(run: Recorded, live: Target): readonly Repeatable[] {
  const view = createEvidenceView(run.plan, run.evidence);
  return run.plan.requests.flatMap((planned): readonly Repeatable[] => {
    const entry = run.evidence.get(planned.id);
    if (!isExchange(entry) || transientOf(entry) !== null) return [];
    const { kind } = view.state(planned.id);
    // A few tokens may all go into what a model thinks: such a reply differs from time to time.
    if (kind === 'answered' && mayBeSilent(planned)) return [];
    if (kind === 'unclear' || !isOfItsOwn(planned) || takenOver(planned).length > 0) return [];
    const request = alone(planned, view);
    const isUsable =
      isCheap(request, kind) &&
      isDeclared(request, live) &&
      isSentAs(request, entry.request, run.target, view);
    return isUsable ? [{ request, recorded: kind }] : [];
  });
}
