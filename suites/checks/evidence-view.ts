import { errorMessage } from '../../spec/text.ts';
import { levelOf, testsIn } from '../facts/exact-test.ts';
import type { Protocol } from '../../spec/vocabulary.ts';
import { beginning, isText, judged, valueAt } from '../reading/json.ts';
import { saysCutOff, heldBytes, mostReadBytes, type ReplyReading } from '../reading/reply-reading.ts';
import { readReply } from '../reading/reply.ts';
import type { StreamReading } from '../reading/stream.ts';
import { type Evidence, type Exchange, isExchange, type Unsent } from '../types/exchange.ts';
import type { Unclear } from '../types/reasons/exchange-reasons.ts';
import { type ReplyHistory, sameReplies } from '../reading/reply-history.ts';
import { factsOf, isNoLimit, askedIn } from '../reading/request-facts.ts';
import { callerOf } from '../reading/sent-request.ts';
import { replyText } from '../reading/text.ts';
import { transientOf } from '../reading/transient.ts';
import { partOf } from '../types/combination-parts.ts';
import { smallerRequest } from '../types/smaller-request.ts';
import { mostBodyBytes } from '../types/limits.ts';
import { cellId } from '../types/request-ids.ts';
import type { Plan, PlannedRequest } from '../types/plan.ts';
import type { FromReply } from '../types/template.ts';
import { inPlanOrder, livingHistory, lockReader } from './growing-evidence.ts';

/** What became of a planned request: output, a refusal (principle 5), or nothing that proves anything. */
export type State =
  | {
      readonly kind: 'answered';
      readonly exchange: Exchange;
      readonly reading: Extract<ReplyReading, { kind: 'result' | 'stream' }>;
    }
  | {
      readonly kind: 'refused';
      readonly exchange: Exchange;
      readonly reading: Extract<ReplyReading, { kind: 'refusal' }>;
    }
  | {
      readonly kind: 'unclear';
      readonly exchange?: Exchange;
      readonly why: Unclear;
      /** The exchange for want of whose answer it was not sent. */
      readonly behind?: Exchange;
    };

/** All that a check may look at: the plan and what was recorded, read once. */
export type EvidenceView = ReturnType<typeof createEvidenceView>;

interface Reader {
  readonly plan: Plan;
  readonly replies: Pick<ReplyHistory, 'isRefusal' | 'timesNeeded'>;
}

/** No other exchange tells anything. */
const noHistory: Reader['replies'] = { isRefusal: () => false, timesNeeded: () => 1 };

function stateOf(exchange: Exchange, request: PlannedRequest, reader: Reader): State {
  const reading = readCarefully(exchange, request, reader);
  switch (reading.kind) {
    case 'transient':
      return { kind: 'unclear', exchange, why: reading };
    case 'refusal':
      return passingRefusal(exchange, request, reader.replies) ?? { kind: 'refused', exchange, reading };
    default:
      return { kind: 'answered', exchange, reading };
  }
}

/** A refusal that chance explains: valid requests got past the same reply when they were sent again. */
function passingRefusal(
  exchange: Exchange,
  request: PlannedRequest,
  replies: Reader['replies'],
): State | undefined {
  const facts = factsOf(request);
  if (!isNoLimit(facts)) return undefined;
  const { attempts } = exchange;
  const needed = replies.timesNeeded(attempts.at(-1)?.fingerprint ?? null, facts);
  const times = sameReplies(attempts).length;
  if (times >= needed) return undefined;
  const transient = { cause: 'passing-refusal', times, needed } as const;
  return { kind: 'unclear', exchange, why: { kind: 'transient', transient } };
}

/** Of replies with more characters than this the readings that were used last are kept. What is read from a file fits. */
const smallReply = 4096;

/** What a reading takes of memory, in bytes; 0 where it is not worth counting. */
function weightOf(state: State): number {
  if (state.kind === 'unclear') return 0;
  const { length } = state.exchange.response?.body.text ?? '';
  return length <= smallReply ? 0 : heldBytes(state.reading);
}

