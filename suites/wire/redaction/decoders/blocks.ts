import type { Decoder, Span, View, Wanted } from '../views.ts';
import { type Alphabet, bases64, smaller, wide } from './alphabets.ts';
import {
  compressedIn,
  decode,
  keepText,
  room,
  wholeGroups,
  textRows,
  lengthOf,
  type Run,
  runsIn,
  numberAt,
} from './groups.ts';
import { shortestText, textBytes } from './decoded.ts';

/** What tells text. */
interface Telling {
  readonly isText: Uint8Array;
  readonly least: number;
  readonly written: number;
}

/** Text ends in one of so many groups: what follows is text by chance, four such bytes in one case of forty. */
const groupsLooked = 3;

/** A group, and how many of its digits are the last of the text. */
type Ending = readonly [group: number, digits: number];

/** Where a text may end within a group so that its last byte is another than it seems. */
function* endingsOf(row: Span, { base, digits, size }: Alphabet, isText: Uint8Array): Generator<Ending> {
  const last = Math.floor(row.end / size);
  const first = Math.max(Math.floor(row.start / size), last - groupsLooked + 1);
  for (let group = first; group <= last; group += 1) {
    const value = room.bytes.readUInt32BE(group * size);
    for (let count = 2; count < digits; count += 1) {
      // The bytes before the last one are text.
      if (group * size + count - 2 > row.end) break;
      const rest = base ** (digits - count);
      const ended = value - (value % rest) + rest - 1;
      const unit = 256 ** (size - count + 1);
      const byte = Math.floor(ended / unit) & 0xff;
      if (isText[byte] === 1 && Math.floor(value / unit) !== Math.floor(ended / unit)) yield [group, count];
    }
  }
}

/** Where digits are no bits, what follows a text changes its last byte: decodes the ends of `decoded` anew. How many groups then are. */
function endings(
  text: Buffer,
  of: Alphabet,
  run: Run,
  { isText, least, written }: Telling,
  [before, behind]: readonly [number, number],
): number {
  const { base, digits, size } = of;
  if ((base & (base - 1)) === 0) return behind;
  let groups = behind;
  const numberOf = (group: number): number => numberAt(run, room.places[group * digits] ?? 0);
  // Without its last byte.
  for (const row of textRows(isText, Math.max(1, least - 1), { start: before * size, end: behind * size }))
    for (const [group, count] of endingsOf(row, of, isText)) {
      const first = Math.max(Math.floor(row.start / size), group - Math.ceil(written / size));
      const to = numberOf(group) + count;
      if (to < lengthOf(run)) groups = decode(text, of, run, { from: numberOf(first), to }, groups);
    }
  return groups;
}

/** For each place at which groups may begin how many in a row may be text. */
const rows = new Int32Array(8);

