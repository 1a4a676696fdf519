import type { JointAspect, ObservedAspect } from '../../types/checks/replies.ts';
import { protocolFacts } from '../../../spec/protocols.ts';
import type { Protocol } from '../../../spec/vocabulary.ts';
import type { Exchange } from '../../types/exchange.ts';
import { isObject } from '../../../spec/json.ts';
import { count } from '../../../spec/text.ts';
import { unclearWords } from '../../types/reasons/exchange-words.ts';
import { headerOf } from '../../reading/headers.ts';
import { modelSent } from '../../reading/reply-words.ts';
import { bodyOf } from '../../reading/sent-request.ts';
import { elements, isText, valueAt } from '../../reading/json.ts';
import { documentOf, type State, textOf } from '../evidence-view.ts';
import { excerpt } from './findings.ts';
import { imagesOf } from './image-data.ts';
import { internalsIn } from './internals.ts';
import { holds } from './nonces.ts';
import { completionTokens, isBeyond } from '../result-fields.ts';

type Answered = Extract<State, { kind: 'answered' }>;

interface Asked {
  readonly protocol: Protocol;
  readonly nonce?: string;
  readonly limit?: number;
  /** The models that others were asked with. */
  readonly models?: readonly string[];
  readonly control?: { readonly state: State; readonly nonce?: string };
}

/** What a reply shows of an aspect, in words; where part of it varies by nature, with what does not. */
export type Seen =
  | string
  | {
      readonly value: string;
      /** Null where nothing of it is the same run after run. */
      readonly stable: string | null;
      /** It is as good in a reply that proves nothing else. */
      readonly whenUnclear?: true;
    };

/** Undefined where a reply shows nothing of an aspect. */
type Observer = (state: State, asked: Asked) => Seen | undefined;

/** In words, without what is stable of it. */
export const wordsOf = (seen: Seen): string => (typeof seen === 'string' ? seen : seen.value);

const header = ({ response }: Exchange, name: string): string | undefined =>
  response === null ? undefined : headerOf(response, name);

const typeOf = (exchange: Exchange): string => header(exchange, 'content-type') ?? 'no content type';

const status = ({ response }: Exchange): string => `HTTP ${response?.status ?? 'none'}`;

function verdictOf(state: State): string | undefined {
  if (state.kind === 'unclear') return state.exchange && `no answer (${unclearWords(state.why)})`;
  const isStream = state.kind === 'answered' && state.reading.kind === 'stream';
  return `${state.kind}${isStream ? ' by a stream' : ''}, ${status(state.exchange)}`;
}

function bodyForm(exchange: Exchange): Seen {
  const { response } = exchange;
  if (response === null) return 'no reply';
  const type = typeOf(exchange);
  try {
    const json: unknown = JSON.parse(response.body.text);
    return `${type}: JSON with ${outline(json)}`;
  } catch {
    if (response.body.bytes === 0) return `${type}: empty`;
    // A page may hold an id or a time.
    return { value: `${type}: ${excerpt(response.body.text, 60)}`, stable: `${type}: text` };
  }
}

/** Names of members, one level into `error`. */
function outline(json: unknown): string {
  if (!isObject(json)) return Array.isArray(json) ? 'an array' : typeof json;
  return Object.entries(json)
    .map(([name, value]) => (isObject(value) ? `${name}{${Object.keys(value).sort().join(', ')}}` : name))
    .sort()
    .join(', ');
}

function eventTypes(state: Answered, protocol: Protocol): Seen | undefined {
  if (state.reading.kind !== 'stream') return undefined;
  const names = state.reading.stream.events.map(({ data, name }) => {
    if (!isObject(data)) return name ?? typeof data;
    if (protocol === 'chat') return Object.keys(data).sort().join(' ');
    return typeof data.type === 'string' ? data.type : (name ?? 'untyped');
  });
  const types = [...new Set(names)];
  // Pings come in between, now earlier and now later.
  return { value: types.join(', '), stable: types.sort().join(', ') };
}

function internals({ response, request }: Exchange, models: readonly string[]): Seen {
  const host = URL.canParse(request.url) ? new URL(request.url).host : '';
  const found = response?.body.encoding === 'utf8' ? internalsIn(response.body.text, host, models) : [];
  // A path or a host may have the number of a process in it.
  return found.length === 0 ? 'nothing internal' : { value: found.join(', '), stable: 'something internal' };
}

function usageSum(state: Answered): Seen | undefined {
  const usage = valueAt(documentOf(state), '/usage');
  if (!isObject(usage)) return undefined;
  const { prompt_tokens: prompt, completion_tokens: completion, total_tokens: total } = usage;
  if (typeof prompt !== 'number' || typeof completion !== 'number' || typeof total !== 'number')
    return undefined;
  if (prompt + completion === total) return 'the sum';
  return { value: `${total}, and the sum is ${prompt + completion}`, stable: 'not the sum' };
}

