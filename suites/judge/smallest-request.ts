import type { EvidenceView, State } from '../checks/evidence-view.ts';
import { judgementOf, smallerOf } from '../checks/registry.ts';
import { wayOf } from '../checks/shared/failure-in.ts';
import { isSameRefusal } from '../checks/shared/refusal-features.ts';
import type { Case } from '../types/case.ts';
import type { SmallestRequest } from '../types/cause.ts';
import type { Exchange } from '../types/exchange.ts';
import type { Failure } from '../types/finding.ts';
import type { PlannedRequest } from '../types/plan.ts';
import { type Cut, cutsOf, lastWords, type Parts, smallerId } from '../types/smaller-request.ts';

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

/** How far the request of a failure is made smaller: what to send next, or what came of it. */
export type SmallerStep =
  | { readonly kind: 'ask'; readonly cuts: readonly Cut[]; readonly isAgain: boolean }
  | { readonly kind: 'done' };

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
  return {
    ...view,
    plan: { ...view.plan, requests },
    state: (id) => (id === of ? state : view.state(id)),
    kind: (id) => (id === of ? state.kind : view.kind(id)),
    attempts: (id) => (id === of ? [state] : view.attempts(id)),
    exchanges: () => all,
    request: (id) => (id === of ? planned : view.request(id)),
    requestOf: (exchange) => (exchange.id === of ? planned : view.requestOf(exchange)),
  };
}

/** Whether the reply to another request, taken for the one that shows a failure, shows the same. */
function showsSame(shown: ShownFailure, by: State, request: PlannedRequest): boolean {
  const { entry, requirement, failure, of, view } = shown;
  const first = view.state(of);
  if (by.kind !== first.kind) return false;
  if (by.kind === 'refused' && first.kind === 'refused' && !isSameRefusal(first.exchange, by.exchange))
    return false;
  const { findings, shows } = judgementOf(entry, replaced(view, of, by, request));
  const found = findings.find((each) => each.requirement === requirement && each.verdict === 'fail');
  if (found?.verdict !== 'fail' || wayOf(found) !== wayOf(failure)) return false;
  return found.replies
    ? found.replies.broken.some(({ id }) => id === of)
    : (found.exchange ?? shows ?? of) === of;
}

/** What may be left out of the request of a failure; undefined where a smaller one would show something else. */
function partsOf({ entry, of, view }: ShownFailure, request: PlannedRequest): Parts | undefined {
  const rules = smallerOf(entry.check);
  if (rules === undefined || view.plan.source !== undefined) return undefined;
  const { controls, keeps = [] } = rules;
  if (controls === undefined) return cutsOf(request, undefined, keeps);
  return controls
    .flatMap((id) => view.request(id) ?? [])
    .filter(({ id, path, protocol }) => id !== of && path === request.path && protocol === request.protocol)
    .map((control) => cutsOf(request, control, keeps))
    .sort((one, other) => other.left.length - one.left.length)[0];
}

/** Tries what is left out, as far as it is recorded. */
interface Trial {
  /** Whether the request less these parts shows the failure; false where that is not known yet. */
  readonly holds: (cuts: readonly Cut[], isAgain?: boolean) => boolean;
  readonly next: () => SmallerStep;
}

function trialOf(shown: ShownFailure, asked: EvidenceView): Trial {
  let next: SmallerStep = { kind: 'done' };
  return {
    next: () => next,
    holds: (cuts, isAgain = false) => {
      if (next.kind === 'ask') return false;
      const { exchange, ...by } = asked.state(smallerId(shown.of, cuts, isAgain));
      const sent = exchange && asked.requestOf(exchange);
      if (exchange === undefined || sent === undefined) {
        next = { kind: 'ask', cuts, isAgain };
        return false;
      }
      return showsSame(shown, { ...by, exchange } as State, sent);
    },
  };
}

/** Leaves out as many more parts as it can: all at once, else half of them, and so on, until nothing changes. */
function reduced(cuts: readonly Cut[], before: readonly Cut[], { holds }: Trial): readonly Cut[] {
  let kept = before;
  const inOrder = (some: readonly Cut[]): readonly Cut[] =>
    [...before, ...cuts].filter((cut) => some.includes(cut));
  const leaveOut = (chunk: readonly Cut[]): void => {
    const more = inOrder([...kept, ...chunk]);
    if (chunk.length === 0 || more.length === kept.length) return;
    if (holds(more)) kept = more;
    else if (chunk.length > 1) {
      const half = Math.ceil(chunk.length / 2);
      leaveOut(chunk.slice(0, half));
      leaveOut(chunk.slice(half));
    }
  };
  for (let known = -1; known < kept.length; ) {
    known = kept.length;
    leaveOut(cuts.filter((cut) => !kept.includes(cut)));
  }
  return kept;
}

/** Fewer words than this are few enough. */
const fewWords = 4;

/** Halves the words of the last message for as long as one of the halves is enough. */
function fewerWords(cuts: readonly Cut[], words: number, { holds }: Trial): readonly Cut[] {
  let kept = cuts;
  for (let [from, to] = [0, words], isSmaller = true; isSmaller && to - from > fewWords; ) {
    const middle = Math.floor((from + to) / 2);
    const halves = [
      [from, middle],
      [middle, to],
    ] as const;
    const half = halves.find(([one, other]) => holds([...cuts, `words:${one}-${other}`]));
    isSmaller = half !== undefined;
    if (half) {
      [from, to] = half;
      kept = [...cuts, `words:${from}-${to}`];
    }
  }
  return kept;
}

/** The request of a failure as small as the record shows it, and what to send next. Pure. */
export function smallestRequest(
  shown: ShownFailure,
  record: EvidenceView,
): { readonly next: SmallerStep; readonly smallest: SmallestRequest } {
  const { exchange } = shown.view.state(shown.of);
  const request = exchange && shown.view.requestOf(exchange);
  const as = (kind: SmallestRequest['kind'], next: SmallerStep = { kind: 'done' }, id = shown.of) => ({
    next,
    smallest: { kind, exchange: id },
  });
  const parts = request && partsOf(shown, request);
  if (!request || !parts || !showsSame(shown, shown.view.state(shown.of), request)) return as('not-tried');
  const trial = trialOf(shown, record);
  if (!trial.holds([])) return as(trial.next().kind === 'ask' ? 'not-sent' : 'not-again', trial.next());
  const { left, words } = parts;
  const without = reduced(left, [], trial);
  const isBrief = without.includes('brief') || !left.includes('brief');
  const asked = isBrief ? without : fewerWords(without, lastWords(request), trial);
  const shorter = words.filter((name) => !without.includes(`member:${name}`)).map((name) => `brief:${name}`);
  const cuts = reduced(shorter, asked, trial);
  const found = smallerId(shown.of, cuts, false);
  if (trial.next().kind === 'ask') return as('unfinished', trial.next(), found);
  if (cuts.length === 0) return as('nothing-left-out', undefined, found);
  if (trial.holds(cuts, true)) return as('smallest', undefined, found);
  return trial.next().kind === 'ask' ? as('unfinished', trial.next(), found) : as('not-always');
}
