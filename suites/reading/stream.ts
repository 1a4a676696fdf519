import { isObject } from '../../spec/json.ts';
import type { Body } from '../types/exchange.ts';
import { firstFrom } from '../../spec/first-from.ts';
import { beginning, countValues, judged, lighter, parseJson } from './json.ts';
import {
  type Frame,
  frameText,
  isSseData,
  isSseLine,
  type Line,
  type LineEnding,
  lineEndingOf,
  linesOf,
  sseFrames,
} from './frames.ts';
import {
  firstByte,
  isBracketedPing,
  lineFrames,
  type NonJson,
  nonJsonFrames,
  sentinelOf,
  valueFrames,
} from './non-json-frames.ts';

type Framing = 'sse' | 'ndjson' | 'concatenated-json' | 'none';

export interface StreamEvent {
  /** Its place in `StreamReading.events`. */
  readonly index: number;
  /** The name that SSE gives it (`event:`). */
  readonly name: string | null;
  readonly data: unknown;
  /** The beginning of its data as text. */
  readonly raw: string;
  /** Milliseconds from send to the arrival of its last byte. */
  readonly atMs: number;
}

/** Something in a stream that can't be read as an event. */
interface StreamProblem {
  /** How many events came before it. */
  readonly index: number;
  readonly message: string;
  readonly excerpt: string;
}

/** What a body says as a stream; nothing here judges whether that is as it should be. */
export interface StreamReading {
  /** `none` where the body is no stream: nothing, text, or one JSON document. */
  readonly framing: Framing;
  readonly events: readonly StreamEvent[];
  readonly problems: readonly StreamProblem[];
  /** What stood in place of an event to say that the stream is over, such as `[DONE]`. */
  readonly terminator: string | null;
  /** How often it came. */
  readonly terminators: number;
  readonly lineEnding: LineEnding;
  readonly comments: number;
  /** The bound of our reader that it passes: what comes behind it is not read. */
  readonly passes?: { readonly bound: 'events' | 'values'; readonly limit: number };
}

/** The type of each event: as its data says, else as SSE names it. */
export const typesOf = ({ events }: StreamReading): readonly string[] =>
  events.map(({ data, name }) =>
    isObject(data) && typeof data.type === 'string' ? data.type : (name ?? 'no type'),
  );

const maxEvents = 10_000;
/** Of all events together. */
const maxValues = 400_000;
/** More of an event or a problem is not kept, in characters. */
export const excerptChars = 400;
const terminatorChars = 60;
const byteOrderMark = Buffer.of(0xef, 0xbb, 0xbf);

const nothing: StreamReading = {
  framing: 'none',
  events: [],
  problems: [],
  terminator: null,
  terminators: 0,
  lineEnding: 'none',
  comments: 0,
};

export const bytesOf = ({ text, encoding }: Pick<Body, 'text' | 'encoding'>): Buffer =>
  Buffer.from(text, encoding);

/** When the byte before `offset` came, in milliseconds. */
function arrivalOf(arrivals: Body['arrivals'], offset: number): number {
  const first = firstFrom(arrivals.length - 1, (at) => (arrivals[at]?.[0] ?? 0) >= offset);
  return arrivals[first]?.[1] ?? 0;
}

interface Cut {
  readonly framing: Exclude<Framing, 'none'>;
  readonly frames: readonly Frame[];
  readonly comments: number;
}

function isSse(bytes: Buffer, from: number): boolean {
  const first = firstByte(bytes, from);
  const [line] = linesOf(bytes, first);
  if (line === undefined || bytes[first] === 0x3c) return false;
  if (isSseLine(bytes.toString('utf8', line.start, line.end))) return true;
  if (!bytes.includes('data')) return false;
  for (const { start, end } of linesOf(bytes, first)) {
    if (isSseData(bytes.toString('utf8', start, Math.min(end, start + 5)))) return true;
  }
  return false;
}

/** Tells the framing from the bytes and cuts them into frames; null where they are no stream, or fewer than `least`. */
function cut(bytes: Buffer, least: number): Cut | null {
  const from = bytes.subarray(0, 3).equals(byteOrderMark) ? 3 : 0;
  if (isSse(bytes, from)) return { framing: 'sse', ...sseFrames(bytes, from, maxEvents + 1) };
  const first = String.fromCharCode(bytes[firstByte(bytes, from)] ?? 0);
  if (!'{["\u001e'.includes(first)) return null;
  const lines = lineFrames(bytes, from, maxEvents + 1);
  const frames = lines ?? valueFrames(bytes, from, bytes.length, maxEvents + 1);
  if (frames.length < least) return null;
  return { framing: lines === null ? 'concatenated-json' : 'ndjson', frames, comments: 0 };
}

