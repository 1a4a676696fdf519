import { firstFrom } from '../../../../spec/first-from.ts';
import { folded, type Span, type Wanted } from '../views.ts';
import type { Alphabet } from './alphabets.ts';
import { end, isHead, mostTried } from './decoded.ts';

/** A line of characters that stand for digits, and how many of the same run stand before it. */
interface Line extends Span {
  readonly before: number;
}

/** Such characters in a row, also over lines. */
export type Run = readonly Line[];

export const lengthOf = (run: Run): number => {
  const { start = 0, end = 0, before = 0 } = run.at(-1) ?? {};
  return before + end - start;
};

/** The last line of which a number, which grows from line to line, is no more than a value, by its index. */
const lastLine = (run: Run, by: 'start' | 'before', value: number): number =>
  Math.max(0, firstFrom(run.length, (at) => (run[at]?.[by] ?? 0) > value) - 1);

/** The line that holds one of the characters, by its index. */
const lineOf = (run: Run, number: number): number => lastLine(run, 'before', number);

/** The number of the character of a run that stands at a place. */
export function numberAt(run: Run, at: number): number {
  const { start = 0, before = 0 } = run[lastLine(run, 'start', at)] ?? {};
  return before + at - start;
}

/** From this length on a line of such characters may go on in the next, in characters. */
const shortestLine = 16;

/** Behind a line break with white space, or with the length of the line; the same place where there is none. */
function nextLine(bytes: Buffer, at: number, hasLengths: boolean): number {
  let next = at;
  if (bytes[next] === 0x0d) next += 1;
  if (bytes[next] !== 0x0a) return at;
  next += 1;
  if (hasLengths) return next + 1;
  while (bytes[next] === 0x20 || bytes[next] === 0x09) next += 1;
  return next;
}

/** Where such characters stand, enough of them for what is looked for; what is too short to be a line is left out at once. */
export function runsIn(
  bytes: Buffer,
  { digits, size, values, hasLengths }: Alphabet,
  wanted: Wanted,
  { start: from, end: to }: Span,
): readonly Run[] {
  const shortest = Math.floor((wanted.shortest * digits) / size);
  const isOne = (at: number): boolean => at < to && (values[bytes[at] ?? 0] ?? -1) >= 0;
  const line = Math.max(1, Math.min(shortest, shortestLine));
  const runs: Run[] = [];
  for (let at = from; at + line <= to; ) {
    let last = at + line - 1;
    while (last >= at && isOne(last)) last -= 1;
    if (last >= at) {
      at = last + 1;
      continue;
    }
    const run: Line[] = [];
    let start = at;
    for (
      let next = at;
      isOne(next);
      next = at - start >= shortestLine ? nextLine(bytes, at, hasLengths) : at
    ) {
      [start, at] = [next, next];
      while (isOne(at)) at += 1;
      run.push({ start, end: at, before: lengthOf(run) });
    }
    if (lengthOf(run) >= shortest) runs.push(run);
  }
  return runs;
}

/** Where groups are decoded: their bytes, and where each of their characters stands. As long as the longest so far. */
export const room = { bytes: Buffer.alloc(0), places: new Int32Array(0) };

/** Makes room for so many groups. */
function widen(groups: number, { digits, size }: Alphabet): void {
  if (room.places.length < groups * digits) {
    const { places } = room;
    room.places = new Int32Array(2 * groups * digits);
    room.places.set(places);
  }
  if (room.bytes.length < groups * size) room.bytes = Buffer.concat([room.bytes], 2 * groups * size);
}

/** Puts the bytes of a group; a value that no bytes have is none of text. */
function putGroup(group: number, value: number, size: number): void {
  const { bytes } = room;
  const held = size !== 4 || value < 2 ** 32 ? value : -1;
  let rest = held >>> 0;
  for (let at = (group + 1) * size - 1; at >= group * size; at -= 1) {
    bytes[at] = rest & 0xff;
    rest >>>= 8;
  }
  if (size > 4) bytes[group * size] = Math.floor(held / 2 ** 32);
}