/** Looks at each character once, and tells where so many groups in a row may be text, with a group before and behind. */
function eachText(
  text: Buffer,
  { digits }: Alphabet,
  begins: Int8Array,
  run: Run,
  needed: number,
  take: (from: number, to: number) => void,
): void {
  // Where no whole group need be text, all is looked at.
  if (needed < 1) {
    const length = lengthOf(run);
    for (let from = 0; from < digits && from < length; from += 1) take(from, length);
    return;
  }
  let [number, phase] = [0, 0];
  rows.fill(0);
  for (const { start, end: stop } of run)
    for (let at = start; at < stop; at += 1) {
      const row = rows[phase] ?? 0;
      if (begins[text[at] ?? 0] === 1) rows[phase] = row + 1;
      else {
        if (row >= needed) take(Math.max(phase, number - (row + 1) * digits), number + digits);
        rows[phase] = 0;
      }
      number += 1;
      phase = phase + 1 === digits ? 0 : phase + 1;
    }
  for (let from = 0; from < digits && from < number; from += 1) {
    const row = rows[from] ?? 0;
    const first = from + (Math.ceil((number - from) / digits) - row) * digits;
    if (row >= needed) take(Math.max(from, first - digits), number);
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

/** Where no secret is short, less text beside other bytes is chance where most texts can be decoded. */
const leastWide = 16;

/** Fewer bytes of text in a row say nothing. */
const leastOf = ({ isShort, shortest }: Wanted, other: number): number =>
  isShort ? shortest : Math.max(shortest, other);

/** All that runs may say, wherever in them groups begin and end. `least`: fewer bytes of text in a row say nothing. */
function decoded(
  view: View,
  of: Alphabet,
  runs: readonly Run[],
  least: number,
  wanted: Wanted,
): readonly View[] {
  const { digits, size } = of;
  const text = view.bytes;
  const isText = textBytes(wanted);
  const needed = Math.floor((least - size + 1) / size);
  let groups = 0;
  for (const run of runs) {
    if (!mayBe(of, text, run)) continue;
    const length = lengthOf(run);
    groups = compressedIn(text, of, run, groups);
    eachText(text, of, of.begins[wanted.isAscii ? 'ascii' : 'text'], run, needed, (from, to) => {
      const next = decode(text, of, run, { from, to: Math.min(to, length) }, groups);
      const behind = endings(text, of, run, { isText, least, written: wanted.written }, [groups, next]);
      groups = keepText(of, isText, least, [groups, behind]);
    });
  }
  if (groups === 0) return [];
  const places = room.places.slice(0, groups * digits);
  return [
    {
      bytes: Buffer.from(room.bytes.subarray(0, groups * size)),
      kind: view.kind === 'numbers' ? 'numbers' : 'block',
      place: (start, behind) => view.place(...wholeGroups(text, of, places, [start, behind])),
    },
  ];
}

/** So many characters of base64 in a row are nothing else. */
const shortestPicture = 256;

const isPicture = (run: Run): boolean => lengthOf(run) >= shortestPicture;

/** A text without its longest runs of base64. */
function spansBetween(bytes: Buffer, runs: readonly Run[]): readonly Span[] {
  const spans: Span[] = [];
  let start = 0;
  for (const run of runs.filter(isPicture)) {
    spans.push({ start, end: run[0]?.start ?? 0 });
    start = run.at(-1)?.end ?? 0;
  }
  return [...spans, { start, end: bytes.length }];
}

const whole = ({ bytes }: View): Span => ({ start: 0, end: bytes.length });

const runsOfBase64 = (view: View, wanted: Wanted): readonly Run[] =>
  bases64.slice(0, 1).flatMap((of) => runsIn(view.bytes, of, wanted, whole(view)));

/** Hex, base32 and base64 in all their alphabets, also over lines. */
export const blocks: Decoder = function* (view, wanted) {
  const all = runsOfBase64(view, wanted);
  // What is short in a picture is chance.
  const kinds: readonly (readonly [readonly Run[], number])[] = [
    [all.filter((run) => !isPicture(run)), leastOf(wanted, shortestText)],
    [all.filter(isPicture), Math.max(wanted.shortest, shortestText)],
  ];
  for (const [widest, least] of kinds) {
    for (const each of bases64) yield* decoded(view, each, widest, least, wanted);
    // Whatever is written in a smaller alphabet stands in these, too.
    for (const each of smaller) {
      const runs = widest.flatMap((run) =>
        runsIn(view.bytes, each, wanted, { start: run[0]?.start ?? 0, end: run.at(-1)?.end ?? 0 }),
      );
      yield* decoded(view, each, runs, least, wanted);
    }
  }
};

/** The same for the alphabets that are most of ASCII. */
export const wideBlocks: Decoder = function* (view, wanted) {
  const spans = spansBetween(view.bytes, runsOfBase64(view, wanted));
  for (const each of wide) {
    const runs = spans.flatMap((span) => runsIn(view.bytes, each, wanted, span));
    yield* decoded(view, each, runs, leastOf(wanted, leastWide), wanted);
  }
};
