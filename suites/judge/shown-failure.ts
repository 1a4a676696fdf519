import type { EvidenceView, State } from '../checks/evidence-view.ts';
import { judgementOf } from '../checks/registry.ts';
import { wayOf } from '../checks/shared/failure-in.ts';
import { isSameRefusal } from '../checks/shared/refusal-features.ts';
import type { Case } from '../types/case.ts';
import type { Exchange } from '../types/exchange.ts';
import type { Failure } from '../types/finding.ts';
import type { PlannedRequest } from '../types/plan.ts';

/** A failure of a cause, by the exchange that shows it. */
export interface ShownFailure {
  readonly cause: string;
  readonly entry: Case;
  readonly requirement: string;
  readonly failure: Failure;
  /** The id of the exchange. */
  readonly of: string;
  /** The evidence as the case is judged by it. */
  readonly view: EvidenceView;
}

/** The evidence as if the reply to another request had come to this one. */
function replaced(view: EvidenceView, of: string, by: State, request: PlannedRequest): EvidenceView {
  const original = view.state(of).exchange;
  const as = (exchange: Exchange): Exchange => {
    const { smaller: _, ...rest } = exchange;
    const { repeats, part } = original ?? {};
    return { ...rest, id: of, ...(repeats ? { repeats } : {}), ...(part ? { part } : {}) };
  };
  const state = { ...by, ...(by.exchange ? { exchange: as(by.exchange) } : {}) } as State;
  const planned = { ...request, id: of };
  const all = view
    .exchanges()
    .map((exchange) => (exchange.id === of && state.exchange ? state.exchange : exchange));
  const requests = view.plan.requests.map((each) => (each.id === of ? planned : each));
  // The reply may stand for others that were not sent.
  const isOf = (id: string): boolean =>
    id === of || (view.isStoodFor(id) && view.state(id).exchange?.id === of);
  return {
    ...view,
    plan: { ...view.plan, requests },
    state: (id) => (isOf(id) ? state : view.state(id)),
    kind: (id) => (isOf(id) ? state.kind : view.kind(id)),
    attempts: (id) => (isOf(id) ? [state] : view.attempts(id)),
    exchanges: () => all,
    request: (id) => (id === of ? planned : view.request(id)),
    requestOf: (exchange) => (exchange.id === of ? planned : view.requestOf(exchange)),
  };
}

/** The failure that the reply to another request, taken for the one that shows it, shows; undefined where it is another one. */
export function sameFailure(shown: ShownFailure, by: State, request: PlannedRequest): Failure | undefined {
  const { entry, requirement, failure, of, view } = shown;
  const first = view.state(of);
  if (by.kind !== first.kind) return undefined;
  if (by.kind === 'refused' && first.kind === 'refused' && !isSameRefusal(first.exchange, by.exchange))
    return undefined;
  const { findings, shows } = judgementOf(entry, replaced(view, of, by, request));
  const found = findings.find((each) => each.requirement === requirement && each.verdict === 'fail');
  if (found?.verdict !== 'fail' || wayOf(found) !== wayOf(failure)) return undefined;
  const isShown = found.replies
    ? found.replies.broken.some(({ id }) => id === of)
    : (found.exchange ?? shows ?? of) === of;
  return isShown ? found : undefined;
}
