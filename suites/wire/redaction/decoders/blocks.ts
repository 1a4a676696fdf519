import type { Decoder, Span, View, Wanted } from '../views.ts';
import { isHead } from './compressed.ts';
import { shortestText, textBytes } from './printable.ts';

/** An encoding in which each character stands for so many bits, with the value of each. */
interface Alphabet {
  readonly bits: number;
  readonly values: Int8Array;
}

function alphabet(bits: number, ...sets: readonly string[]): Alphabet {
  const values = new Int8Array(256).fill(-1);
  for (const set of sets) for (const [value, char] of [...set].entries()) values[char.charCodeAt(0)] = value;
  return { bits, values };
}

const digits = '0123456789';
const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ';
const small = letters.toLowerCase();

const smaller: readonly Alphabet[] = [
  alphabet(4, `${digits}abcdef`, `${digits}ABCDEF`),
  ...[letters, small].flatMap((each) => [
    alphabet(5, `${each}234567`),
    alphabet(5, `${digits}${each.slice(0, 22)}`),
  ]),
];

const base64 = alphabet(6, `${letters}${small}${digits}+/`, `${letters}${small}${digits}-_`);

/** From this length on a line of such characters may go on in the next, in characters. */
const shortestLine = 16;

/** Characters between two runs that are decoded together, at least: they come out as bytes that no text holds. */
const gap = 16;

/** Behind a line break and white space; the same place where there is none. */
function nextLine(bytes: Buffer, at: number): number {
  let next = at;
  if (bytes[next] === 0x0d) next += 1;
  if (bytes[next] !== 0x0a) return at;
  next += 1;
  while (bytes[next] === 0x20 || bytes[next] === 0x09) next += 1;
  return next;
}

/** Characters that stand in a row, with where each line of them begins and ends, in turn. */
type Run = readonly number[];

/** Where such characters stand, so many in a row or over lines; what is too short to be a line is left out at once. */
function runsOf(
  bytes: Buffer,
  values: Int8Array,
  least: number,
  { start: from, end: to }: Span,
): readonly Run[] {
  const isOne = (at: number): boolean => at < to && (values[bytes[at] ?? 0] ?? -1) >= 0;
  const line = Math.max(1, Math.min(least, shortestLine));
  const runs: Run[] = [];
  for (let at = from; at + line <= to; ) {
    let last = at + line - 1;
    while (last >= at && isOne(last)) last -= 1;
    if (last >= at) {
      at = last + 1;
      continue;
    }
    const run: number[] = [];
    let length = 0;
    let start = at;
    for (let next = at; isOne(next); next = at - start >= shortestLine ? nextLine(bytes, at) : at) {
      [start, at] = [next, next];
      while (isOne(at)) at += 1;
      run.push(start, at);
      length += at - start;
    }
    if (length >= least) runs.push(run);
  }
  return runs;
}

/** The runs one after another, as values, each at a place from which whole bytes begin. */
function joined({ bytes }: View, { bits, values }: Alphabet, runs: readonly Run[]) {
  const most = runs.reduce((sum, run) => sum + (run.at(-1) ?? 0) - (run[0] ?? 0) + 2 * gap, gap);
  const [signs, at] = [new Uint8Array(most).fill(2 ** bits - 1), new Int32Array(most)];
  let length = gap;
  for (const run of runs) {
    for (let line = 0; line < run.length; line += 2)
      for (let from = run[line] ?? 0; from < (run[line + 1] ?? 0); from += 1) {
        signs[length] = values[bytes[from] ?? 0] ?? 0;
        at[length] = from;
        length += 1;
      }
    const next = length + gap + ((gap - (length % gap)) % gap);
    // The last byte may have its last bits from there.
    at.fill((run.at(-1) ?? 1) - 1, length, next);
    length = next;
  }
  return { signs: signs.subarray(0, length), at };
}

/** What values of so many bits say from a place on. */
function packed(signs: Uint8Array, bits: number, from: number): Buffer {
  const bytes = Buffer.allocUnsafe(Math.floor(((signs.length - from) * bits) / 8));
  let [held, count, length] = [0, 0, 0];
  for (let at = from; at < signs.length; at += 1) {
    held = ((held << bits) | (signs[at] ?? 0)) & 0xffff;
    count += bits;
    if (count < 8) continue;
    count -= 8;
    bytes[length] = held >> count;
    length += 1;
  }
  return bytes;
}