/** Evidence may be damaged: what can't be read decides nothing, nor what is longer than any reply that is recorded. */
function readCarefully(exchange: Exchange, request: PlannedRequest, { plan, replies }: Reader): ReplyReading {
  try {
    const { text, encoding } = exchange.response?.body ?? { text: '', encoding: 'utf8' };
    // In a time that does not depend on its length: at least so many bytes.
    const least = encoding === 'base64' ? 3 * Math.floor(text.length / 4) - 2 : text.length;
    if (least > mostBodyBytes(request, plan)) return { kind: 'transient', transient: { cause: 'oversize' } };
    const isKnownRefusal = transientOf(exchange) !== null && replies.isRefusal(exchange, factsOf(request));
    return readReply(exchange, request.protocol, { isKnownRefusal, ...askedIn(request) });
  } catch (error) {
    const message = errorMessage(error);
    return { kind: 'transient', transient: { cause: 'reading-error', message } };
  }
}

/** The document of an answer; undefined where it is none. */
export const documentOf = (state: State): unknown =>
  state.kind === 'answered' && state.reading.kind === 'result' ? state.reading.json : undefined;

/** The text of an answer, as far as it is judged; empty where it has none, or is none. */
export const textOf = (state: State, protocol: Protocol): string =>
  state.kind === 'answered' ? beginning(replyText(state.reading, protocol), judged.chars) : '';

export const hasOtherShape = (state: State, protocol: Protocol): boolean =>
  state.kind === 'answered' && state.reading.shape !== protocol;

/** Whether an answer says that it was cut off at its limit: what it lacks then shows nothing. */
export const isCutOff = (state: State): boolean => state.kind === 'answered' && saysCutOff(state.reading);

/** What an answered request left for later ones to take over; undefined where that is no string, or an empty one. */
export function takenFrom(view: EvidenceView, { exchange, pointer }: FromReply): string | undefined {
  const value = valueAt(documentOf(view.state(exchange)), pointer);
  return isText(value) ? value : undefined;
}

/** So few tokens may all go into what a model thinks, before there is any text. */
const mostSilent = 16;

/** Whether a request has so low a limit that its reply may lack text. */
export function mayBeSilent(request: PlannedRequest | undefined): boolean {
  const limit = valueAt(request?.body?.json, '/max_tokens');
  return typeof limit === 'number' && limit <= mostSilent;
}

/** The stream of a reply, if only one that carries no output that we know. */
export const streamOf = (state: State): StreamReading | undefined =>
  state.kind === 'unclear' || state.reading.kind === 'result' ? undefined : state.reading.stream;

export function requestAt(view: EvidenceView, id: string | undefined): PlannedRequest | undefined {
  if (id === undefined) return undefined;
  const { exchange } = view.state(id);
  return (exchange && view.requestOf(exchange)) ?? view.request(id);
}

/** The text of the answer to a request, on the endpoint that it was sent to; empty where it has none. */
export function textAt(view: EvidenceView, id: string): string {
  const request = requestAt(view, id);
  return request ? textOf(view.state(id), request.protocol) : '';
}

export const isAnswered = (view: EvidenceView, id: string): boolean => view.kind(id) === 'answered';

/** Whether a valid request was taken: it has output, or the stream that it asked for, whatever that lacks. */
export function isTaken(view: EvidenceView, id: string): boolean {
  const state = view.state(id);
  if (state.kind === 'answered') return true;
  return view.request(id)?.stream === true && streamOf(state) !== undefined;
}

/** What was read of an evidence so far, and what it is read by. */
interface Reading {
  readonly plan: Plan;
  readonly evidence: Evidence;
  readonly requests: ReadonlyMap<string, PlannedRequest>;
  readonly states: Map<string, State>;
  readonly large: ReturnType<typeof createLargeStates>;
  /** Whether what is recorded with an id is an answer, which no other exchange changes. */
  readonly answered: Map<string, boolean>;
  /** By request the one that is taken for it: as it was answered, it stays so. */
  readonly stands: Map<string, string>;
}

