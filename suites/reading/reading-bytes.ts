import type { Body } from '../types/exchange.ts';
import { judged } from './json.ts';
import { bytesOf } from './stream.ts';

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
