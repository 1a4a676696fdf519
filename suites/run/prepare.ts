import type { Target, Token } from '../../fixtures/target/target.ts';
import { protocolFacts } from '../../spec/protocols.ts';
import type { Json } from '../../spec/vocabulary.ts';
import { type EvidenceView, isTaken, takenFrom, isAnswered } from '../checks/evidence-view.ts';
import { bodyBytes, mayBringImages } from '../types/limits.ts';
import type { SentRequest } from '../types/exchange.ts';
import { valueAt } from '../reading/json.ts';
import { type PlannedRequest, type Caller, type Damage, takenOver } from '../types/plan.ts';
import { type FromReply, isHole, type Template } from '../types/template.ts';
import type { UnsentReason } from '../types/reasons/exchange-reasons.ts';
import { unsentWords } from '../types/reasons/exchange-words.ts';
import { factsOf, isAnswerDue } from '../reading/request-facts.ts';
import { cellId } from '../types/request-ids.ts';
import { type NearMissToken, nearMissToken } from './near-miss-token.ts';
import { addedHeaders, type Prepared, type TimingKind } from '../wire/send.ts';

/** Of a text without blanks between its values: the last blank is in a string. */
function withLineFeed(text: string): string {
  const at = text.lastIndexOf(' ');
  return `${text.slice(0, at)}\n${text.slice(at + 1)}`;
}

const damages: Readonly<Record<Damage, (text: string) => string>> = {
  // Whoever completes it finds every parameter there.
  cut: (text) => text.slice(0, -1),
  empty: () => '',
  'trailing-comma': (text) => text.replace(/\}$/, ',}'),
  comment: (text) => text.replace(/^\{/, '{/* a request */'),
  twice: (text) => `${text}\n${text}`,
  'line-feed': withLineFeed,
  'not-a-number': (text) => text.replace(/-?[\d.]+\}$/, 'NaN}'),
  'single-quotes': (text) =>
    text.replace(/"((?:[^"\\]|\\.)*)"/g, (_, inside: string) => `'${inside.replaceAll("'", "\\'")}'`),
  'bare-names': (text) => text.replace(/"(\w+)":/g, '$1:'),
};

/** Makes something of a JSON object, as `JSON.stringify` writes it, that is not JSON (section 4). */
export const damagedJson = (text: string, damage: Damage): string => damages[damage](text);

/** A planned request cannot be made into one that is sent. */
export class NotPreparable extends Error {
  override readonly name = 'NotPreparable';
  readonly reason: UnsentReason;
  constructor(reason: UnsentReason) {
    super(unsentWords(reason));
    this.reason = reason;
  }
}

/** The request whose reply another takes an id over from: what stands for it, where something does. */
function sourceOf(request: PlannedRequest, view: EvidenceView): PlannedRequest | undefined {
  const [taken] = takenOver(request);
  return taken && view.request(view.state(taken.exchange).exchange?.id ?? taken.exchange);
}

/** The caller that serves: the first that was answered, for a stream one that does not refuse it; of an id its owner, whom others lack. */
export function callerOf(request: PlannedRequest, view: EvidenceView): Caller | undefined {
  const source = sourceOf(request, view);
  if (source !== undefined) return callerOf(source, view);
  const { callers, protocol, stream } = request;
  const serving = callers.filter((caller) => isAnswered(view, cellId(caller, protocol)));
  const streams = (id: string): boolean => view.state(id).kind !== 'refused' || isTaken(view, id);
  const streaming = stream && serving.find((caller) => streams(cellId(caller, protocol, true)));
  return streaming || (serving[0] ?? callers[0]);
}

/** Makes a planned request into one that can be sent. Throws `NotPreparable` where an earlier reply lacks what it needs. */
export function prepare(request: PlannedRequest, target: Target, view: EvidenceView): Prepared {
  const caller = callerOf(request, view);
  if (caller === undefined) throw new NotPreparable({ kind: 'no-model-declared' });
  const model = caller.model ?? target.models[caller.family] ?? '';
  const token = target.tokens[caller.group];
  if (token === undefined) throw new NotPreparable({ kind: 'no-token-declared', token: caller.group });
  const body = bodyFor(request, model, view);
  const common = {
    accept: request.accept,
    ...(body === null ? {} : { 'content-type': request.contentType }),
    ...request.headers,
    ...versionHeader(request, target),
  };
  return {
    id: request.id,
    method: request.method,
    url: `${target.baseUrl}${request.path}`,
    headers: { ...common, ...credential(request, target, token, 'value') },
    shownHeaders: { ...common, ...credential(request, target, token, 'shown') },
    body,
    maxBytes: request.breaksOff ? 1 : mayBringImages(request, [caller]) ? bodyBytes.images : bodyBytes.text,
    credential: pausedWith(request, caller),
    model,
    route: `${request.path} ${model}`,
    timingKind: timingKindOf(request),
  };
}

