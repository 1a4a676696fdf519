import type { EvidenceView, State } from '../checks/evidence-view.ts';
import { judgementOf } from '../checks/registry.ts';
import { lastOf, wayOf } from '../checks/shared/findings.ts';
import { isSameRefusal } from '../checks/shared/refusal-features.ts';
import type { Case } from '../types/case.ts';
import type { Exchange } from '../types/exchange.ts';
import type { Failure } from '../types/finding.ts';
import type { PlannedRequest } from '../types/plan.ts';
import { type JudgedReplies, type ReplyRef, noReplies, type Separation } from '../types/separation.ts';
import { separationOf } from '../facts/separation.ts';

export interface ShownFailure {
  readonly cause: string;
  readonly entry: Case;
  readonly requirement: string;
  readonly failure: Failure;
  readonly of: string;
  readonly view: EvidenceView;
  /** The sentence of the cause, where more is known of when the failure shows. */
  readonly told: (more: MoreKnown) => string;
}

/** What the requests that were sent to show a failure once more tell of it. */
export interface MoreKnown {
  readonly failure: Failure;
  readonly tried: JudgedReplies;
  /** All that is recorded, these among it. */
  readonly asked: EvidenceView;
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

/** What a reply shows of a failure: the failure, that there is none, or nothing of it. */
type Shows = Failure | 'kept' | undefined;

const isIn = (of: string, replies: readonly ReplyRef[] = []): boolean => replies.some(({ id }) => id === of);

/** The evidence with the reply that shows the failure in another place, so that it shows there what it does. */
function shownElsewhere({ failure, of, view }: ShownFailure, by: EvidenceView): EvidenceView | undefined {
  const first = view.state(of);
  const request = first.exchange && view.requestOf(first.exchange);
  const place = failure.replies?.kept.find(({ id }) => id !== of);
  return request && place && replaced(by, place.id, first, request);
}

/** What the reply to another request, taken for the one that shows a failure, shows of it. */
function shownBy(shown: ShownFailure, by: State, request: PlannedRequest): Shows {
  const { entry, requirement, failure, of, view } = shown;
  const first = view.state(of);
  if (by.kind === 'unclear' && first.kind !== 'unclear') return undefined;
  // A reply that is refused for another reason shows nothing of what another would show.
  if (by.kind === 'refused' && first.kind === 'refused' && !isSameRefusal(first.exchange, by.exchange))
    return undefined;
  const instead = replaced(view, of, by, request);
  const judged = (evidence: EvidenceView) => {
    const { findings, shows } = judgementOf(entry, evidence);
    return { found: findings.find((each) => each.requirement === requirement), shows };
  };
  const { found, shows } = judged(instead);
  if (found?.verdict === 'pass') {
    if (failure.replies === undefined) return 'kept';
    const both = shownElsewhere(shown, instead);
    const beside = both && judged(both).found;
    return beside?.verdict === 'fail' && isIn(of, beside.replies?.kept) ? 'kept' : undefined;
  }
  if (found?.verdict !== 'fail' || wayOf(found) !== wayOf(failure)) return undefined;
  if (isIn(of, found.replies?.kept)) return 'kept';
  if (by.kind !== first.kind) return undefined;
  const isShown = found.replies ? isIn(of, found.replies.broken) : (found.exchange ?? shows ?? of) === of;
  return isShown ? found : undefined;
}

/** The failure that the reply to another request, taken for the one that shows it, shows; undefined where it is another one. */
export function sameFailure(shown: ShownFailure, by: State, request: PlannedRequest): Failure | undefined {
  const found = shownBy(shown, by, request);
  return found === 'kept' ? undefined : found;
}

/** Of the requests that were sent to show a failure once more those that do, and those that would and do not. */
function triedReplies(shown: ShownFailure, asked: EvidenceView): JudgedReplies {
  const tried = asked.exchanges().flatMap((exchange) => {
    const { id, smaller } = exchange;
    const request = smaller?.of === shown.of ? asked.requestOf(exchange) : undefined;
    const state = asked.state(id);
    const found = request && shownBy(shown, state, request);
    return found ? [{ ref: lastOf(state, id), isKept: found === 'kept' }] : [];
  });
  const those = (isKept: boolean): readonly ReplyRef[] =>
    tried.flatMap((each) => (each.isKept === isKept ? [each.ref] : []));
  return { broken: those(false), kept: those(true) };
}

/** A failure with the condition that holds for all that is recorded, also behind the run: what that contradicts is not said. */
export function moreKnown(shown: ShownFailure, asked: EvidenceView): MoreKnown {
  const { failure, of, view } = shown;
  const tried = triedReplies(shown, asked);
  if (tried.broken.length + tried.kept.length === 0) return { failure, tried, asked };
  const { separation: _, ...bare } = failure;
  const judged = failure.replies ?? { ...noReplies, broken: [lastOf(view.state(of), of)] };
  const found = separationOf(asked, judged, tried);
  if (found === undefined) return { failure: bare, tried, asked };
  const { having, ...told } = found;
  const isOfAll = having === judged.broken.length + tried.broken.length;
  const separation: Separation = isOfAll ? { ...told, having: judged.broken.length } : told;
  return { failure: { ...bare, separation }, tried, asked };
}
