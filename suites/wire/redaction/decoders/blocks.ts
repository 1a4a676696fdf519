import type { Decoder, Span, View, Wanted } from '../views.ts';
import { type Alphabet, bases64, smaller, wide } from './alphabets.ts';
import { end, isHead } from './compressed.ts';
import { shortestText, textBytes } from './printable.ts';
import { lengthOf, lineOf, type Run, runsIn } from './runs.ts';

/** Where groups are decoded: their bytes, and where each of their characters stands. As long as the longest so far. */
const room = { bytes: Buffer.alloc(0), places: new Int32Array(0) };

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
function decode(
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

/** Whether decoded bytes say what is looked at further. */
function saysSomething(
  start: number,
  behind: number,
  least: number,
  isAll: boolean,
  wanted: Wanted,
): boolean {
  const { bytes } = room;
  const isText = textBytes(wanted);
  let row = 0;
  for (let at = start; at < behind; at += 1) {
    row = isText[bytes[at] ?? 0] === 1 ? row + 1 : 0;
    if (row >= least) return true;
    // Less counts where it is all.
    if (isAll && row >= wanted.shortest && row === at + 1 - start && bytes[at + 1] === 0xff) return true;
  }
  return false;
}

/** For each place at which groups may begin how many in a row may be text. */
const rows = new Int32Array(8);

/**
 * Looks at each character of a run once, and tells where so many groups in a row may be text, wherever groups begin: the
 * characters from one to before another, with a group before and behind, and whether it is all.
 */
function eachText(
  text: Buffer,
  { digits, hasLengths }: Alphabet,
  begins: Int8Array,
  run: Run,
  needed: number,
  take: (from: number, to: number, isAll: boolean) => void,
): void {
  let [number, phase] = [0, 0];
  rows.fill(0);
  for (const { start, end: stop } of run)
    for (let at = start; at < stop; at += 1) {
      const row = rows[phase] ?? 0;
      if (begins[text[at] ?? 0] === 1) rows[phase] = row + 1;
      else {
        if (row >= needed) take(Math.max(phase, number - (row + 1) * digits), number + digits, false);
        rows[phase] = 0;
      }
      number += 1;
      phase = phase + 1 === digits ? 0 : phase + 1;
    }
  for (let from = 0; from < digits && from < number; from += 1) {
    const row = rows[from] ?? 0;
    const first = from + (Math.ceil((number - from) / digits) - row) * digits;
    const isAll = first === from && from === Number(hasLengths);
    if (isAll || row >= needed) take(Math.max(from, first - digits), number, isAll);
  }
}

/** Below the first length characters may be of one kind by chance; no more than the second are looked at. */
const [shortestName, longestName] = [18, 128];

/** Words, names, digests and lists of numbers are none of the larger bases: all of their characters are of one kind. */
function mayBe({ base, isWide }: Alphabet, bytes: Buffer, [line]: Run): boolean {
  const { start = 0, end: stop = 0 } = line ?? {};
  const text = bytes.toString('latin1', start, Math.min(stop, start + longestName));
  if (text.length < shortestName || base === 16) return true;
  if (isWide) return /[^\d\s,[\]]/.test(text);
  return !/^[0-9a-f]+$|^[0-9A-F]+$/.test(text) && (base < 64 || /[A-Z]/.test(text));
}

/** Fewer bytes of text beside others are chance where most texts can be decoded. */
const shortestWide = 16;

/** The character of a run with a number. */
function charAt(text: Buffer, run: Run, number: number): number {
  const { start = 0, before = 0 } = run[lineOf(run, number)] ?? {};
  return text[start + number - before] ?? 0;
}

/** All that runs may say, wherever in them groups begin. */
function decoded(view: View, of: Alphabet, runs: readonly Run[], wanted: Wanted): readonly View[] {
  const { digits, size } = of;
  const least = Math.max(wanted.shortest, of.isWide ? shortestWide : shortestText, 2 * size - 1);
  const needed = Math.floor((least - size + 1) / size);
  let groups = 0;
  for (const run of runs) {
    if (!mayBe(of, view.bytes, run)) continue;
    const length = lengthOf(run);
    for (let from = 0; from < digits && from < length; from += 1) {
      if (of.begins.head[charAt(view.bytes, run, from)] === 0) continue;
      decode(view.bytes, of, run, { from, to: Math.min(length, from + 2 * digits) }, groups);
      const head = room.bytes.readUInt16BE(groups * size);
      if (isHead(head)) groups = decode(view.bytes, of, run, { from, to: length }, groups);
    }
    eachText(view.bytes, of, of.begins[wanted.isAscii ? 'ascii' : 'text'], run, needed, (from, to, isAll) => {
      const next = decode(view.bytes, of, run, { from, to: Math.min(to, length) }, groups);
      if (saysSomething(groups * size, next * size, least, isAll, wanted)) groups = next;
    });
  }
  if (groups === 0) return [];
  const places = room.places.slice(0, groups * digits);
  return [
    {
      bytes: Buffer.from(room.bytes.subarray(0, groups * size)),
      kind: view.kind === 'numbers' ? 'numbers' : 'block',
      place: (start, behind) => view.place(...wholeGroups(view.bytes, of, places, [start, behind])),
    },
  ];
}

/** Where the groups of some bytes stand, for each digit may tell of each; a string of a document ends where it does. */
function wholeGroups(
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

/** So many characters of base64 in a row are nothing else. */
const shortestPicture = 256;

/** A text without its longest runs of base64. */
function spansBetween(bytes: Buffer, runs: readonly Run[]): readonly Span[] {
  const spans: Span[] = [];
  let start = 0;
  for (const run of runs) {
    if (lengthOf(run) < shortestPicture) continue;
    spans.push({ start, end: run[0]?.start ?? 0 });
    start = run.at(-1)?.end ?? 0;
  }
  return [...spans, { start, end: bytes.length }];
}

const whole = ({ bytes }: View): Span => ({ start: 0, end: bytes.length });

const runsOfBase64 = (view: View, wanted: Wanted): readonly Run[] =>
  bases64.slice(0, 1).flatMap((of) => runsIn(view.bytes, of, wanted, whole(view)));

/** Hex, base32 and base64 in all their alphabets, also over lines. */
export const blocks: Decoder = (view, wanted) => {
  const widest = runsOfBase64(view, wanted);
  // Whatever is written in a smaller alphabet stands in these, too.
  const others = smaller.map((each) => {
    const runs = widest.flatMap((run) =>
      runsIn(view.bytes, each, wanted, { start: run[0]?.start ?? 0, end: run.at(-1)?.end ?? 0 }),
    );
    return decoded(view, each, runs, wanted);
  });
  const own = bases64.flatMap((each) => decoded(view, each, widest, wanted));
  return [...own, ...others.flat()];
};

/** The same for the alphabets that are most of ASCII. */
export const wideBlocks: Decoder = (view, wanted) => {
  const spans = spansBetween(view.bytes, runsOfBase64(view, wanted));
  return wide.flatMap((each) =>
    decoded(
      view,
      each,
      spans.flatMap((span) => runsIn(view.bytes, each, wanted, span)),
      wanted,
    ),
  );
};
