import { createWriter, type Decoder, joined, type Span, type Wanted } from '../views.ts';
import { shortestPiece } from '../gram-index.ts';
import { end } from './decoded.ts';

/** More than this between two characters belongs to no list, in bytes. */
const longestGap = 16;

/** Where a list ends. */
const listEnd = /[\]})\xff]/;

const isQuote = (byte: number | undefined): boolean => byte === 0x22 || byte === 0x27 || byte === 0x60;

/** Whether what ends before a place is the name of a member. */
const isName = (bytes: Buffer, end: number): boolean => bytes[bytes[end] === 0x20 ? end + 1 : end] === 0x3a;

/** How many bytes of UTF-8 begin with one. */
const lengthFrom = (byte: number): number => (byte < 0xc2 ? 1 : byte < 0xe0 ? 2 : byte < 0xf0 ? 3 : 4);

/** Lists of single characters in quotes, as arrays of strings print themselves. */
export const letters: Decoder = (view, { shortest }) => {
  const { bytes } = view;
  const writer = createWriter();
  let before = 0;
  for (let at = 0; at + 2 < bytes.length; at += 1) {
    const quote = bytes[at];
    if (!isQuote(quote)) continue;
    const end = at + 1 + lengthFrom(bytes[at + 1] ?? 0);
    if (bytes[end] !== quote || isName(bytes, end + 1)) continue;
    if (at - before > longestGap || listEnd.test(bytes.toString('latin1', before + 1, at)))
      writer.put(0xff, at, at);
    writer.copy(bytes, at + 1, end);
    at = end;
    before = end;
  }
  return writer.length() < shortest ? [] : [writer.view(view, view.kind, true)];
};

// Lists of byte values, as Buffers of Node, bytes of Python and slices of Go print themselves, and dumps.

/** Letters and digits; 2 for those that numbers are written with, also behind `U+`. */
const signs = Uint8Array.from({ length: 256 }, (_, byte) => {
  const char = String.fromCharCode(byte);
  return /[0-9a-fxou]/i.test(char) ? 2 : /[a-z]/i.test(char) ? 1 : 0;
});

/** What a character counts as a digit, 16 for what is none. */
const digits = Uint8Array.from({ length: 256 }, (_, byte) => {
  const value = Number.parseInt(String.fromCharCode(byte), 16);
  return Number.isNaN(value) ? 16 : value;
});

/** The longest number, in characters. */
const longest = 10;

/** Between two looks at a text so many characters of a list are left out at most. */
const longestStride = 7;

/** So far around what looks like a list it may go on, as a dump does behind its text, in characters. */
const around = 48;

/** More marks than this do not stand between two numbers. */
const mostMarks = 6;

/** A word of hex with the mark behind it: of four bytes, and of two where a list has no more. */
const [longestWord, shortWord] = [9, 5];

/** How much of a text is looked at, and how much is left out then, so that no list of so many bytes is missed. */
function looks(bytes: number): { readonly looked: number; readonly stride: number } {
  const word = bytes > 4 ? longestWord : shortWord;
  const least = 2 * bytes + (bytes > 4 ? Math.floor((bytes - 1) / 4) : 1);
  const stride = Math.min(longestStride, least - word);
  return { looked: least - stride, stride };
}

/** Whether so many characters, none of them a letter that stands in no number, may be part of a list. */
function isList(bytes: Buffer, start: number, length: number): boolean {
  let [marks, numerals] = [0, 0];
  for (let at = start; at < start + length; at += 1) {
    if (signs[bytes[at] ?? 0] === 2) numerals += 1;
    else marks += 1;
    if (numerals === 0 && marks > mostMarks) return false;
  }
  return Math.min(marks, numerals) >= Math.max(1, Math.floor(length / longestWord));
}

/** The last of so many characters that is in no number; -1 where there is none. */
function lastLetter(bytes: Buffer, start: number, length: number): number {
  let at = start + length - 1;
  while (at >= start && signs[bytes[at] ?? 0] !== 1) at -= 1;
  return at < start ? -1 : at;
}

/** Where lists may stand. */
function listsIn(bytes: Buffer, { shortest }: Wanted): readonly Span[] {
  const { looked, stride } = looks(Math.min(shortest, shortestPiece));
  const spans: Span[] = [];
  for (let at = 0; at + looked <= bytes.length; ) {
    const letter = lastLetter(bytes, at, looked);
    if (letter >= 0 || !isList(bytes, at, looked)) {
      at = letter < 0 ? at + stride : letter + 1;
      continue;
    }
    spans.push({ start: Math.max(0, at - around), end: Math.min(bytes.length, at + looked + around) });
    at += stride;
  }
  return joined(spans, (before, { start }) => start <= before.end);
}

