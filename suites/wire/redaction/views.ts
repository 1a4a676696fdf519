import { firstFrom } from '../../../spec/first-from.ts';
/** A part of a text, from one byte to before another. */
export interface Span {
  readonly start: number;
  readonly end: number;
}

/** What a text can be read as, and where in the text each part of that stands. */
export interface View {
  readonly bytes: Buffer;
  readonly place: (start: number, end: number) => readonly Span[];
  /** How it came about: a list of numbers has no place for other characters, a block of bits no sense of its own. */
  readonly kind: 'text' | 'block' | 'numbers';
}

/** What is looked for in what is decoded. */
export interface Wanted {
  /** Fewer bytes hold nothing. */
  readonly shortest: number;
  /** Whether all of one may be so short that other text beside it counts for more. */
  readonly isShort: boolean;
  /** More bytes need not be looked at to find one, however it is written. */
  readonly written: number;
  readonly isAscii: boolean;
  /** Whether it has marks that are escaped as soon as they stand in a document. */
  readonly hasMarks: boolean;
}

/** Makes the views that a view can be decoded to. */
export type Decoder = (view: View, wanted: Wanted) => Iterable<View>;

/** Spans in their order, those as one that are near each other. */
export function joined(
  spans: readonly Span[],
  isNear: (before: Span, span: Span) => boolean,
): readonly Span[] {
  const rows: { start: number; end: number }[] = [];
  for (const span of spans) {
    const before = rows.at(-1);
    if (before && isNear(before, span)) before.end = Math.max(before.end, span.end);
    else rows.push({ ...span });
  }
  return rows;
}

/** What stands side by side as one span. */
const rowsOf = (spans: readonly Span[]): readonly Span[] =>
  joined(spans, (before, { start }) => before.end === start);

const firstRoom = 256;

/** Shorter parts are copied byte by byte. */
const shortestSet = 256;

/** Takes bytes of a view, and notes for each part where it stands here and where in the other view. */
export function createWriter() {
  let bytes = Buffer.allocUnsafe(firstRoom);
  const parts: number[] = [];
  let length = 0;
  const grow = (room: number): void => {
    const wider = Buffer.allocUnsafe(room);
    bytes.copy(wider, 0, 0, length);
    bytes = wider;
  };
  const put = (byte: number, start: number, end: number): void => {
    parts.push(length, start, end);
    if (length === bytes.length) grow(length * 2);
    bytes[length] = byte;
    length += 1;
  };
  /** Takes a part of another text as it stands there. */
  const copy = (from: Buffer, start: number, end: number): void => {
    if (end <= start) return;
    parts.push(length, start, end);
    if (length + end - start > bytes.length) grow(2 * (length + end - start));
    if (end - start >= shortestSet) from.copy(bytes, length, start, end);
    else for (let each = start; each < end; each += 1) bytes[length + each - start] = from[each] ?? 0;
    length += end - start;
  };
  /** Which part holds a byte: its index among the numbers. */
  const partAt = (place: number): number =>
    3 * Math.max(0, firstFrom(parts.length / 3, (at) => (parts[3 * at] ?? 0) > place) - 1);
  const lengthOf = (part: number): number => (parts[part + 3] ?? length) - (parts[part] ?? 0);
  /** Where a byte stands; what stands for one byte may be longer. */
  const startOf = (part: number, place: number): number =>
    (parts[part + 1] ?? 0) + (lengthOf(part) === 1 ? 0 : place - (parts[part] ?? 0));
  const endOf = (part: number, place: number): number =>
    lengthOf(part) === 1 ? (parts[part + 2] ?? 0) : startOf(part, place) + 1;
  const spansOf = (start: number, end: number): readonly Span[] => {
    const spans: Span[] = [];
    for (let part = partAt(start); part < parts.length && (parts[part] ?? 0) < end; part += 3) {
      const first = Math.max(start, parts[part] ?? 0);
      const last = Math.min(end, (parts[part] ?? 0) + lengthOf(part)) - 1;
      spans.push({ start: startOf(part, first), end: endOf(part, last) });
    }
    return rowsOf(spans);
  };
  /** @param isApart whether what stands between its bytes belongs to something else */
  const view = ({ place, kind: parentKind }: View, kind = parentKind, isApart = false): View => ({
    bytes: bytes.subarray(0, length),
    kind,
    place: (start, end) =>
      isApart
        ? spansOf(start, end).flatMap((span) => place(span.start, span.end))
        : place(startOf(partAt(start), start), endOf(partAt(end - 1), end - 1)),
  });
  return { put, copy, view, length: () => length };
}

/** Letters and digits in lower case, 0 for all else. */
export const folded = Uint8Array.from({ length: 256 }, (_, byte) => {
  const char = String.fromCharCode(byte).toLowerCase();
  return /[0-9a-z]/.test(char) && byte < 0x80 ? char.charCodeAt(0) : 0;
});

/** Where the letters and digits of a part stand. */
export function signsIn(bytes: Uint8Array, start: number, end: number): readonly Span[] {
  const spans: { start: number; end: number }[] = [];
  // No span for each byte: a body has millions.
  for (let at = start; at < end; at += 1) {
    if (folded[bytes[at] ?? 0] === 0) continue;
    const before = spans.at(-1);
    if (before?.end === at) before.end = at + 1;
    else spans.push({ start: at, end: at + 1 });
  }
  return spans;
}

/** Between parts of a token these stand as separators; others are the marks of a document, and stay. */
const marks = /["'{}[\],:\n<>]/;

/** White space and signs that may stand between two characters of a secret, at most. */
const longestGap = 16;

/** Spans in their order, with what separates them where that is no mark of the document. */
export function joinSpans(text: Buffer, spans: readonly Span[]): readonly Span[] {
  const sorted = [...spans].sort((one, other) => one.start - other.start || other.end - one.end);
  return joined(
    sorted,
    (before, { start }) =>
      start <= before.end ||
      (start - before.end <= longestGap && !marks.test(text.toString('latin1', before.end, start))),
  );
}
