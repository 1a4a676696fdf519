import type { TextIncrement } from './timing.ts';
import { areEventsUnspecified, type Protocol, textProtocols } from '../../spec/vocabulary.ts';
import { isError, isFilled, textOf } from './shape.ts';
import { guessText, mayHoldText, withoutSummary } from './guess-text.ts';
import { isObject, type JsonObject } from '../../spec/json.ts';
import { isText, objects, valueAt } from './json.ts';
import type { ReplyReading } from './reply-reading.ts';
import type { StreamEvent, StreamReading } from './stream.ts';

/** Whether an event says that something went wrong, by its name or by its data. */
export function isErrorEvent({ name, data }: Pick<StreamEvent, 'name' | 'data'>): boolean {
  if (name === 'error') return true;
  if (!isObject(data)) return false;
  return (
    isError(data) || data.type === 'response.failed' || (isObject(data.response) && isError(data.response))
  );
}

/** Whether an error is all that an event holds, or one of its members that is an object. */
const holdsError = (data: JsonObject): boolean =>
  isFilled(data.error) && (isObject(data.error) || Object.keys(data).length === 1);

/** The first event that says plainly that the reply failed, whatever text came before it (7). */
export const failureEvent = ({ events }: StreamReading): StreamEvent | undefined =>
  events.find(
    ({ name, data }) =>
      name === 'error' ||
      (isObject(data) && (data.type === 'error' || data.type === 'response.failed' || holdsError(data))),
  );

const textAt = (value: unknown, pointer: string): string => {
  const text = valueAt(value, pointer);
  return isText(text) ? text : '';
};

const chatDelta = (data: JsonObject): string => textAt(objects(data.choices)[0], '/delta/content');

/** Where the text of a Messages event may stand; its event types are not shown (section 6). */
const places = ['/delta', '/delta/text', '/text', '/content', '/completion', '/delta/content'];

/** Events of the known dialect that carry no text of their own. */
const silent = new Set(['message_start', 'message_delta', 'message_stop', 'content_block_stop', 'ping']);

const typeOf = ({ data, name }: StreamEvent): string => textAt(data, '/type') || (name ?? '');

function messagesDelta(event: StreamEvent): string {
  const { data } = event;
  if (!isObject(data)) return '';
  const type = typeOf(event);
  if (type === 'content_block_delta') return textAt(data, '/delta/text');
  if (type === 'content_block_start') return textAt(data, '/content_block/text');
  // An error may hold its explanation in any of these places.
  if (silent.has(type) || isErrorEvent(event)) return '';
  return places.map((pointer) => textAt(data, pointer)).find(isText) ?? chatDelta(data);
}

const increment: Readonly<Record<Protocol, (event: StreamEvent) => string>> = {
  chat: ({ data }) => (isObject(data) ? chatDelta(data) : ''),
  responses: ({ data }) =>
    isObject(data) && data.type === 'response.output_text.delta' ? textAt(data, '/delta') : '',
  messages: messagesDelta,
  images: () => '',
};

/** A last event may say the whole text once more. */
const summary = /(?:done|stop|end|final|finish|finished|complete|completed|message)$/i;

const isSummary = (event: StreamEvent, text: string, sofar: string): boolean =>
  text === sofar && sofar !== '' && summary.test(typeOf(event));

/** The text that each event adds where the shape of a protocol has it: in its own place it is text, whatever else the event has. */
function knownIncrements(stream: StreamReading, protocol: Protocol): readonly TextIncrement[] {
  const increments: TextIncrement[] = [];
  // Only where the events are not shown may the last say all of the text once more.
  const mayRepeat = areEventsUnspecified(protocol);
  let sofar = '';
  for (const event of stream.events) {
    const text = event.name === 'error' ? '' : increment[protocol](event);
    if (text === '' || (mayRepeat && isSummary(event, text, sofar))) continue;
    if (mayRepeat) sofar += text;
    increments.push({ index: event.index, atMs: event.atMs, text });
  }
  const last = stream.events[increments.at(-1)?.index ?? -1];
  // In the known dialect a fragment is text, and nothing else.
  return mayRepeat && last && typeOf(last) !== 'content_block_delta'
    ? withoutSummary(increments)
    : increments;
}

