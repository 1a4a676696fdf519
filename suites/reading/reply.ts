import type { RefusalForm, ReplyReading } from './reply-reading.ts';
import { parse as parsePartial } from 'partial-json';
import { areEventsUnspecified, type Protocol } from '../../spec/vocabulary.ts';
import type { Reply } from '../types/exchange.ts';
import { beginning, isDeepText, isText, judged, type Kept, lighter, parseJson } from './json.ts';
import { isError, isWholeResult, outputShape, resultShape } from './shape.ts';
import { frameText } from './frames.ts';
import { headerOf } from './headers.ts';
import { isObject } from '../../spec/json.ts';
import { valueFrames } from './non-json-frames.ts';
import { bytesOf, excerptChars, readStream, strayText, type StreamReading } from './stream.ts';
import { bringsText, isErrorEvent, streamText, textShape } from './text.ts';
import { type Seen, transientOf } from './transient.ts';

/** How the `type` of an event of each protocol begins; those of Messages are not shown, these are usual. */
const eventTypes: Readonly<Record<Protocol, readonly string[]>> = {
  chat: [],
  responses: ['response.'],
  messages: ['message', 'content', 'text', 'delta', 'completion'],
  images: ['image'],
};

function isNamedFor(data: unknown, protocol: Protocol): boolean {
  const type = isObject(data) ? data.type : undefined;
  return isText(type) && eventTypes[protocol].some((word) => type.startsWith(word));
}

const isEventOf = (data: unknown, protocol: Protocol): boolean =>
  isNamedFor(data, protocol) || resultShape(data, protocol) !== null;

/** The protocol in whose shape a stream comes: its own where any event is of that, with text or without. */
function streamShape(stream: StreamReading, protocol: Protocol): Protocol | undefined {
  const output = stream.events.map(({ data }) => outputShape(data, protocol)).find((shape) => shape !== null);
  const shapes = [textShape(stream, protocol), output];
  const isOwn = shapes.includes(protocol) || stream.events.some(({ data }) => isNamedFor(data, protocol));
  const found = shapes.find((shape) => shape !== null);
  return found && isOwn ? protocol : found;
}

function streamReading(
  stream: StreamReading,
  protocol: Protocol,
  isGood: boolean,
  prompt: () => string,
): ReplyReading {
  const text = streamText(stream, protocol);
  const shape = streamShape(stream, protocol);
  if (shape !== undefined) return { kind: 'stream', stream, text, shape };
  const error = stream.events.find(isErrorEvent);
  if (error !== undefined) return { kind: 'refusal', form: 'error-stream', json: error.data };
  const isOwn =
    stream.events.some(({ data }) => isEventOf(data, protocol)) ||
    stream.problems.some(({ excerpt }) => excerpt.trimStart().startsWith('{'));
  if (isOwn) return { kind: 'stream', stream, text, shape: protocol };
  if (isGood && areEventsUnspecified(protocol) && bringsText(stream, prompt()))
    return { kind: 'stream', stream, text, shape: protocol };
  const form = stream.events.length + stream.problems.length === 0 ? 'empty-stream' : 'other-stream';
  return { kind: 'refusal', form, ...(isGood ? { stream } : {}) };
}

function documentReading(json: unknown, protocol: Protocol, isBad: boolean): ReplyReading {
  // Some gateways wrap an error in an array of one.
  const document = Array.isArray(json) && json.length === 1 ? json[0] : json;
  const shape = isBad ? outputShape(document, protocol, true) : resultShape(document, protocol);
  if (shape !== null) return { kind: 'result', json, shape };
  const explained = isObject(document) && (isError(document) || isText(document.message));
  return { kind: 'refusal', form: explained ? 'error-json' : 'other-json', json };
}

const readDocument = (json: unknown, text: string, protocol: Protocol, { status }: Reply): ReplyReading =>
  documentReading(
    text.length > judged.chars ? lighter(json, keptOf(protocol)) : json,
    protocol,
    status >= 400,
  );

/** Whether a document may be an event of a stream. One of Messages that looks like a result is a result (6.1). */
function mayBeEvent(json: unknown, reading: ReplyReading, protocol: Protocol): boolean {
  if (reading.kind === 'result') return !areEventsUnspecified(protocol) && !isWholeResult(json, protocol);
  return reading.kind === 'refusal' && reading.form === 'other-json' && isEventOf(json, protocol);
}

/** The stream of a document that is its only event, framed by nothing else: its text may be one word; null where it brings none. */
function streamOfOne(json: unknown, reading: ReplyReading, protocol: Protocol, response: Reply) {
  if (!isGood(response) || !mayBeEvent(json, reading, protocol)) return null;
  const stream = readStream(response.body, false, 1);
  return textShape(stream, protocol) === null ? null : stream;
}

const typeOf = (reply: Reply): string => headerOf(reply, 'content-type') ?? '';

function textForm(response: Reply, text: string): RefusalForm {
  if (text.trim() === '') return 'empty';
  return /html/i.test(typeOf(response)) || /^\s*<(?:!doctype|html|head|body)/i.test(text) ? 'html' : 'text';
}

