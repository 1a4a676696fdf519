import { drawsImages, type Family } from '../../spec/vocabulary.ts';
import { decisions } from '../../spec/decisions.ts';
import { firstFrom } from '../../spec/first-from.ts';
import { groupBy } from '../../spec/group-by.ts';
import { type EvidenceView, mayBeSilent, type State } from '../checks/evidence-view.ts';
import { isWithinLock } from '../reading/lock-outs.ts';
import { callerOf } from '../reading/sent-request.ts';
import { type Attempt, begunMs, type Exchange } from '../types/exchange.ts';
import { isAnswerDue } from '../reading/request-facts.ts';
import { failureEvent, isSilent } from '../reading/text.ts';
import { type Caller, type PlannedRequest, takenOver } from '../types/plan.ts';
import type { Transient } from '../types/reasons/exchange-reasons.ts';
import { chanceOfDifference, type Tally } from './exact-test.ts';
import { limitWords } from './limit-words.ts';
import { neighboursOf, turnReader } from './sent-requests.ts';

/**
 * `silent`: without the text that is due; `missing`: refused, dropped, an outage, a stream that tells of an error; `lost`: nothing
 * proves anything (principle 5); `limited`: neither, and it was told a limit, which is lawful unless just some are told it; `locked`:
 * refused by what may be a lock-out after wrong requests (7, 8), which is lawful.
 */
type ValidOutcome = 'answered' | 'silent' | 'missing' | 'lost' | 'limited' | 'locked';

/** What first came of a valid request that the target is known to answer. */
export type ValidReply = ReturnType<typeof validReplies>[number];

/** Whether a reply to a request must hold text: an image is none, and a low limit may leave no room for it. */
export const isTextDue = (request: PlannedRequest, { family }: { readonly family: Family }): boolean =>
  request.protocol !== 'images' && !drawsImages(family) && !mayBeSilent(request);

/** Whether it was waited for less than usual: that it did not come shows nothing of the target. */
const gotLessTime = ({ ending }: Attempt): boolean => ending.kind === 'timeout' && ending.shortened === true;

export const validExchanges = (view: EvidenceView): readonly (readonly [PlannedRequest, Exchange])[] =>
  view.exchanges().flatMap((exchange) => {
    const request = view.request(exchange.repeats ?? exchange.id);
    return request !== undefined && exchange.part === undefined && isAnswerDue(request)
      ? [[request, exchange] as const]
      : [];
  });

/** How many attempts that were answered began before each exchange; for one never answered, up to the last answer to its caller. */
function answersBefore(view: EvidenceView, valid: readonly (readonly [PlannedRequest, Exchange])[]) {
  const attempts = valid
    .flatMap(([, exchange]) => {
      const states = view.attempts(exchange.id);
      const isEverAnswered = states.some(({ kind }) => kind === 'answered');
      return states.map((state, at) => ({
        id: exchange.id,
        caller: callerOf(exchange.request),
        isFirst: at === 0,
        isAnswered: state.kind === 'answered',
        isEverAnswered,
        from: Date.parse(exchange.attempts[at]?.startedAt ?? ''),
      }));
    })
    .sort((one, other) => one.from - other.from);
  const before = new Map<string, number>();
  const ofCaller = new Map<string, number>();
  let answered = 0;
  for (const { id, caller, isFirst, isAnswered, isEverAnswered } of attempts) {
    if (isFirst) before.set(id, isEverAnswered ? answered : (ofCaller.get(caller) ?? 0));
    if (!isAnswered) continue;
    answered += 1;
    ofCaller.set(caller, answered);
  }
  return before;
}

/** Tells how many attempts of the run began in the second up to a time, in milliseconds since 1970. */
function secondReader(view: EvidenceView): (untilMs: number) => number {
  const begun = view.exchanges().flatMap(({ attempts }) => attempts.map(begunMs));
  begun.sort((one, other) => one - other);
  const until = (ms: number): number => firstFrom(begun.length, (at) => (begun[at] ?? ms) > ms);
  return (untilMs) => until(untilMs) - until(untilMs - 1000);
}

/** Why a reply proves nothing; undefined where it does, or none was asked for. */
export const transientIn = (state: State): Transient | undefined =>
  state.kind === 'unclear' && state.why.kind === 'transient' ? state.why.transient : undefined;

/** How a connection or an overload ends a request. A reply that takes too long may be for what its model makes of it. */
const proveNothing: ReadonlySet<string> = new Set(['unreachable', 'cut', 'garbled', 'status']);

/** A stream that is cut each time has come, and is judged by its end. */
const isLost = (states: readonly State[], { stream }: PlannedRequest): boolean =>
  states.every((state) => {
    const { cause = '' } = transientIn(state) ?? {};
    return proveNothing.has(cause) && !(stream && cause === 'cut');
  });