type Item =
  | { readonly is: 'event'; readonly data: unknown; readonly text: string; readonly end: number }
  | { readonly is: 'terminator'; readonly text: string }
  | { readonly is: 'problem'; readonly message: string; readonly text: string };

function itemOf({ text, end }: Line): Item | null {
  const word = sentinelOf(text);
  if (word !== undefined) return { is: 'terminator', text: word };
  const parsed = parseJson(text);
  if (!parsed.ok) return null;
  const data = text.length > judged.chars ? lighter(parsed.value, judged) : parsed.value;
  return { is: 'event', data, text, end };
}

/** Says of text that it belongs to no event. */
export const strayText = 'text outside of any event';

const strayItem = (text: string): Item => ({ is: 'problem', message: strayText, text });

/** The text of a frame whose data is no JSON and need not be. */
function bareItem(frame: Frame): readonly Item[] {
  const { lines, stray } = frame;
  const text = frameText(frame);
  if (text === '') return [];
  if (stray === true) return [strayItem(text)];
  if (isBracketedPing(text)) return [];
  const word = sentinelOf(text, true);
  const end = lines.at(-1)?.end ?? 0;
  const data = beginning(text, judged.chars);
  return [word === undefined ? { is: 'event', data, text, end } : { is: 'terminator', text: word }];
}

/** What a frame holds: usually one thing, several where no blank line parts the events. */
function itemsOf(frame: Frame, nonJson: NonJson, isLast: boolean): readonly Item[] {
  const { lines, closed, stray } = frame;
  const end = lines.at(-1)?.end ?? 0;
  const joined = frameText(frame);
  if (joined.trim() === '') return [];
  if (stray === true) return [strayItem(joined)];
  const whole = itemOf({ text: joined, end }) ?? (lines.length > 1 ? glued(lines, end) : null);
  if (whole !== null) return [whole].flat();
  if (nonJson === 'terminator')
    return [{ is: 'terminator', text: beginning(joined.trim(), terminatorChars) }];
  if (nonJson !== null) return [];
  const message = isLast && !closed ? 'the last event is incomplete' : 'the event is not JSON';
  return [{ is: 'problem', message, text: joined }];
}

/** Lines that are no JSON joined by line feeds: a text that was split anywhere, or an event in each. */
function glued(lines: readonly Line[], end: number): Item | readonly Item[] | null {
  const split = itemOf({ text: lines.map(({ text }) => text).join(''), end });
  if (split !== null) return split;
  const items: Item[] = [];
  for (const line of lines) {
    if (line.text.trim() === '') continue;
    const item = itemOf(line);
    // Hundreds of thousands of lines may follow the first that is no event.
    if (item === null) return null;
    items.push(item);
  }
  return items;
}

/**
 * Reads a body as a stream, told from its bytes alone. `bareText`: server-sent events may hold text in place of JSON;
 * `least`: so many JSON documents are a stream.
 */
export function readStream(body: Body, bareText = false, least = 2): StreamReading {
  const bytes = bytesOf(body);
  const made = cut(bytes, least);
  if (made === null) return nothing;
  const nonJsonOf = nonJsonFrames(made.frames, bareText && made.framing === 'sse');
  const events: StreamEvent[] = [];
  const problems: StreamProblem[] = [];
  const terminators: string[] = [];
  let passes: StreamReading['passes'];
  let values = 0;
  for (const [place, frame] of made.frames.entries()) {
    const isLast = place === made.frames.length - 1;
    const nonJson = nonJsonOf(frame);
    for (const item of nonJson === 'text' ? bareItem(frame) : itemsOf(frame, nonJson, isLast)) {
      const index = events.length;
      const excerpt = beginning(item.text, excerptChars);
      if (item.is === 'terminator') terminators.push(item.text);
      else if (item.is === 'problem') problems.push({ index, message: item.message, excerpt });
      else if (index >= maxEvents) passes ??= { bound: 'events', limit: maxEvents };
      else if (values >= maxValues) passes ??= { bound: 'values', limit: maxValues };
      else {
        values += countValues(item.text);
        const atMs = arrivalOf(body.arrivals, item.end);
        events.push({ index, name: frame.name, data: item.data, raw: excerpt, atMs });
      }
    }
  }
  return {
    framing: made.framing,
    events,
    problems,
    terminator: terminators[0] ?? null,
    terminators: terminators.length,
    lineEnding: lineEndingOf(bytes),
    comments: made.comments,
    ...(passes ? { passes } : {}),
  };
}
