import type { Target, TokenName } from '../../fixtures/target/target.ts';
import { smallestSize } from '../cases/builder/bodies.ts';
import { createEvidenceView, type EvidenceView, mayBeSilent, type State } from '../checks/evidence-view.ts';
import { isOwnLimit } from '../facts/replies.ts';
import { type Evidence, isExchange, type Exchange } from '../types/exchange.ts';
import { type Plan, type PlannedRequest, takenOver } from '../types/plan.ts';
import { drawsImages, isTextProtocol, type Protocol } from '../../spec/vocabulary.ts';
import { valueAt } from '../reading/json.ts';
import { transientOf } from '../reading/transient.ts';
import { nearMissToken } from '../run/near-miss-token.ts';
import { callerOf, isSentAs } from '../run/prepare.ts';
import { createHash } from 'node:crypto';
import { isObject } from '../../spec/json.ts';
import { protocolFacts } from '../../spec/protocols.ts';
import { fieldViolations } from '../checks/shared/field-violations.ts';
import { isFailure } from '../checks/shared/findings.ts';
import { imagesOf } from '../checks/shared/image-data.ts';
import { features } from '../checks/shared/refusal-features.ts';
import { streamShapes } from '../checks/shared/stream-shape.ts';
import type { StreamReading } from '../reading/stream.ts';

/** One thing that verdicts rest on, as it was recorded and as it is now. */
export interface Change {
  readonly what: string;
  readonly before: string;
  readonly now: string;
}

/** A reply that can be compared: an answer or a refusal. */
export type Judged =
  | Extract<State, { kind: 'answered' }>
  | { readonly kind: 'refused'; readonly exchange: Exchange };

/** The reply to a request where it can be compared: the limit that is due to a spent token refuses it. */
export function judgedReply(view: EvidenceView, request: PlannedRequest): Judged | undefined {
  const state = view.state(request.id);
  if (state.kind !== 'unclear') return state;
  const { exchange } = state;
  return exchange !== undefined && isOwnLimit(request, exchange) ? { kind: 'refused', exchange } : undefined;
}

/** What verdicts rest on in a reply, by name; texts, ids and times are not among it. */
type Facts = Readonly<Record<string, string>>;

/** A value that names a class of errors, such as `invalid_request_error`: a word, and no text or number. */
const isClassName = (name: string, value: string): boolean =>
  /\/(type|code|status)$/.test(name) && /^"[a-z][a-z_.-]{1,60}"$/i.test(value);

function refusalFacts(exchange: Exchange): Facts {
  const classes = [...features(exchange)].filter(
    ([name, value]) => name === 'status' || isClassName(name, value),
  );
  return Object.fromEntries(classes.map(([name, value]) => [`${name} of the refusal`, value]));
}

const listed = (names: readonly string[]): string => (names.length === 0 ? 'none' : names.join(', '));

const documentFacts = (json: unknown, protocol: Protocol) => {
  const present = protocolFacts[protocol].resultFields.filter((name) => isObject(json) && name in json);
  return {
    'fields of the result': listed(present),
    'fields that are not as stated': listed([...fieldViolations(protocol, json).keys()]),
  };
};

function streamFacts(stream: StreamReading, text: string, protocol: Protocol) {
  const shape = isTextProtocol(protocol) ? streamShapes[protocol](stream) : {};
  const broken = Object.entries(shape).flatMap(([name, aspect]) => (isFailure(aspect) ? [name] : []));
  return {
    'events that can be read': stream.problems.length > 0 ? 'not all' : 'all',
    'parts of events that are not as stated': listed(broken),
    'text in the stream': text === '' ? 'none' : 'some',
  };
}

function factsOfState(state: Judged, protocol: Protocol): Facts {
  if (state.kind === 'refused') return refusalFacts(state.exchange);
  const { reading } = state;
  const isStream = reading.kind === 'stream';
  const images = imagesOf(state)?.length;
  return {
    'form of the reply': isStream ? 'a stream' : 'one document',
    ...(isStream
      ? streamFacts(reading.stream, reading.text, protocol)
      : documentFacts(reading.json, protocol)),
    ...(images === undefined ? {} : { images: String(images) }),
  };
}