/** A body that is neither JSON nor a stream by its bytes; under the content type of a stream it is an empty or a broken one. */
function textReading(response: Reply, text: string, nothing: StreamReading): ReplyReading {
  const form = textForm(response, text);
  const isStream =
    isGood(response) && response.status !== 204 && /^text\/event-stream/i.test(typeOf(response));
  if (!isStream || form === 'html') return { kind: 'refusal', form };
  if (form === 'empty') return { kind: 'refusal', form: 'empty-stream', stream: nothing };
  const problem = { index: 0, message: strayText, excerpt: beginning(text, excerptChars) };
  return { kind: 'refusal', form: 'other-stream', stream: { ...nothing, problems: [problem] } };
}

const isGood = ({ status }: Reply): boolean => status >= 200 && status < 300;

/** What of a long document is judged: nothing in the pixels of an image is. */
const keptOf = (protocol: Protocol): Kept => (protocol === 'images' ? { ...judged, chars: 4096 } : judged);

/** Whether a text that is no JSON begins as a result does, so that only its end is lacking. */
function isCutResult(text: string, protocol: Protocol, response: Reply): boolean {
  // The parser takes very long for what is nested deeper than the stack.
  if (!isGood(response) || isDeepText(text)) return false;
  try {
    return resultShape(parsePartial(text.replace(/^\uFEFF/, '')), protocol) !== null;
  } catch {
    return false;
  }
}

/** So many bytes are kept of what stands behind a result. */
const longestTrail = 200;

/** The result that a body begins with; undefined where an event follows. Events of Messages may look like results (6.1). */
function trailedResult(bytes: Buffer, stream: StreamReading, protocol: Protocol): ReplyReading | undefined {
  const isEvent = (data: unknown): boolean =>
    isEventOf(data, protocol) && (areEventsUnspecified(protocol) || !isWholeResult(data, protocol));
  const isStream = stream.events.slice(1).some(({ data }) => isEvent(data));
  const [first] = isStream ? [] : valueFrames(bytes, 0, bytes.length, 1);
  const parsed = parseJson(first ? frameText(first) : '');
  if (!parsed.ok || !isWholeResult(parsed.value, protocol)) return undefined;
  const end = first?.lines.at(-1)?.end ?? bytes.length;
  const trail = bytes.toString('utf8', end, end + longestTrail).trim();
  return { kind: 'result', json: lighter(parsed.value, keptOf(protocol)), shape: protocol, trail };
}

/** What else is known where a reply is read. */
interface Known {
  /** Its retryable status is a refusal; see `ReplyHistory`. */
  readonly isKnownRefusal?: boolean;
  /** Whether a stream was asked for. */
  readonly isStreamed?: boolean;
  /** Gives what the turns say that it replies to, as JSON. */
  readonly prompt?: () => string;
}

/** What a reply amounts to for an endpoint, by its body and not its status. */
export function readReply(
  seen: Seen,
  protocol: Protocol,
  { isKnownRefusal = false, isStreamed = false, prompt = () => '' }: Known = {},
): ReplyReading {
  const transient = transientOf(seen);
  const { response } = seen;
  if (response === null) {
    const nothing = { cause: 'unreachable', detail: 'no status line came' } as const;
    return { kind: 'transient', transient: transient ?? nothing };
  }
  if (transient !== null && !(isKnownRefusal && transient.cause === 'status'))
    return { kind: 'transient', transient };
  if (seen.ending.kind === 'undecodable') return { kind: 'refusal', form: 'undecodable' };
  const { body } = response;
  const text = body.encoding === 'utf8' ? body.text : bytesOf(body).toString('utf8');
  const parsed = parseJson(text.replace(/^\uFEFF/, ''));
  const isDocument = /^\s*[{[]/.test(text);
  if (!parsed.ok && parsed.passes && isDocument)
    return { kind: 'transient', transient: { cause: 'too-complex', ...parsed.passes } };
  const json = parsed.ok ? parsed.value : undefined;
  const document = parsed.ok ? readDocument(json, text, protocol, response) : undefined;
  // What an event of Messages looks like is not shown: it may be bare text.
  const read = () => readStream(response.body, areEventsUnspecified(protocol));
  const one = isStreamed && document ? streamOfOne(json, document, protocol, response) : null;
  const stream = document && !Array.isArray(json) ? one : read();
  if (stream?.passes) return { kind: 'transient', transient: { cause: 'too-complex', ...stream.passes } };
  if (!parsed.ok && isDocument && stream?.framing === 'none' && isCutResult(text, protocol, response))
    return { kind: 'transient', transient: { cause: 'cut-document', bytes: body.bytes } };
  const trailed =
    !parsed.ok && isDocument && stream && stream.framing !== 'sse'
      ? trailedResult(bytesOf(body), stream, protocol)
      : undefined;
  if (trailed) return trailed;
  const reading =
    stream !== null && stream.framing !== 'none'
      ? streamReading(stream, protocol, isGood(response), prompt)
      : (document ?? textReading(response, text, stream ?? read()));
  const isRedirect = response.status >= 300 && response.status < 400;
  return reading.kind === 'refusal' && isRedirect ? { ...reading, form: 'redirect' } : reading;
}