/** Whether an attempt was refused, also where another attempt at the same request was answered. */
export const isRefused = (state: State): boolean => state.kind === 'refused' || isPassing(state);

/** Whether others got past its refusal: it may be that of an outage. */
export const isPassing = (state: State): boolean => transientIn(state)?.cause === 'passing-refusal';

/** Milliseconds from the end of the earlier responses that a request names to the beginning of an attempt at it; null where it names none. */
function behindEarlierMs(view: EvidenceView, request: PlannedRequest, attempt: Attempt): number | null {
  const ends = takenOver(request).flatMap(({ exchange: id }) => {
    const last = view.state(id).exchange?.attempts.at(-1);
    return last ? [begunMs(last) + last.ms] : [];
  });
  return ends.length === 0 ? null : begunMs(attempt) - Math.max(...ends);
}

/**
 * Tells of an attempt whether the id that it names was not found yet: which later request may name a response is not
 * stated (2.3). So it is where each attempt that was refused began sooner behind the earlier response than each that was answered,
 * and an exact test rules out that time has nothing to do with it.
 */
function tooEarlyReader(
  view: EvidenceView,
  valid: readonly (readonly [PlannedRequest, Exchange])[],
): (request: PlannedRequest, attempt: Attempt) => boolean {
  const refused: number[] = [];
  const answered: number[] = [];
  for (const [request, exchange] of valid)
    for (const [at, state] of view.attempts(exchange.id).entries()) {
      const attempt = exchange.attempts[at];
      const ms = attempt ? behindEarlierMs(view, request, attempt) : null;
      if (ms !== null && isRefused(state)) refused.push(ms);
      if (ms !== null && state.kind === 'answered') answered.push(ms);
    }
  const soonest = Math.min(...answered);
  const isLater =
    refused.every((ms) => ms < soonest) &&
    chanceOfDifference({ seen: refused.length, of: refused.length }, { seen: 0, of: answered.length }) <=
      decisions.errorBudget;
  return (request, attempt) =>
    isLater && (behindEarlierMs(view, request, attempt) ?? Number.POSITIVE_INFINITY) < soonest;
}

/** Whether a reply is an answer, and no stream that tells of an error: one may now and then, as any outage may (principle 5). */
const isWhole = (state: State | undefined): state is Extract<State, { kind: 'answered' }> =>
  state?.kind === 'answered' &&
  (state.reading.kind !== 'stream' || failureEvent(state.reading.stream) === undefined);

/**
 * Tells what first came of a valid request that was answered in the end, lost, or refused when sent again; any other is judged by
 * its case. Undefined, too, of what is lawful (2.3, 8): a limit, a response not found yet; and of what got less time.
 */
function outcomeReader(view: EvidenceView, valid: readonly (readonly [PlannedRequest, Exchange])[]) {
  const locks = view.lockOuts();
  const limits = limitWords(view);
  const isTooEarly = tooEarlyReader(view, valid);
  return (
    request: PlannedRequest,
    exchange: Exchange,
    states: readonly State[],
    caller: Caller,
  ): ValidOutcome | undefined => {
    const isTold = (attempt: Attempt): boolean => limits.isTold(exchange, attempt);
    const isLocked = (attempt: Attempt): boolean =>
      locks.some((lock) => isWithinLock(lock, exchange, attempt));
    const first = exchange.attempts[0];
    const [state] = states;
    if (first === undefined || state === undefined) return undefined;
    const isEarly = gotLessTime(first) || isTooEarly(request, first);
    if (isLost(states, request) && !exchange.attempts.some(isLocked)) {
      if (isEarly) return undefined;
      return exchange.attempts.some(isTold) ? 'limited' : 'lost';
    }
    const isAnswer = isWhole(states.at(-1));
    // What takes too long, or comes as no reply can, shows nothing: a refusal does.
    const isRefusedAgain = states.every(isRefused) && view.kind(request.id) === 'answered';
    if (!isAnswer && !isRefusedAgain) return undefined;
    if (!isAnswer || states.length > 1) {
      if (isEarly || isTold(first)) return undefined;
      if (isLocked(first)) return 'locked';
    }
    if (isCutResult(state)) return undefined;
    if (!isWhole(state)) return 'missing';
    return isTextDue(request, caller) && isSilent(state.reading, request.protocol) ? 'silent' : 'answered';
  };
}