/** In what a reply differs from the recorded one, of what verdicts rest on. */
export function changesBetween(before: Judged, now: Judged, protocol: Protocol): readonly Change[] {
  if (before.kind !== now.kind) return [{ what: 'outcome', before: before.kind, now: now.kind }];
  const [then, today] = [factsOfState(before, protocol), factsOfState(now, protocol)];
  return Object.keys({ ...then, ...today }).flatMap((what) => {
    const [was, is] = [then[what] ?? 'absent', today[what] ?? 'absent'];
    return was === is ? [] : [{ what, before: was, now: is }];
  });
}

/** Whether a request carries a token in the documented form that no console issued. */
export const isInvented = ({ credential }: PlannedRequest): boolean => credential.form === 'invalid';

/** The token of the config that a request carries, whole or changed; undefined where it carries none. */
export function tokenOf({ credential, callers }: PlannedRequest): TokenName | undefined {
  if (credential.form === 'token') return credential.token;
  const carries = ['right', 'near-miss', 'conflicting'].includes(credential.form);
  return carries ? callers[0]?.group : undefined;
}

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
const isOfItsOwn = (request: PlannedRequest) => request.stage !== 'timed' && request.stage !== 'burst';

/** Characters of the body of a request that is to be answered: longer ones ask for long replies, or cost by themselves. */
const longestBody = 500;

/** Whether no more than a short text, or one image of the smallest size, is to come of it. */
function isCheap({ protocol, callers, body, billed }: PlannedRequest, recorded: Repeatable['recorded']) {
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

/** What can be asked again cheaply and alone: it was answered or refused for certain, as planned, and takes over nothing. Pure. */
export function repeatables(run: Recorded, live: Target): readonly Repeatable[] {
  const view = createEvidenceView(run.plan, run.evidence);
  return run.plan.requests.flatMap((planned): readonly Repeatable[] => {
    const entry = run.evidence.get(planned.id);
    if (!isExchange(entry) || (transientOf(entry) !== null && !isOwnLimit(planned, entry))) return [];
    const kind = judgedReply(view, planned)?.kind;
    // A few tokens may all go into what a model thinks: such a reply differs from time to time.
    if (kind === 'answered' && mayBeSilent(planned)) return [];
    if (kind === undefined || !isOfItsOwn(planned) || takenOver(planned).length > 0) return [];
    const request = alone(planned, view);
    const isUsable =
      isCheap(request, kind) &&
      isDeclared(request, live) &&
      isSentAs(request, entry.request, run.target, view);
    return isUsable ? [{ request, recorded: kind }] : [];
  });
}

/** One of so many is an answer: without one that works, refusals show nothing (principle 4). */
const answersIn = 4;

const place = (seed: number, { request }: Repeatable): string =>
  createHash('sha256').update(`${seed} ${request.id}`).digest('hex');

const token = ({ request }: Repeatable): string | undefined => tokenOf(request);

const oneOfEachToken = (list: readonly Repeatable[]): readonly Repeatable[] =>
  list.filter((one, at) => list.findIndex((other) => token(other) === token(one)) === at);

/** Refusals that tell something beside these answers: first one of an invented token, and of each token that nothing is answered to. */
function tellingRefusals(
  refused: readonly Repeatable[],
  answered: readonly Repeatable[],
  chosen: readonly Repeatable[],
): readonly Repeatable[] {
  const [accepted, all] = [new Set(chosen.map(token)), new Set(answered.map(token))];
  const invented = refused.filter(({ request }) => isInvented(request)).slice(0, 1);
  const unanswered = refused.filter((one) => !all.has(token(one)));
  const telling = refused.filter((one) => accepted.has(token(one)) || !all.has(token(one)));
  return [...new Set([...invented, ...oneOfEachToken(unanswered), ...telling])];
}

/** A random sample: refusals first, which cost nothing, and one answer in four; each kind fills up for the other. Pure. */
export function chooseSample(pool: readonly Repeatable[], size: number, seed: number): readonly Repeatable[] {
  const placed = pool.map((one) => ({ one, at: place(seed, one) }));
  const shuffled = placed.sort((a, b) => (a.at < b.at ? -1 : 1)).map(({ one }) => one);
  const of = (kind: Repeatable['recorded']): readonly Repeatable[] =>
    shuffled.filter(({ recorded }) => recorded === kind);
  const all = of('answered');
  // An answer shows that its token is accepted.
  const answered = [...new Set([...oneOfEachToken(all), ...all])];
  const fewest = Math.min(Math.ceil(size / answersIn), answered.length);
  const telling = tellingRefusals(of('refused'), answered, answered.slice(0, fewest));
  const refusals = telling.slice(0, size - fewest);
  return [...refusals, ...answered.slice(0, size - refusals.length)];
}