/** Whether a request was sent as it is planned: method, address, body, and headers as they are shown. */
export function isSentAs(
  request: PlannedRequest,
  sent: SentRequest,
  target: Target,
  view: EvidenceView,
): boolean {
  // A near-miss token is made of the token of who sends it: that it is not that token is all that can be told.
  const isNearMiss = request.credential.form === 'near-miss';
  const { header } = protocolFacts[request.protocol].credential;
  try {
    const made = prepare(isNearMiss ? { ...request, credential: { form: 'right' } } : request, target, view);
    const headers: Readonly<Record<string, string>> = { ...addedHeaders(), ...made.shownHeaders };
    return (
      made.method === sent.method &&
      made.url === sent.url &&
      made.body === sent.body &&
      Object.keys({ ...headers, ...sent.headers }).every(
        (name) => (headers[name] === sent.headers[name]) !== (isNearMiss && name === header),
      )
    );
  } catch (error) {
    if (error instanceof NotPreparable) return false;
    throw error;
  }
}

/** What a request says of a stream: one that is no boolean may be taken for either. */
function streamWords({ body, stream }: Pick<PlannedRequest, 'body' | 'stream'>): string {
  if (stream) return ' streamed';
  const said = valueAt(body?.json, '/stream');
  return said === undefined || typeof said === 'boolean' ? '' : ' perhaps streamed';
}

/** The requests of which some that get no reply in time speak for all. */
export function timingKindOf(request: PlannedRequest): TimingKind {
  const { path, breaksOff, expect } = request;
  const asked = `${path}${streamWords(request)}${breaksOff ? ', broken off' : ''}`;
  return {
    name: `${asked}, ${factsOf(request).credential} credential, ${expect}`,
    endpoint: path,
    isAnswerDue: isAnswerDue(request),
  };
}

/** A pause that is asked of a wrong credential says nothing of the right one. */
function pausedWith(request: PlannedRequest, { group }: Caller): string {
  if (factsOf(request).credential === 'wrong') return 'wrong credential';
  return request.credential.form === 'token' ? request.credential.token : group;
}

/** The body that a planned request is sent with to a model; null where it has none. Throws as `prepare` does. */
function bodyFor({ body, method }: PlannedRequest, model: string, view: EvidenceView): string | null {
  if (body === null || method === 'GET') return null;
  const text = JSON.stringify(filled(body.json ?? null, model, view));
  return body.damage ? damagedJson(text, body.damage) : text;
}

function filled(template: Template, model: string, view: EvidenceView): Json {
  if (isHole(template))
    return template.$ === 'model'
      ? `${template.prefix ?? ''}${model}${template.suffix ?? ''}`
      : fromReply(template, view);
  if (Array.isArray(template)) return template.map((inner: Template) => filled(inner, model, view));
  if (typeof template !== 'object' || template === null) return template as Json;
  return Object.fromEntries(
    Object.entries(template).map(([name, inner]) => [name, filled(inner, model, view)]),
  );
}

function fromReply(hole: FromReply, view: EvidenceView): string {
  const value = takenFrom(view, hole);
  if (value === undefined)
    throw new NotPreparable({ kind: 'reply-lacks', exchange: hole.exchange, pointer: hole.pointer });
  return value;
}

function versionHeader(
  { protocol, version }: PlannedRequest,
  { versionHeader: { name, value } }: Target,
): Record<string, string> {
  if (!protocolFacts[protocol].hasVersionHeader || version === 'absent') return {};
  return { [name.toLowerCase()]: version === 'declared' ? value : version.value };
}

/** The credential header, with the token as its value or as what stands for it. */
function credential(
  request: PlannedRequest,
  target: Target,
  token: Token,
  as: keyof NearMissToken,
): Record<string, string> {
  const { header, value: shape } = protocolFacts[request.protocol].credential;
  const documented = (value: string): Record<string, string> => ({
    [header]: shape.replace('{token}', () => value),
  });
  const show = (used: Token): string => (as === 'value' ? used.value : `\${${used.variable}}`);
  const asked = request.credential;
  switch (asked.form) {
    case 'none':
      return {};
    case 'right':
      return documented(show(token));
    case 'invalid':
      return documented(asked.token);
    case 'conflicting':
      return { ...documented(asked.token), authorization: `Bearer ${show(token)}` };
    case 'near-miss': {
      const wrong = nearMissToken(token, asked.how, target);
      if (wrong === undefined) throw new NotPreparable({ kind: 'no-near-miss' });
      return documented(wrong[as]);
    }
    case 'token': {
      const other = target.tokens[asked.token];
      if (other === undefined) throw new NotPreparable({ kind: 'no-token-declared', token: asked.token });
      return documented(show(other));
    }
    case 'header':
      return { [asked.name]: asked.value.replace('{token}', () => show(token)) };
    default:
      return asked satisfies never;
  }
}