/** What first came of each valid request that shows something of the target. */
export function validReplies(view: EvidenceView) {
  const valid = validExchanges(view);
  const readOutcome = outcomeReader(view, valid);
  const answeredBefore = answersBefore(view, valid);
  const readTurn = turnReader(view);
  const inSecond = secondReader(view);
  return valid.flatMap(([request, exchange]) => {
    const states = view.attempts(exchange.id);
    const [caller] = request.callers;
    const first = exchange.attempts[0];
    const [state] = states;
    const outcome = caller && readOutcome(request, exchange, states, caller);
    if (!caller || !first || !state || !outcome) return [];
    const { protocol, stream } = request;
    const answeredAt = exchange.attempts[states.findIndex(({ kind }) => kind === 'answered')];
    return [
      {
        id: exchange.id,
        protocol,
        /** The token and the model that it was sent with. */
        caller: callerOf(exchange.request),
        isChained: takenOver(request).length > 0,
        stream,
        outcome,
        isTextDue: isTextDue(request, caller),
        state,
        /** What stood beside its first attempt, or before it with the same token. */
        neighbours: neighboursOf(readTurn({ id: exchange.id, attempt: 0 })),
        /** How many attempts at whatever request began in the second before its first one, and with it. */
        inSecond: inSecond(begunMs(first)),
        /** When its first attempt began, in milliseconds since 1970, and when the first one that was answered did. */
        from: begunMs(first),
        ...(answeredAt ? { answeredFrom: begunMs(answeredAt) } : {}),
        /** Alike for all that fell into one outage. */
        answeredBefore: answeredBefore.get(exchange.id) ?? 0,
      },
    ];
  });
}

/** Those that no lock-out may explain. */
export const notLocked = (replies: readonly ValidReply[]): readonly ValidReply[] =>
  replies.filter(({ outcome }) => outcome !== 'locked');

/**
 * As if no lock-out explained any. That they stood right behind a refused request is left out: a lock-out may come behind each,
 * so that to ask in the same way again would show nothing.
 */
export const asIfNotLocked = (replies: readonly ValidReply[]): readonly ValidReply[] =>
  replies.map((reply) =>
    reply.outcome === 'locked'
      ? {
          ...reply,
          outcome: 'missing',
          neighbours: reply.neighbours.filter((neighbour) => neighbour !== 'after-refusal'),
        }
      : reply,
  );

/** Whether none of its attempts was answered, nor refused. */
export const isNever = ({ outcome }: Pick<ValidReply, 'outcome'>): boolean =>
  outcome === 'lost' || outcome === 'limited';

export const tallyOf = (replies: readonly ValidReply[], outcome: ValidOutcome): Tally => ({
  seen: replies.filter((reply) => reply.outcome === outcome).length,
  of: replies.length,
});

const requestOf = ({ state: { exchange } }: ValidReply): string =>
  JSON.stringify([exchange?.request.url, exchange?.request.headers.authorization, exchange?.request.body]);

/** A request that lacks it each time counts once: a cache may have given the reply again. */
const lackingOnce = (replies: readonly ValidReply[], outcome: ValidOutcome): readonly ValidReply[] =>
  [...groupBy(replies, requestOf).values()].flatMap((own) =>
    own.every((reply) => reply.outcome === outcome) ? own.slice(0, 1) : own,
  );

/** The same, but that what is no independent chance counts once: all that one outage cost, and what a cache may give again. */
export function chancesOf(replies: readonly ValidReply[], outcome: ValidOutcome): Tally {
  if (outcome !== 'missing' && outcome !== 'lost') return tallyOf(lackingOnce(replies, outcome), outcome);
  const { seen, of } = tallyOf(replies, outcome);
  const missing = replies.filter((reply) => reply.outcome === outcome);
  const outages = new Set(missing.map(({ answeredBefore }) => answeredBefore)).size;
  return { seen: outages, of: of - seen + outages };
}

export const isCutResult = (state: State): boolean => transientIn(state)?.cause === 'cut-document';

/** How slowly requests may have to come: alone, or fewer in a second than so many. */
const slowly: readonly ((reply: ValidReply) => boolean)[] = [
  ({ neighbours }) => !neighbours.includes('beside'),
  ...decisions.crowdedSeconds.map((most) => (reply: ValidReply) => reply.inSecond < most),
];

/**
 * Those that a target had room for. It may limit how many requests it takes at once or in a time (8, rule 3), and tell the others to come
 * later: then those alone count that were sent more slowly, of which fewer were told so. That excuses, and so it is asked
 * at the level at which a doubt begins.
 */
export function withRoom(replies: readonly ValidReply[]): readonly ValidReply[] {
  // A retryable status: a target that is asked for too much at once says so.
  const busy = (those: readonly ValidReply[]): Tally => ({
    seen: those.filter(({ state }) => transientIn(state)?.cause === 'status').length,
    of: those.length,
  });
  const [least] = slowly
    .map((isSlow) => {
      const [slow, quick] = [replies.filter(isSlow), replies.filter((reply) => !isSlow(reply))];
      return { slow, chance: chanceOfDifference(busy(quick), busy(slow)) };
    })
    .sort((one, other) => one.chance - other.chance);
  return least && least.chance * slowly.length <= decisions.errorBudget ? least.slow : replies;
}