/** In a longer run, of a picture, bytes begin where it begins, in characters. */
const longestShifted = 64 * 1024;

/** The runs read from a place on, in characters of each. */
function readFrom(view: View, { bits, values }: Alphabet, runs: readonly Run[], from: number): View {
  const { signs, at } = joined(view, { bits, values }, runs);
  return {
    bytes: packed(signs, bits, from),
    kind: view.kind === 'numbers' ? 'numbers' : 'block',
    place: (start, end) =>
      view.place(
        at[from + Math.floor((start * 8) / bits)] ?? 0,
        (at[from + Math.ceil((end * 8) / bits) - 1] ?? 0) + 1,
      ),
  };
}

/**
 * Whether a run, with bytes that begin behind so many bits of it, says what is looked at further: text, or something
 * compressed. Most runs do not, and to tell that takes no memory.
 */
function saysSomething(
  bytes: Buffer,
  { bits, values }: Alphabet,
  run: Run,
  skipped: number,
  wanted: Wanted,
): boolean {
  const isText = textBytes(wanted);
  const least = Math.max(wanted.shortest, shortestText);
  let [held, count, length, row] = [0, -skipped, 0, 0];
  for (let line = 0; line < run.length; line += 2)
    for (let at = run[line] ?? 0; at < (run[line + 1] ?? 0); at += 1) {
      held = ((held << bits) | (values[bytes[at] ?? 0] ?? 0)) & 0xffffff;
      count += bits;
      if (count < 8) continue;
      count -= 8;
      length += 1;
      row = isText[(held >> count) & 0xff] === 1 ? row + 1 : 0;
      if (row >= least || (length === 2 && isHead(held >> count))) return true;
    }
  // The last bits of a run need not make a byte.
  return row >= wanted.shortest && row + 1 >= length;
}

/** Below the first length characters may be of one kind by chance; no more than the second are looked at. */
const [shortestName, longestName] = [18, 128];

/** Runs read from each place at which a byte may begin. */
function decoded(view: View, of: Alphabet, runs: readonly Run[], wanted: Wanted): readonly View[] {
  const all = runs.filter((run) => mayBe(of, view.bytes, run));
  const places = of.bits === 4 ? 2 : of.bits === 5 ? 8 : 4;
  return [...Array(places).keys()].flatMap((from) => {
    const own = all.filter((run) => {
      if (from > 0 && (run.at(-1) ?? 0) - (run[0] ?? 0) > longestShifted) return false;
      return view.kind === 'numbers' || saysSomething(view.bytes, of, run, (from * of.bits) % 8, wanted);
    });
    return own.length === 0 ? [] : [readFrom(view, of, own, from)];
  });
}

/** Words, names and digests are no base64 and no base32: so many characters of these have both cases, or other letters. */
function mayBe({ bits }: Alphabet, bytes: Buffer, run: Run): boolean {
  const text = bytes.toString('latin1', run[0], Math.min(run[1] ?? 0, (run[0] ?? 0) + longestName));
  if (text.length < shortestName || bits === 4) return true;
  return !/^[0-9a-f]+$|^[0-9A-F]+$/.test(text) && (bits !== 6 || /[A-Z]/.test(text));
}

/** Hex, base32 and base64 in all their alphabets, also over lines. */
export const blocks: Decoder = (view, wanted) => {
  const { bytes } = view;
  const least = ({ bits }: Alphabet): number => Math.floor((wanted.shortest * 8) / bits);
  const widest = runsOf(bytes, base64.values, least(base64), { start: 0, end: bytes.length });
  if (widest.length === 0) return [];
  // Whatever is written in a smaller alphabet stands in these, too.
  const others = smaller.flatMap((each) => {
    const runs = widest.flatMap((run) =>
      runsOf(bytes, each.values, least(each), { start: run[0] ?? 0, end: run.at(-1) ?? 0 }),
    );
    return decoded(view, each, runs, wanted);
  });
  return [...decoded(view, base64, widest, wanted), ...others];
};
