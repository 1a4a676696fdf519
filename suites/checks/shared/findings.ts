import type { AskedText, Failure, Outcome, OutcomeWithReason } from '../../types/finding.ts';
import type { FailureReason, InconclusiveReason, UntestedReason } from '../../types/reasons/index.ts';
import { shorten } from '../../../spec/text.ts';
import type { Exchange, Reply } from '../../types/exchange.ts';
import { endingWords, unclearWords } from '../../types/reasons/exchange-words.ts';
import { beginning } from '../../reading/json.ts';
import { headerOf } from '../../reading/headers.ts';
import { hasCome } from '../../reading/transient.ts';
import type { EvidenceView, State } from '../evidence-view.ts';
import { takenOver } from '../../types/plan.ts';
import type { ReplyRef } from '../../types/separation.ts';
import { bodyOf } from '../../reading/sent-request.ts';

const excerptLength = 160;

/** An id or other data so long that nothing else would be seen next to it. */
const longData = /[\w+/=.~:-]{72,}/g;

/** The beginning of a text on one line, with long data cut short. */
export function excerpt(text: string, length = excerptLength): string {
  // Not the whole text: it may be megabytes.
  const line = beginning(text, length * 8)
    .replace(longData, (data) => `${data.slice(0, 24)}…`)
    .replace(/\s+/g, ' ')
    .trim();
  return shorten(line, length);
}

export function describeHead(response: Reply): string {
  const location = response.status < 400 && headerOf(response, 'location');
  const status = `HTTP ${response.status}${location ? ` to ${excerpt(location)}` : ''}`;
  return `${status}, ${excerpt(headerOf(response, 'content-type') ?? 'no content type')}`;
}

/** What came back, in one line: status, content type, and how the body begins. */
export function describeReply({ response, ending }: Exchange): string {
  if (response === null) return `no reply (${endingWords(ending)})`;
  const { body } = response;
  const text = body.encoding === 'utf8' ? excerpt(body.text) : 'binary';
  const came = body.bytes === 0 ? 'no body' : text;
  const end = hasCome(ending) ? '' : `, then ${endingWords(ending)}`;
  return `${describeHead(response)}, ${ending.kind === 'undecodable' ? endingWords(ending) : came}${end}`;
}

const describeStatus = ({ response, ending }: Exchange): string =>
  response === null ? `no reply (${endingWords(ending)})` : `HTTP ${response.status}`;

/** Why a state shows nothing, in few words: of a request that waited in vain, what the one before it got. */
export const describeUnclear = ({ why, behind }: Extract<State, { kind: 'unclear' }>): string =>
  behind === undefined ? unclearWords(why) : `not sent, for ${behind.id} got ${describeStatus(behind)}`;

export function describeState(state: State): string {
  if (state.kind !== 'unclear') return describeReply(state.exchange);
  const why = describeUnclear(state);
  // Without a reply it is told why already.
  return state.exchange?.response ? `${why}: ${describeReply(state.exchange)}` : why;
}

/** What became of the first of some requests, in one line. */
export const describeFirst = (view: EvidenceView, [first]: readonly string[]): string =>
  first === undefined ? 'not sent' : describeState(view.state(first));

/** A JSON value as a finding shows it; what is not there is `nothing`. */
export const describeValue = (value: unknown): string =>
  value === undefined ? 'no value' : excerpt(JSON.stringify(value) ?? String(value));

/** A reason, or only its kind where it takes no data. */
type Given<Reason extends { readonly kind: string }> =
  | Reason
  | (Reason extends unknown ? (keyof Reason extends 'kind' ? Reason['kind'] : never) : never);

const reasonOf = <Reason extends { readonly kind: string }>(given: Given<Reason>): Reason =>
  (typeof given === 'string' ? { kind: given } : given) as Reason;

/** What one exchange shows of a requirement: kept, broken, or nothing. */
export type Aspect = 'kept' | Failure | undefined;

export const isFailure = (aspect: Aspect): aspect is Failure => typeof aspect === 'object';

/** @param exchange the one that shows it */
export const pass = (exchange?: string): Outcome => ({
  verdict: 'pass',
  ...(exchange === undefined ? {} : { exchange }),
});

export const fail = (
  reason: Given<FailureReason>,
  actual: string,
  where: Pick<Failure, 'pointer' | 'exchange'> = {},
): Failure => ({ verdict: 'fail', reason: reasonOf(reason), actual, ...where });

