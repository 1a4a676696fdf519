import { createWriter, type Decoder, type Span, type Wanted } from '../views.ts';
import { shortestPiece } from '../gram-index.ts';

// Lists of byte values, as Buffers of Node, bytes of Python and slices of Go print themselves, and dumps.

/** Letters and digits; 2 for those that numbers are written with. */
const signs = Uint8Array.from({ length: 256 }, (_, byte) => {
  const char = String.fromCharCode(byte);
  return /[0-9a-fxo]/i.test(char) ? 2 : /[a-z]/i.test(char) ? 1 : 0;
});

/** How many digits a byte has in a base, and how a number begins that tells its base. */
const bases: readonly { readonly base: number; readonly form: RegExp; readonly digits: RegExp }[] = [
  { base: 16, form: /^(?:0[xX])?(?:[0-9a-fA-F]{2}){1,2}$/, digits: /[0-9a-fA-F]{2}(?=(?:..)?$)/g },
  { base: 10, form: /^\d{2,3}$/, digits: /\d+/g },
  { base: 8, form: /^0?[oO]?[0-7]{2,3}$/, digits: /[0-7]+$/g },
  { base: 2, form: /^(?:0[bB])?[01]{6,8}$/, digits: /[01]+$/g },
];

/** The longest number, in characters. */
const longest = 10;

/** Between two looks at a text so many characters of a list are left out. */
const stride = 7;

/** So far around what looks like a list it may go on, as a dump does behind its text, in characters. */
const around = 48;

/** More marks than this do not stand between two numbers. */
const mostMarks = 6;

/** Whether so many characters may be part of a list. */
function isList(bytes: Buffer, start: number, length: number): boolean {
  let [marks, digits] = [0, 0];
  for (let at = start; at < start + length; at += 1) {
    const sign = signs[bytes[at] ?? 0] ?? 0;
    if (sign === 1) return false;
    if (sign === 2) digits += 1;
    else marks += 1;
    if (digits === 0 && marks > mostMarks) return false;
  }
  return Math.min(marks, digits) > length / 10;
}

/** Where lists may stand. */
function listsIn(bytes: Buffer, { shortest }: Wanted): readonly Span[] {
  // Two digits each, and what separates them.
  const looked = 3 * Math.min(shortest, shortestPiece) - 1 - stride;
  const spans: { start: number; end: number }[] = [];
  for (let at = 0; at + looked <= bytes.length; at += stride) {
    if (!isList(bytes, at, looked)) continue;
    const [start, end] = [Math.max(0, at - around), Math.min(bytes.length, at + looked + around)];
    const before = spans.at(-1);
    if (before && start <= before.end) before.end = end;
    else spans.push({ start, end });
  }
  return spans;
}

/** Words that may be a number, from one place to before another. */
function* wordsIn(bytes: Buffer, { start: from, end }: Span): Generator<Span> {
  for (let at = from; at < end; ) {
    const start = at;
    let isNumber = true;
    for (let sign = signs[bytes[at] ?? 0]; sign !== 0 && at < end; sign = signs[bytes[at] ?? 0]) {
      if (sign === 1) isNumber = false;
      at += 1;
    }
    if (isNumber && at - start >= 2 && at - start <= longest) yield { start, end: at };
    at = Math.max(at, start + 1);
  }
}

/** In each base the numbers that may be a byte, whatever stands between them. */
export const numbers: Decoder = (view, wanted) => {
  const { bytes } = view;
  const lists = listsIn(bytes, wanted);
  if (lists.length === 0) return [];
  const writers = bases.map((each) => ({ ...each, writer: createWriter(wanted) }));
  for (const { start, end } of lists.flatMap((list) => [...wordsIn(bytes, list)])) {
    const word = bytes.toString('latin1', start, end);
    for (const { base, form, digits, writer } of writers) {
      if (!form.test(word)) continue;
      for (const { 0: text, index } of word.matchAll(digits)) {
        const value = Number.parseInt(text, base);
        if (value < 256) writer.put(value, start + index, start + index + text.length);
      }
    }
  }
  return writers
    .filter(({ writer }) => writer.length() >= wanted.shortest)
    .map(({ writer }) => writer.view(view, 'numbers', true));
};