/** By how much the tokens of a prompt are more than it has bytes, of which each token has one at least. */
function promptTokens(state: Answered): Seen | undefined {
  const tokens = valueAt(documentOf(state), '/usage/prompt_tokens');
  if (typeof tokens !== 'number') return undefined;
  const messages = elements(bodyOf(state.exchange.request)?.messages);
  const texts = messages.map((message) => valueAt(message, '/content')).filter(isText);
  const bytes = Buffer.byteLength(texts.join(''));
  if (tokens <= bytes) return 'no more tokens than the prompt has bytes';
  return {
    value: `${tokens} tokens for ${bytes} bytes: ${tokens - bytes} at least are for something else, such as the form of a chat or a hidden prompt`,
    stable: 'more tokens than the prompt has bytes',
  };
}

function framing(state: Answered): string | undefined {
  if (state.reading.kind !== 'stream') return undefined;
  const { framing: kind, terminator, terminators, lineEnding } = state.reading.stream;
  const times = terminators > 1 ? ` ×${terminators}` : '';
  const end = terminator === null ? 'no terminator' : `${terminator}${times} at the end`;
  return `${kind}, ${typeOf(state.exchange)}, line ends ${lineEnding}, ${end}`;
}

/** How an image comes inside a text: a link, a data URL, JSON, or words. */
function imageForm(text: string): Seen {
  if (/!\[[^\]]*\]\(data:/.test(text)) return 'a Markdown image with a data URL';
  if (/!\[[^\]]*\]\(/.test(text)) return 'a Markdown image with a URL';
  if (/^\s*data:image/.test(text)) return 'a data URL';
  if (/^\s*https?:\S+\s*$/.test(text)) return 'a URL';
  // Words in place of an image are the model's own.
  return { value: text.trim() === '' ? 'no text' : `other text: ${excerpt(text, 60)}`, stable: null };
}

const namesOf = (image: Readonly<Record<string, unknown>>): readonly string[] =>
  Object.keys(image)
    .filter((name) => image[name] !== null)
    .sort();

const answered =
  (look: (state: Answered, asked: Asked) => Seen | undefined): Observer =>
  (state, asked) =>
    state.kind === 'answered' ? look(state, asked) : undefined;

/** Looks at a reply to a request that failed, whether it is a refusal or asks to come back. */
const onFailed =
  (look: (exchange: Exchange, asked: Asked) => Seen): Observer =>
  (state, asked) =>
    state.kind === 'answered' || state.exchange === undefined ? undefined : look(state.exchange, asked);

/** Why a reply does not show how one ends that `max_tokens` ends; undefined where it does. */
function unlimited(state: Answered, { protocol, limit, control }: Asked): Seen | undefined {
  if (limit === undefined || control === undefined) return undefined;
  if (isBeyond(textOf(state, protocol), limit) || (completionTokens(state.reading) ?? 0) > limit)
    return { value: 'unknown: max_tokens does not limit the reply', stable: null };
  return isBeyond(textOf(control.state, protocol), limit)
    ? undefined
    : { value: 'unknown: without max_tokens the reply is no longer', stable: null };
}

export const observers: Readonly<Record<Exclude<ObservedAspect, JointAspect>, Observer>> = {
  'answer-or-refusal': verdictOf,
  'refusal-status': onFailed(status),
  'refusal-body': onFailed(bodyForm),
  'refusal-internals': onFailed((exchange, { models = [] }) => {
    const others = models.filter((name) => name !== modelSent(exchange));
    return internals(exchange, others);
  }),
  'retry-after': onFailed((exchange) => {
    const seconds = header(exchange, 'retry-after');
    const stable = seconds === undefined ? 'no Retry-After' : 'Retry-After';
    const seen = { value: seconds ?? stable, stable: exchange.response === null ? null : stable };
    return { ...seen, whenUnclear: true };
  }),
  framing: answered(framing),
  'result-transport': answered(({ exchange, reading }) =>
    reading.kind === 'stream' ? undefined : `${status(exchange)}, ${typeOf(exchange)}`,
  ),
  'event-types': answered((state, { protocol }) => eventTypes(state, protocol)),
  'usage-sum': answered(usageSum),
  'prompt-tokens': answered(promptTokens),
  'extra-fields': answered((state, { protocol }) => {
    const json = documentOf(state);
    if (!isObject(json)) return undefined;
    const listed: readonly string[] = protocolFacts[protocol].resultFields;
    const extra = Object.keys(json).filter((name) => !listed.includes(name));
    return extra.length === 0 ? 'none' : extra.sort().join(', ');
  }),
  'finish-reason': answered(
    (state, asked) =>
      unlimited(state, asked) ?? JSON.stringify(valueAt(documentOf(state), '/choices/0/finish_reason')),
  ),
  'image-count': answered((state) => {
    const data = imagesOf(state);
    return data && count(data.length, 'image');
  }),
  'image-layout': answered((state) => {
    const [image] = imagesOf(state) ?? [];
    return image === undefined ? undefined : isObject(image) ? namesOf(image).join(', ') : typeof image;
  }),
  'chat-image-layout': answered((state) => imageForm(textOf(state, 'chat'))),
  recalled: answered((state, { protocol, nonce, control }) => {
    if (nonce === undefined) return undefined;
    // Whether a model says what it was told is its own, however often it does.
    const seen = (value: string): Seen => ({ value, stable: null });
    if (holds(textOf(state, protocol), nonce)) return seen('carried');
    return seen(
      control?.nonce === undefined || holds(textOf(control.state, protocol), control.nonce)
        ? 'not carried'
        : 'unknown: the model does not even give back what the request itself says',
    );
  }),
};