/** The number that digits stand for; -1 where not all of them are digits of the base. */
function numberIn(bytes: Buffer, { start, end }: Span, base: number): number {
  let value = 0;
  for (let at = start; at < end; at += 1) {
    const digit = digits[bytes[at] ?? 0] ?? 0;
    if (digit >= base) return -1;
    value = value * base + digit;
  }
  return value;
}

const [letterX, letterO, letterB] = [0x78, 0x6f, 0x62];

/** The bytes that a word may stand for, in the bases 16, 10, 8 and 2: the place of each, and its base. */
function bytesIn(bytes: Buffer, { start, end }: Span): readonly (readonly [number, Span])[] {
  const letter = bytes[start] === 0x30 ? (bytes[start + 1] ?? 0) | 0x20 : 0;
  const behind = (mark: number): Span => ({ start: letter === mark ? start + 2 : start, end });
  const isLong = (least: number, most: number, span: Span): boolean =>
    span.end - span.start >= least && span.end - span.start <= most;
  const [hex, binary] = [behind(letterX), behind(letterB)];
  const octal = ((bytes[start] ?? 0) | 0x20) === letterO ? { start: start + 1, end } : behind(letterO);
  const found: (readonly [number, Span])[] = [];
  if ([2, 4, 6, 8].some((length) => isLong(length, length, hex)))
    for (let at = hex.start; at < end; at += 2) found.push([16, { start: at, end: at + 2 }]);
  if (end - start <= 3) found.push([10, { start, end }]);
  if (isLong(2, 4, octal)) found.push([8, octal]);
  if (isLong(6, 8, binary)) found.push([2, binary]);
  return found;
}

/** What stands behind the name of a member. */
const nameEnd = /^\\*" ?:/;

/** Words that may be a number, from one place to before another; names of members are none. */
function* wordsIn(bytes: Buffer, { start: from, end: to }: Span): Generator<Span> {
  for (let at = from; at < to; ) {
    const start = at;
    let isNumber = true;
    for (let sign = signs[bytes[at] ?? 0]; sign !== 0 && at < to; sign = signs[bytes[at] ?? 0]) {
      if (sign === 1) isNumber = false;
      at += 1;
    }
    // A dump begins its lines with how far it is.
    const isOffset = at - start === 8 && bytes[at] === 0x20 && bytes[at + 1] === 0x20;
    if (
      isNumber &&
      at > start &&
      at - start <= longest &&
      !isOffset &&
      !nameEnd.test(bytes.toString('latin1', at, at + 6))
    ) {
      yield { start, end: at };
      // What was decoded may go on by chance.
      if (bytes[at] === end[0]) yield { start, end: at - 1 };
    }
    at = Math.max(at, start + 1);
  }
}

/** Between two lists, or two texts that were decoded. */
const closing = /(?<!')[\]}>\xff]/;

/** How long the character is that stands behind its code point, as Go shows both. */
const shownBehind = (bytes: Buffer, { end }: Span, value: number): number =>
  bytes[end + 1] === 0x27 && bytes[end + 2] === value && bytes[end + 3] === 0x27 ? 4 : 0;

/** In each base the numbers that may be a byte, whatever stands between them. */
export const numbers: Decoder = (view, wanted) => {
  const { bytes } = view;
  const lists = listsIn(bytes, wanted);
  if (lists.length === 0) return [];
  const writers = new Map([16, 10, 8, 2].map((base) => [base, createWriter()]));
  for (const list of lists) {
    let before = list.start;
    for (const word of wordsIn(bytes, list)) {
      if (closing.test(bytes.toString('latin1', before, word.start)))
        for (const { put } of writers.values()) for (const byte of end) put(byte, before, before);
      before = word.end;
      for (const [base, span] of bytesIn(bytes, word)) {
        const value = numberIn(bytes, span, base);
        if (value >= 0 && value < 256)
          writers.get(base)?.put(value, span.start, span.end + shownBehind(bytes, span, value));
      }
    }
  }
  return [...writers.values()]
    .filter(({ length }) => length() >= wanted.shortest)
    .map(({ view: read }) => read(view, 'numbers', true));
};
