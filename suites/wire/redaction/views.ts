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
  readonly isAscii: boolean;
  /** Whether it has marks that are escaped as soon as they stand in a document. */
  readonly hasMarks: boolean;
  /** Whether it matters where each byte stands. */
  readonly isPlaced: boolean;
}

/** Makes the views that a view can be decoded to. */
export type Decoder = (view: View, wanted: Wanted) => readonly View[];

/** What stands side by side as one span. */
function rowsOf(spans: readonly Span[]): readonly Span[] {
  const rows: { start: number; end: number }[] = [];
  for (const { start, end } of spans) {
    const before = rows.at(-1);
    if (before?.end === start) before.end = end;
    else rows.push({ start, end });
  }
  return rows;
}

/** Room for so many bytes at first. */
const firstRoom = 1024;

/** Takes the bytes of a view, and where in another view each stands. */
export function createWriter({ isPlaced }: Wanted) {
  let bytes = Buffer.allocUnsafe(firstRoom);
  let starts = new Int32Array(isPlaced ? firstRoom : 0);
  let ends = new Int32Array(isPlaced ? firstRoom : 0);
  let length = 0;
  const grown = (before: Int32Array, room: number): Int32Array<ArrayBuffer> => {
    const after = new Int32Array(room);
    after.set(before);
    return after;
  };
  const grow = (room: number): void => {
    const wider = Buffer.allocUnsafe(room);
    bytes.copy(wider);
    bytes = wider;
    if (isPlaced) [starts, ends] = [grown(starts, room), grown(ends, room)];
  };
  const put = (byte: number, start: number, end: number): void => {
    if (length === bytes.length) grow(length * 2);
    bytes[length] = byte;
    if (isPlaced) {
      starts[length] = start;
      ends[length] = end;
    }
    length += 1;
  };
  /** Takes a part of another text as it stands there. */
  const copy = (from: Buffer, start: number, end: number): void => {
    if (length + end - start > bytes.length) grow(2 * (length + end - start));
    let at = length;
    for (let each = start; each < end; each += 1) {
      bytes[at] = from[each] ?? 0;
      if (isPlaced) {
        starts[at] = each;
        ends[at] = each + 1;
      }
      at += 1;
    }
    length = at;
  };
  /** @param isApart whether what stands between its bytes belongs to something else */
  const view = ({ place, kind: parentKind }: View, kind = parentKind, isApart = false): View => ({
    bytes: bytes.subarray(0, length),
    kind,
    place: (start, end) =>
      isApart
        ? rowsOf(
            [...starts.subarray(start, end)].map((from, at) => ({ start: from, end: ends[start + at] ?? 0 })),
          ).flatMap((row) => place(row.start, row.end))
        : place(starts[start] ?? 0, ends[end - 1] ?? 0),
  });
  return { put, copy, view, length: () => length };
}

/** Letters and digits in lower case, 0 for all else. */
const folded = Uint8Array.from({ length: 256 }, (_, byte) => {
  const char = String.fromCharCode(byte).toLowerCase();
  return /[0-9a-z]/.test(char) && byte < 0x80 ? char.charCodeAt(0) : 0;
});

/** The letters and digits of a view, in lower case. */
export function foldedView({ bytes, place, kind }: View, { isPlaced }: Wanted): View {
  const signs = Buffer.allocUnsafe(bytes.length);
  const places = new Int32Array(isPlaced ? bytes.length : 0);
  let length = 0;
  for (let at = 0; at < bytes.length; at += 1) {
    const sign = folded[bytes[at] ?? 0] ?? 0;
    signs[length] = sign;
    if (isPlaced) places[length] = at;
    // Without a branch: which bytes count can't be foretold.
    length += sign === 0 ? 0 : 1;
  }
  return {
    bytes: signs.subarray(0, length),
    kind,
    place: (start, end) =>
      rowsOf([...places.subarray(start, end)].map((at) => ({ start: at, end: at + 1 }))).flatMap((row) =>
        place(row.start, row.end),
      ),
  };
}

/** Between parts of a token these stand as separators; others are the marks of a document, and stay. */
const marks = /["'{}[\],:\n<>]/;

/** White space and signs that may stand between two characters of a secret, at most. */
const longestGap = 16;

/** Spans in their order, with what separates them where that is no mark of the document. */
export function joinSpans(text: Buffer, spans: readonly Span[]): readonly Span[] {
  const sorted = [...spans].sort((one, other) => one.start - other.start || other.end - one.end);
  const joined: Span[] = [];
  for (const span of sorted) {
    const before = joined.at(-1);
    const isNear =
      before !== undefined &&
      (span.start <= before.end ||
        (span.start - before.end <= longestGap &&
          !marks.test(text.toString('latin1', before.end, span.start))));
    if (before !== undefined && isNear)
      joined[joined.length - 1] = { start: before.start, end: Math.max(before.end, span.end) };
    else joined.push(span);
  }
  return joined;
}