const speaking = (stream: StreamReading): readonly StreamEvent[] =>
  stream.events.filter((event) => !isErrorEvent(event));

/** The text that each event adds, where any. Where that of Messages stands is not shown (6.1): if nowhere known, it is looked for. */
export function textIncrements(stream: StreamReading, protocol: Protocol): readonly TextIncrement[] {
  const known = knownIncrements(stream, protocol);
  if (known.length > 0 || !areEventsUnspecified(protocol)) return known;
  return guessText(speaking(stream))?.pieces ?? [];
}

export const isAscii = (text: string): boolean => !/[^\0-\x7f]/.test(text);

/** The letters and digits of a text, composed and in lower case. */
export const bareLetters = (text: string): string =>
  // Most text is ASCII, and the classes of Unicode are slow.
  isAscii(text)
    ? text.toLowerCase().replace(/[^a-z0-9]+/g, '')
    : text
        .normalize('NFC')
        .toLowerCase()
        .replace(/[^\p{L}\p{N}]+/gu, '');

/** Words of fewer letters stand in any prompt. */
const fewestAsked = 5;

/** Whether a text is nothing but words of the prompt, such as the one that was asked for: no refusal says those alone. */
function isOfPrompt(pieces: readonly TextIncrement[], prompt: string): boolean {
  const letters = bareLetters(pieces.map(({ text }) => text).join(''));
  return letters.length >= fewestAsked && bareLetters(prompt).includes(letters);
}

/** Whether events of Messages, without an error among them, bring text in a shape of their own. `prompt`: what was asked, as JSON. */
export function bringsText(stream: StreamReading, prompt: string): boolean {
  if (stream.events.some(isErrorEvent)) return false;
  const guess = guessText(stream.events);
  return guess !== null && (guess.sure || isOfPrompt(guess.pieces, prompt));
}

/** Whether a stream of Messages holds strings of which any may be text that we can't tell. */
export const mayBringText = (stream: StreamReading): boolean => mayHoldText(speaking(stream));

/** Where the text of a result stands (2.3 to 2.5). */
export const resultText: Readonly<Record<Protocol, readonly string[]>> = {
  chat: ['/choices/0/message/content'],
  responses: ['/output/0/content/0/text', '/output_text'],
  messages: ['/content/0/text'],
  images: [],
};

/** Whether a Messages result has an empty list of content blocks. */
export const hasNoBlock = (json: unknown): boolean => {
  const content = valueAt(json, '/content');
  return Array.isArray(content) && content.length === 0;
};

/** Whether a result is whole, and its text empty: one without the field is broken. */
const hasEmptyText = (json: unknown, protocol: Protocol): boolean =>
  resultText[protocol].some((pointer) => valueAt(json, pointer) === '') ||
  (protocol === 'messages' && hasNoBlock(json));

export const isSilentStream = (stream: StreamReading, protocol: Protocol): boolean =>
  textIncrements(stream, protocol).length === 0 && !(areEventsUnspecified(protocol) && mayBringText(stream));

/** Whether an answer says nothing: an empty text, or a stream without events that may hold some. */
export function isSilent(reading: ReplyReading, protocol: Protocol): boolean {
  if (reading.kind !== 'stream' && reading.kind !== 'result') return false;
  if (replyText(reading, protocol) !== '') return false;
  if (reading.kind === 'result') return hasEmptyText(reading.json, protocol);
  return !(areEventsUnspecified(protocol) && mayBringText(reading.stream));
}

export const streamText = (stream: StreamReading, protocol: Protocol): string =>
  textIncrements(stream, protocol)
    .map(({ text }) => text)
    .join('');

/** The protocol in whose shape a stream carries text: the given one first, then any other. */
export const textShape = (stream: StreamReading, protocol: Protocol): Protocol | null =>
  [protocol, ...textProtocols].find((each) => knownIncrements(stream, each).length > 0) ?? null;

/** The assistant text of a reply, read by the given protocol, else by the shape that it has; empty where it has none. */
export function replyText(reading: ReplyReading, protocol: Protocol): string {
  if (reading.kind === 'stream') return reading.text || streamText(reading.stream, reading.shape);
  if (reading.kind !== 'result' || !isObject(reading.json)) return '';
  return textOf[protocol](reading.json) || textOf[reading.shape](reading.json);
}
