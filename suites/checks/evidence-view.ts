import { isLight } from '../reading/json.ts';
import { readReply, type ReplyReading } from '../reading/reply.ts';
import type { StreamReading } from '../reading/stream.ts';
import { type Evidence, type Exchange, isExchange } from '../model/exchange.ts';
import type { FromReply, Plan, PlannedRequest } from '../model/plan.ts';

/**
 * What became of a planned request: output, a refusal (principle 5), or nothing that proves anything:
 * not sent, no reply, a reply that says "later" (principle 5 again).
 */
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
  | { readonly kind: 'unclear'; readonly exchange?: Exchange; readonly why: string };

/** All that a check may look at: the plan and what was recorded, read once. */
export interface EvidenceView {
  readonly plan: Plan;
  state(id: string): State;
  request(id: string): PlannedRequest | undefined;
}

function stateOf(exchange: Exchange, request: PlannedRequest): State {
  const reading = readCarefully(exchange, request);
  switch (reading.kind) {
    case 'transient':
      return { kind: 'unclear', exchange, why: reading.why };
    case 'refusal':
      return { kind: 'refused', exchange, reading };
    default:
      return { kind: 'answered', exchange, reading };
  }
}

/** Of replies longer than this, in bytes, only the last few readings are kept where they hold much: a target may send many. */
const smallReply = 4096;
const mostLarge = 4;

const [fewValues, fewChars] = [5000, 65_536];

function isSmall(state: State): boolean {
  if (state.kind === 'unclear' || (state.exchange.response?.body.bytes ?? 0) <= smallReply) return true;
  const { reading } = state;
  const stream = streamOf(state);
  if (stream !== undefined) return stream.events.length === 0;
  return reading.kind === 'stream' || isLight(reading.json, fewValues, fewChars);
}

/** Evidence may be damaged: what can't be read decides nothing. */
function readCarefully(exchange: Exchange, { protocol }: PlannedRequest): ReplyReading {
  try {
    return readReply(exchange, protocol);
  } catch (error) {
    return {
      kind: 'transient',
      cause: 'garbled',
      why: `reading error: ${error instanceof Error ? error.message : String(error)}`,
    };
  }
}

/** What an answered request left for later ones to take over; undefined where that is no string, or an empty one. */
export function takenFrom(view: EvidenceView, { exchange, pointer }: FromReply): string | undefined {
  const state = view.state(exchange);
  const json = state.kind === 'answered' && state.reading.kind === 'result' ? state.reading.json : undefined;
  const value = pointer
    .split('/')
    .slice(1)
    .reduce<unknown>(
      (at, name) => (at as Readonly<Record<string, unknown>> | null | undefined)?.[name],
      json,
    );
  return typeof value === 'string' && value !== '' ? value : undefined;
}

/** So few tokens may all go into what a model thinks, before there is any text. */
const mostSilent = 16;

/** Whether a request has so low a limit that its reply may lack text. */
export function mayBeSilent(view: EvidenceView, id: string): boolean {
  const json = view.request(id)?.body?.json;
  const limit =
    typeof json === 'object' && json !== null && 'max_tokens' in json ? json.max_tokens : undefined;
  return typeof limit === 'number' && limit <= mostSilent;
}

/** The stream of a reply, if only one that carries no output that we know. */
export const streamOf = (state: State): StreamReading | undefined =>
  state.kind === 'unclear' || state.reading.kind === 'result' ? undefined : state.reading.stream;

/** Whether a valid request was taken: it has output, or the stream that it asked for, whatever that lacks. */
export function isTaken(view: EvidenceView, id: string): boolean {
  const state = view.state(id);
  if (state.kind === 'answered') return true;
  return view.request(id)?.stream === true && streamOf(state) !== undefined;
}

/** Opens the evidence of a plan. Readings are made when first asked for and kept. */
export function createEvidenceView(plan: Plan, evidence: Evidence): EvidenceView {
  const requests = new Map(plan.requests.map((request) => [request.id, request]));
  const states = new Map<string, State>();
  const large = new Map<string, State>();

  function look(id: string): State {
    const entry = evidence.get(id);
    const repeats = isExchange(entry) ? entry.repeats : undefined;
    const request = requests.get(id) ?? requests.get(repeats ?? '');
    if (request === undefined) return { kind: 'unclear', why: 'not part of this run' };
    if (entry === undefined) return { kind: 'unclear', why: 'not sent' };
    return isExchange(entry)
      ? stateOf(entry, request)
      : { kind: 'unclear', why: `not sent: ${entry.unsent}` };
  }

  return {
    plan,
    request: (id) => requests.get(id),
    state(id) {
      const known = states.get(id) ?? large.get(id);
      if (known) return known;
      const state = look(id);
      if (!evidence.has(id)) return state;
      if (isSmall(state)) states.set(id, state);
      else {
        const [oldest] = large.keys();
        if (oldest !== undefined && large.size >= mostLarge) large.delete(oldest);
        large.set(id, state);
      }
      return state;
    },
  };
}
