import type { EvidenceView } from '../checks/evidence-view.ts';
import { smallerOf } from '../checks/registry.ts';
import { lastOf } from '../checks/shared/findings.ts';
import { turnReader } from '../facts/sent-requests.ts';
import { repliesOf, whenOf } from '../facts/separation.ts';
import type { SmallestRequest } from '../types/cause.ts';
import type { Failure } from '../types/finding.ts';
import type { PlannedRequest } from '../types/plan.ts';
import { separationWords, type ReplyRef } from '../types/separation.ts';
import { sameFailure, type ShownFailure } from './shown-failure.ts';
import {
  type Cut,
  cutsOf,
  keptWords,
  lastWords,
  type Parts,
  smallerId,
  smallerRequest,
  turnsIn,
} from '../types/smaller-request.ts';

/** How far the request of a failure is made smaller: what to send next, or what came of it. */
export type SmallerStep =
  | { readonly kind: 'ask'; readonly cuts: readonly Cut[]; readonly time: number }
  | { readonly kind: 'done' };

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

type Trial = ReturnType<typeof trialOf>;

/** Tries what is left out, as far as it is recorded. */
function trialOf(shown: ShownFailure, asked: EvidenceView) {
  let next: SmallerStep = { kind: 'done' };
  const sentFor = (cuts: readonly Cut[], time: number) => {
    const state = asked.state(smallerId(shown.of, cuts, time));
    const request = state.exchange && asked.requestOf(state.exchange);
    return request && { state, request };
  };
  /** The failure as the request less these parts shows it, where it is known to. */
  const failure = (cuts: readonly Cut[], time = 1): Failure | undefined => {
    const sent = sentFor(cuts, time);
    return sent && sameFailure(shown, sent.state, sent.request);
  };
  return {
    next: (): SmallerStep => next,
    failure,
    /** Whether that request shows it; false where that is not known yet. */
    holds: (cuts: readonly Cut[], time = 1): boolean => {
      if (next.kind === 'ask') return false;
      if (sentFor(cuts, time) === undefined) next = { kind: 'ask', cuts, time };
      return failure(cuts, time) !== undefined;
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

/** The fewest of the last turns that are enough, where not all can be left out. */
function fewerTurns(cuts: readonly Cut[], turns: number, { holds }: Trial): readonly Cut[] {
  let kept = cuts;
  for (let [few, enough] = [1, turns]; enough - few > 1; ) {
    const middle = Math.floor((few + enough) / 2);
    const fewer = [`turns:${middle}`, ...cuts];
    if (holds(fewer)) [enough, kept] = [middle, fewer];
    else few = middle;
  }
  return kept;
}

/** Fewer words than this are few enough. */
const fewWords = 4;

/** A text is taken in halves, and where it takes both of them, such as a demand and what it is about, in quarters. */
const pieces = [2, 4] as const;

/** Leaves out pieces of the words of the last message for as long as the rest is enough. */
function fewerWords(cuts: readonly Cut[], words: number, { holds }: Trial): readonly Cut[] {
  let kept = Array.from({ length: words }, (_, at) => at);
  const cutTo = (some: readonly number[]): readonly Cut[] =>
    some.length === words ? cuts : [...cuts, keptWords(some)];
  const isSmaller = (into: number): boolean => {
    const size = Math.ceil(kept.length / into);
    const rests = Array.from({ length: into }, (_, at) => [
      ...kept.slice(0, (into - 1 - at) * size),
      ...kept.slice((into - at) * size),
    ]);
    const rest = rests.find((some) => some.length > 0 && some.length < kept.length && holds(cutTo(some)));
    kept = rest ?? kept;
    return rest !== undefined;
  };
  while (kept.length > fewWords && pieces.some(isSmaller));
  return cutTo(kept);
}

/** So often is a request sent that shows a failure at one time and not at another, to see when it does. */
const timesSent = 12;

/** How often the whole request shows it, sent again and again, and when; where it never does, how many were under way in the run. */
function inTurn({ of, failure }: ShownFailure, { holds }: Trial, record: EvidenceView) {
  const times = Array.from({ length: timesSent }, (_, at) => at + 1);
  const sent = times.map((time) => ({ id: smallerId(of, [], time), shows: holds([], time) }));
  const refs = (shows: boolean): readonly ReplyRef[] =>
    sent.filter((each) => each.shows === shows).map(({ id }) => lastOf(record.state(id), id));
  const broken = refs(true);
  const when = whenOf(record, { broken, kept: refs(false) });
  const readTurn = turnReader(record);
  const inRun = failure.replies?.broken ?? [lastOf(record.state(of), of)];
  const beside = inRun.map((reply) => readTurn(reply)?.beside ?? 0);
  return {
    again: { shown: broken.length, of: sent.length },
    ...(broken.length === 0 ? { beside: { least: Math.min(...beside), most: Math.max(...beside) } } : {}),
    ...(when ? { condition: separationWords(when, broken.length) } : {}),
  };
}

/** The parameter or the header that a part is. */
const nameIn = (cut: Cut): readonly string[] => /^(?:member|header):(.+)$/.exec(cut)?.slice(1) ?? [];

/** Parts without which the request did not show the failure, and that all requests of the run have that do: others are not needed. */
function neededOf(names: readonly string[], { failure, view }: ShownFailure): readonly string[] {
  const broken = repliesOf(view, failure.replies?.broken ?? []);
  return names.filter((name) =>
    broken.every(({ traits }) =>
      traits.some((trait) => (trait.kind === 'any-value' || trait.kind === 'header') && trait.name === name),
    ),
  );
}

/** How many turns it takes, where fewer were tried and all requests of the run that show it have so many; undefined otherwise. */
function turnsNeeded(request: PlannedRequest, cuts: readonly Cut[], shown: ShownFailure): number | undefined {
  const turns = turnsIn(smallerRequest(request, cuts));
  const broken = repliesOf(shown.view, shown.failure.replies?.broken ?? []);
  return turns > 1 && !cuts.includes('turns') && broken.every((reply) => reply.turns >= turns)
    ? turns
    : undefined;
}

/** The request of a failure as small as the record shows it, with the failure as it shows it, and what to send next. Pure. */
export function smallestRequest(
  shown: ShownFailure,
  record: EvidenceView,
): { readonly next: SmallerStep; readonly smallest: SmallestRequest; readonly failure: Failure } {
  const { exchange } = shown.view.state(shown.of);
  const request = exchange && shown.view.requestOf(exchange);
  const as = (kind: SmallestRequest['kind'], next: SmallerStep = { kind: 'done' }) => ({
    next,
    smallest: { kind, exchange: shown.of },
    failure: shown.failure,
  });
  const parts = request && partsOf(shown, request);
  if (!request || !parts || !sameFailure(shown, shown.view.state(shown.of), request)) return as('not-tried');
  const trial = trialOf(shown, record);
  const isPending = (): boolean => trial.next().kind === 'ask';
  const notAlways = () => {
    const seen = inTurn(shown, trial, record);
    if (isPending()) return as('unfinished', trial.next());
    return { ...as('not-always'), smallest: { kind: 'not-always', exchange: shown.of, ...seen } as const };
  };
  if (!trial.holds([])) return isPending() ? as('not-sent', trial.next()) : notAlways();
  const { left, words } = parts;
  const whole = reduced(left, [], trial);
  const areTurnsLeft = left.includes('turns') && !whole.includes('turns');
  const without = areTurnsLeft ? fewerTurns(whole, turnsIn(request), trial) : whole;
  const isBrief = without.includes('brief') || !left.includes('brief');
  const asked = isBrief ? without : fewerWords(without, lastWords(request), trial);
  const shorter = words.filter((name) => !without.includes(`member:${name}`)).map((name) => `brief:${name}`);
  const cuts = reduced(shorter, asked, trial);
  const isConfirmed = trial.holds(cuts, 2);
  if (!isPending() && !isConfirmed) return notAlways();
  const isUnfinished = isPending();
  const notLeftOut = left.filter((cut) => !cuts.includes(cut)).flatMap(nameIn);
  const needed = isUnfinished ? [] : neededOf(notLeftOut, shown);
  const turns = areTurnsLeft && !isUnfinished ? turnsNeeded(request, cuts, shown) : undefined;
  return {
    next: trial.next(),
    smallest: {
      kind: isUnfinished ? 'unfinished' : cuts.length === 0 ? 'nothing-left-out' : 'smallest',
      exchange: smallerId(shown.of, cuts, 1),
      ...(needed.length > 0 ? { needed } : {}),
      ...(turns === undefined ? {} : { turns }),
    },
    failure: trial.failure(cuts) ?? shown.failure,
  };
}
