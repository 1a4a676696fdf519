import type { Protocol } from '../../spec/vocabulary.ts';
import type { Transient } from '../types/reasons/exchange-reasons.ts';
import { bytesOf, type StreamReading } from './stream.ts';
import type { Body } from '../types/exchange.ts';
import { judged, valueAt } from './json.ts';

/** Where a reply says why it ended, and what it says there of one that was cut off at its limit. */
const signs: readonly (readonly [pointer: string, value: string])[] = [
  ['/choices/0/finish_reason', 'length'],
  ['/stop_reason', 'max_tokens'],
  ['/delta/stop_reason', 'max_tokens'],
  ['/status', 'incomplete'],
  ['/response/status', 'incomplete'],
];

/** Whether a reply says, as is usual, that its limit cut it off: which values there are beside `stop` is not shown (2.5). */
export function saysCutOff(reading: ReplyReading): boolean {
  const documents =
    reading.kind === 'result'
      ? [reading.json]
      : reading.kind === 'stream'
        ? reading.stream.events.map(({ data }) => data)
        : [];
  return documents.some((data) => signs.some(([pointer, value]) => valueAt(data, pointer) === value));
}

/** What a refusal looks like; the interface shows none, so each is allowed (section 7). */
export type RefusalForm =
  | 'error-json'
  | 'other-json'
  | 'error-stream'
  | 'other-stream'
  | 'empty-stream'
  | 'text'
  | 'html'
  | 'empty'
  | 'undecodable'
  | 'redirect';

/** What a reply amounts to (design principle 5). */
export type ReplyReading =
  /** One JSON document that is a result, however faulty, or that carries generated output. */
  | {
      readonly kind: 'result';
      readonly json: unknown;
      /** The protocol in whose shape it is one: the endpoint's own, unless the output has another's. */
      readonly shape: Protocol;
      /** The beginning of what stands behind it and is no part of it: the body is no JSON document. */
      readonly trail?: string;
    }
  /** A stream of that endpoint, however faulty, or one that carries generated output. */
  | {
      readonly kind: 'stream';
      readonly stream: StreamReading;
      /** By the endpoint's own protocol. */
      readonly text: string;
      readonly shape: Protocol;
    }
  | {
      readonly kind: 'refusal';
      readonly form: RefusalForm;
      readonly json?: unknown;
      /** A stream without an error and without known output: a refusal, but where a stream is due what it lacks is the stream's fault. */
      readonly stream?: StreamReading;
    }
  /** It proves nothing. */
  | { readonly kind: 'transient'; readonly transient: Transient };

/** The most memory that evidence of others may take with all that is read in it, and the readings that a run keeps, in bytes. */
export const mostReadBytes = 170_000_000;

/** What stands behind each of these in a body takes where it is read, in bytes; measured on many small values and events. */
const marks = new Uint8Array(128);
for (const mark of ',[{') marks[mark.charCodeAt(0)] = 40;
for (const mark of '\r\n') marks[mark.charCodeAt(0)] = 240;
marks['"'.charCodeAt(0)] = 8;

/** About how many bytes of memory the reading of a body takes: its values, its events, and its texts as far as they are judged. */
export function readingBytes(body: Body): number {
  const text = body.encoding === 'utf8' ? body.text : bytesOf(body).toString('latin1');
  let [bytes, from] = [0, 0];
  for (let at = 0; at <= text.length; at += 1) {
    const mark = at === text.length ? 1 : (marks[text.charCodeAt(at)] ?? 0);
    if (mark === 0) continue;
    bytes += mark + Math.min(at - from, judged.chars);
    from = at + 1;
  }
  return bytes;
}

/** About how many bytes of memory a value takes that is read already: what was not kept of a reply counts nothing. */
export function heldBytes(value: unknown): number {
  let bytes = 0;
  const left = [value];
  while (left.length > 0) {
    const one = left.pop();
    bytes += 16;
    if (typeof one === 'string') bytes += one.length;
    if (typeof one !== 'object' || one === null) continue;
    const inner = Object.values(one);
    bytes += 24 * inner.length;
    // One by one: an array of hundreds of thousands is too much for the arguments of one call.
    for (const each of inner) left.push(each);
  }
  return bytes;
}