export const inconclusive = (
  reason: Given<InconclusiveReason>,
  actual?: string,
  nonGating?: 'too-fast',
): Extract<OutcomeWithReason, { readonly verdict: 'inconclusive' }> => ({
  verdict: 'inconclusive',
  reason: reasonOf(reason),
  ...(actual === undefined ? {} : { actual }),
  ...(nonGating === undefined ? {} : { nonGating }),
});

/** Not decided for what the model says: only where `asked` replies lack the text that was asked for (principle 17). */
export const dependsOnModel = (
  reason: Given<InconclusiveReason>,
  asked: readonly AskedText[],
  actual?: string,
): OutcomeWithReason => ({
  ...inconclusive(reason, actual),
  ...(asked.some(({ isSaid }) => !isSaid) ? { nonGating: 'model-behaviour', asked } : {}),
});

/** Replies none of which holds the text that was asked for. */
export const unsaid = (exchanges: readonly string[]): readonly AskedText[] =>
  exchanges.map((exchange) => ({ exchange, isSaid: false }));

export const untested = (reason: Given<UntestedReason>): OutcomeWithReason => ({
  verdict: 'untested',
  reason: reasonOf(reason),
});

export interface JudgedReply extends ReplyRef {
  readonly aspect: Aspect;
}

export const lastOf = ({ exchange }: State, id: string): ReplyRef => ({
  id: exchange?.id ?? id,
  attempt: Math.max(0, (exchange?.attempts.length ?? 0) - 1),
});

export const replyOf = (view: EvidenceView, id: string, aspect: Aspect): JudgedReply => ({
  ...lastOf(view.state(id), id),
  aspect,
});

/** What of a reason is about one reply. */
const ofOne: ReadonlySet<string> = new Set(['text', 'nonce', 'inStream']);

/** Alike for failures of the same kind at the same place, whatever was said there. */
export const wayOf = ({ reason, pointer = '' }: Failure): string =>
  JSON.stringify([reason, reason.kind === 'field-missing' && pointer], (name, value: unknown) =>
    ofOne.has(name) ? null : value,
  ).replace(/\d+/g, '0');

/** What a request has more than the least: a chain behind it, a stream, parameters and headers, its length. */
function sizeOf(view: EvidenceView, id: string): readonly number[] {
  const { exchange } = view.state(id);
  const planned = exchange && view.requestOf(exchange);
  if (!exchange || !planned) return [Number.POSITIVE_INFINITY];
  const { request } = exchange;
  return [
    takenOver(planned).length,
    Number(planned.stream),
    Object.keys(bodyOf(request) ?? {}).length + Object.keys(request.headers).length,
    request.body?.length ?? 0,
  ];
}

/** Of exchanges the one whose request is the shortest; of those alike the first. */
export function shortestOf<Of extends { readonly id: string }>(
  view: EvidenceView,
  those: readonly Of[],
): Of | undefined {
  const [first] = those
    .map((one) => ({ one, size: sizeOf(view, one.id) }))
    .sort((one, other) => {
      const at = one.size.findIndex((each, place) => each !== other.size[place]);
      return at < 0 ? 0 : (one.size[at] ?? 0) - (other.size[at] ?? 0);
    });
  return first?.one;
}

/** The kind of failure that most replies show, by the shortest request that got it. Undefined where none fails. */
export function failureIn(view: EvidenceView, replies: readonly JudgedReply[]): Failure | undefined {
  const judged = replies.filter(({ aspect }) => aspect !== undefined);
  const ways = new Map<string, (ReplyRef & { readonly failure: Failure })[]>();
  for (const { id, attempt, aspect } of judged) {
    if (!isFailure(aspect)) continue;
    const way = wayOf(aspect);
    ways.set(way, [...(ways.get(way) ?? []), { id, attempt, failure: aspect }]);
  }
  const [most] = [...ways.values()].sort((one, other) => other.length - one.length);
  const shown = most && shortestOf(view, most);
  if (!most || !shown) return undefined;
  const refOf = ({ id, attempt }: ReplyRef): ReplyRef => ({ id, attempt });
  const shows = new Set(most.map(({ id, attempt }) => `${id} ${attempt}`));
  const kept = judged.filter(({ id, attempt }) => !shows.has(`${id} ${attempt}`));
  return {
    ...shown.failure,
    exchange: shown.id,
    replies: { broken: most.map(refOf), kept: kept.map(refOf) },
  };
}