/** Keeps states of long replies: in place of those that were not used for longest. */
function createLargeStates() {
  /** The last used stands last. */
  const large = new Map<string, { readonly state: State; readonly weight: number }>();
  let kept = 0;
  return {
    get: (key: string): State | undefined => {
      const entry = large.get(key);
      if (entry === undefined) return undefined;
      large.delete(key);
      large.set(key, entry);
      return entry.state;
    },
    /** False where it is small, and not kept. */
    keep: (key: string, state: State): boolean => {
      const weight = weightOf(state);
      if (weight === 0) return false;
      kept += weight - (large.get(key)?.weight ?? 0);
      large.set(key, { state, weight });
      for (const [oldest, entry] of large) {
        if (large.size <= 1 || kept <= mostReadBytes) break;
        large.delete(oldest);
        kept -= entry.weight;
      }
      return true;
    },
  };
}

function requestSent(reading: Reading, { id, repeats, part, smaller }: Exchange): PlannedRequest | undefined {
  const { evidence, requests } = reading;
  const larger = smaller && evidence.get(smaller.of);
  if (smaller) {
    const request = isExchange(larger) ? requestSent(reading, larger) : undefined;
    return request && smallerRequest(request, smaller.cuts);
  }
  const whole = part && requests.get(part.of);
  if (part && whole?.combination) return partOf(whole, part.factors);
  return requests.get(id) ?? requests.get(repeats ?? '');
}

/** Asks no history: that is not whole where it asks this. */
function isAnsweredByItself(reading: Reading, id: string): boolean {
  const { answered, evidence } = reading;
  const isIt = answered.get(id) ?? look(reading, id, noHistory).kind === 'answered';
  if (evidence.has(id)) answered.set(id, isIt);
  return isIt;
}

function look(reading: Reading, id: string, replies: Reader['replies']): State {
  const { plan, evidence, requests } = reading;
  const entry = evidence.get(id);
  const request = isExchange(entry) ? requestSent(reading, entry) : requests.get(id);
  if (request === undefined) return { kind: 'unclear', why: { kind: 'not-planned' } };
  if (entry === undefined) return { kind: 'unclear', why: { kind: 'not-recorded' } };
  if (isExchange(entry)) return stateOf(entry, request, { plan, replies });
  const behind = exchangeBehind(evidence, entry);
  return { kind: 'unclear', why: { kind: 'not-sent', unsent: entry.unsent }, ...(behind ? { behind } : {}) };
}

/** The first exchange for want of whose answer a request was not sent, itself or what waited for it. */
function exchangeBehind(evidence: Evidence, { unsent }: Unsent): Exchange | undefined {
  if (unsent.kind !== 'not-answered') return undefined;
  for (const id of unsent.exchanges) {
    const entry = evidence.get(id);
    if (entry === undefined) continue;
    const found = isExchange(entry) ? entry : exchangeBehind(evidence, entry);
    if (found !== undefined) return found;
  }
  return undefined;
}

function isAnsweredId(reading: Reading, id: string): boolean {
  const stand = standInOf(reading, id);
  return stand !== undefined ? isAnsweredId(reading, stand) : isAnsweredByItself(reading, id);
}

/** What is taken for a request that others make superfluous, where it could have been sent. */
function standInOf(reading: Reading, id: string): string | undefined {
  const request = reading.requests.get(id);
  if (request?.standsFor === undefined) return undefined;
  const found = reading.stands.get(id) ?? standInFor(reading, request);
  if (found !== undefined) reading.stands.set(id, found);
  return found;
}

function standInFor(reading: Reading, request: PlannedRequest): string | undefined {
  const { id, when, standsFor = [] } = request;
  const isPossible = when.every(
    (each) => each.kind !== 'answered' || each.any.some((one) => one !== id && isAnsweredId(reading, one)),
  );
  return isPossible
    ? standsFor.find((one) => isAnsweredId(reading, one) && isOfCaller(reading, request, one))
    : undefined;
}