/** Decodes characters of a run, from one to before another, behind the groups that are there; how many are there then. */
export function decode(
  text: Buffer,
  of: Alphabet,
  run: Run,
  { from, to }: { readonly from: number; readonly to: number },
  before: number,
): number {
  const { base, digits, size, values } = of;
  const gap = Math.ceil(end.length / size);
  widen(before + Math.ceil((to - from) / digits) + 1 + gap, of);
  const { bytes, places } = room;
  let [group, held, count, number, stop] = [before, 0, 0, from, 0];
  for (let line = lineOf(run, from); number < to; line += 1) {
    const { start = 0, end: lineEnd = 0, before: sofar = 0 } = run[line] ?? {};
    stop = Math.min(lineEnd, start + to - sofar);
    for (let at = start + number - sofar; at < stop; at += 1) {
      const value = values[text[at] ?? 0] ?? 0;
      const isZeros = value === base;
      places[group * digits + count] = at;
      if (isZeros) places.fill(at, group * digits, (group + 1) * digits);
      held = isZeros ? 0 : held * base + value;
      count = isZeros ? digits : count + 1;
      number += 1;
      if (count < digits) continue;
      putGroup(group, held, size);
      group += 1;
      [held, count] = [0, 0];
    }
  }
  // The last group is filled up, and what follows is no text.
  if (count > 0) putGroup(group, (held + 1) * base ** (digits - count) - 1, size);
  const next = group + 1 + gap;
  bytes.fill(0xff, group * size + Math.floor((count * size) / digits), next * size);
  places.fill(stop - 1, group * digits + count, next * digits);
  return next;
}

/** Where the groups of some bytes stand, for each digit may tell of each; a string of a document ends where it does. */
export function wholeGroups(
  text: Buffer,
  { digits, size }: Alphabet,
  places: Int32Array,
  [start, behind]: readonly [number, number],
): [number, number] {
  const placeOf = (digit: number): number => places[digit] ?? 0;
  const isInside = (digit: number): boolean => text[placeOf(digit)] !== 0x22;
  let first = Math.floor((start * digits) / size);
  let next = Math.ceil((behind * digits) / size);
  while (first % digits !== 0 && isInside(first - 1)) first -= 1;
  while (next % digits !== 0 && isInside(next)) next += 1;
  return [placeOf(first), placeOf(next - 1) + 1];
}

/** Where so many bytes of text or more stand in a row. */
export function textRows(isText: Uint8Array, least: number, { start: from, end: to }: Span): readonly Span[] {
  const { bytes } = room;
  const found: Span[] = [];
  for (let at = from; at < to; at += 1) {
    if (isText[bytes[at] ?? 0] === 0) continue;
    const start = at;
    while (at < to && isText[bytes[at] ?? 0] === 1) at += 1;
    if (at - start >= least) found.push({ start, end: at });
  }
  return found;
}

/** Keeps of groups, from one to before another, those with so much text in a row, and of them nothing else; how many are there then. */
export function keepText(
  { digits, size }: Alphabet,
  isText: Uint8Array,
  least: number,
  [before, behind]: readonly [number, number],
): number {
  const { bytes, places } = room;
  for (let at = before * size; at < behind * size; at += 1) {
    const start = at;
    while (at < behind * size && isText[bytes[at] ?? 0] === 1) at += 1;
    if (at - start < least) for (let each = start; each < at; each += 1) bytes[each] = 0xff;
    if (at < behind * size) bytes[at] = 0xff;
  }
  let [next, wasBlank] = [before, true];
  for (let group = before; group < behind; group += 1) {
    const from = group * size;
    let at = from;
    while (at < from + size && bytes[at] === 0xff) at += 1;
    const isBlank = at === from + size;
    if (isBlank && wasBlank) continue;
    for (let each = 0; each < size; each += 1) bytes[next * size + each] = bytes[from + each] ?? 0;
    for (let each = 0; each < digits; each += 1)
      places[next * digits + each] = places[group * digits + each] ?? 0;
    wasBlank = isBlank;
    next += 1;
  }
  return next;
}

/** The first two bytes that characters of a line stand for, as one number; undefined where the line breaks off before. */
function headAt(text: Buffer, { base, digits, size, values }: Alphabet, at: number, end: number) {
  const needed = size === 1 ? 2 * digits : digits;
  if (at + needed > end) return undefined;
  let held = 0;
  for (let each = at; each < at + needed; each += 1) held = held * base + (values[text[each] ?? 0] ?? 0);
  return Math.floor(held / 256 ** Math.max(0, size - 2));
}

/** Decodes what may be compressed behind the groups that are there, wherever it begins behind a mark; how many are there then. */
export function compressedIn(text: Buffer, of: Alphabet, run: Run, before: number): number {
  const { digits, size, begins } = of;
  const length = lengthOf(run);
  let [groups, number, tried] = [before, 0, 0];
  for (const { start, end } of run)
    for (let at = start; at < end && tried < mostTried; at += 1, number += 1) {
      if (begins.head[text[at] ?? 0] === 0) continue;
      if (number >= digits && folded[text[at - 1] ?? 0] !== 0) continue;
      const head = headAt(text, of, at, end);
      if (head !== undefined && !isHead(head)) continue;
      decode(text, of, run, { from: number, to: Math.min(length, number + 2 * digits) }, groups);
      if (!isHead(room.bytes.readUInt16BE(groups * size))) continue;
      tried += 1;
      groups = decode(text, of, run, { from: number, to: length }, groups);
    }
  return groups;
}