/** Whether another request was sent as a caller that this one may have: who is not served is passed over. */
function isOfCaller({ evidence }: Reading, { callers, protocol }: PlannedRequest, other: string): boolean {
  const senderOf = (id: string): string | undefined => {
    const entry = evidence.get(id);
    return isExchange(entry) ? callerOf(entry.request) : undefined;
  };
  const sender = senderOf(other);
  return callers.some((caller) => (senderOf(cellId(caller, protocol)) ?? sender) === sender);
}

function stateFor(reading: Reading, id: string, replies: ReplyHistory): State {
  const stand = standInOf(reading, id);
  if (stand !== undefined) return stateFor(reading, stand, replies);
  const { states, large, evidence, answered } = reading;
  const known = states.get(id) ?? large.get(id);
  if (known) return known;
  const state = look(reading, id, replies);
  if (!evidence.has(id)) return state;
  answered.set(id, state.kind === 'answered');
  if (!large.keep(id, state)) states.set(id, state);
  return state;
}

function attemptsOf(reading: Reading, id: string, replies: ReplyHistory): readonly State[] {
  const { plan, evidence, large } = reading;
  const entry = evidence.get(id);
  const request = isExchange(entry) ? requestSent(reading, entry) : undefined;
  if (!isExchange(entry) || request === undefined) return [];
  return entry.attempts.map((attempt, at) => {
    if (at === entry.attempts.length - 1) return stateFor(reading, id, replies);
    const key = `${entry.id} ${at}`;
    const known = large.get(key);
    if (known) return known;
    const { response = null, ending } = attempt;
    const attempts = entry.attempts.slice(0, at + 1);
    // One that another followed is read by itself.
    const state = stateOf({ ...entry, response, ending, attempts }, request, { plan, replies });
    large.keep(key, state);
    return state;
  });
}

function kindFor(reading: Reading, id: string, replies: ReplyHistory): State['kind'] {
  const stand = standInOf(reading, id);
  if (stand !== undefined) return kindFor(reading, stand, replies);
  return reading.answered.get(id) === true ? 'answered' : stateFor(reading, id, replies).kind;
}

/** Opens the evidence of a plan. Readings are made when first asked for and kept. */
export function createEvidenceView(plan: Plan, evidence: Evidence) {
  const requests = new Map(plan.requests.map((request) => [request.id, request]));
  const reading: Reading = {
    ...{ plan, evidence, requests },
    ...{ states: new Map(), large: createLargeStates(), answered: new Map(), stands: new Map() },
  };
  /** The planned request that an exchange sends, sends once more, or sends a part of. */
  const requestOf = (exchange: Exchange): PlannedRequest | undefined => requestSent(reading, exchange);
  /** What the recorded exchanges show about retryable replies. */
  const replies = livingHistory(evidence, requestOf, {
    isAnswered: (id) => isAnsweredByItself(reading, id),
    level: levelOf(testsIn(plan)),
  });
  return {
    plan,
    replies,
    ...lockReader(evidence, requestOf, (id) => isAnsweredId(reading, id)),
    request: (id: string): PlannedRequest | undefined => requests.get(id),
    requestOf,
    state: (id: string): State => stateFor(reading, id, replies),
    /** What became of each attempt of an exchange, in their order; that of the last is its state. */
    attempts: (id: string): readonly State[] => attemptsOf(reading, id, replies),
    /** All that was sent, in the order of the plan, those included that repeat a request or send a part of it. */
    exchanges: inPlanOrder(plan, evidence),
    /** The kind of its state, kept where the state of a long reply would be read again. */
    kind: (id: string): State['kind'] => kindFor(reading, id, replies),
    /** Whether the reply of another request is taken for that of this one, which is then not sent. */
    isStoodFor: (id: string): boolean => standInOf(reading, id) !== undefined,
  };
}
