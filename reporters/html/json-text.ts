/** JSON as it was recorded, read for its shape: numbers, strings and order stay as they came. */

export interface Piece {
  readonly start: number;
  readonly end: number;
  /** `{` or `[` with members, or `` for a scalar. */
  readonly opens: '{' | '[' | '';
  readonly members: readonly { readonly key: string; readonly label: string; readonly value: Piece }[];
}

const blank = /\s*/y;
const scalar = /"[^"\\]*(?:\\[\s\S][^"\\]*)*"|-?\d[\d.eE+-]*|true|false|null/y;
const maxDepth = 60;

interface Cursor {
  readonly text: string;
  at: number;
}

function take(cursor: Cursor, pattern: RegExp): string | null {
  pattern.lastIndex = cursor.at;
  const found = pattern.exec(cursor.text)?.[0] ?? null;
  if (found !== null) cursor.at += found.length;
  return found;
}

function keyOf(cursor: Cursor): { key: string; label: string } | null {
  const label = take(cursor, scalar);
  take(cursor, blank);
  if (label?.startsWith('"') !== true || cursor.text[cursor.at] !== ':') return null;
  cursor.at += 1;
  try {
    return { key: String(JSON.parse(label)), label };
  } catch {
    return null;
  }
}

function readMembers(cursor: Cursor, opens: '{' | '[', depth: number): Piece['members'] | null {
  const closes = opens === '{' ? '}' : ']';
  const members: Piece['members'][number][] = [];
  take(cursor, blank);
  if (cursor.text[cursor.at] === closes) return members;
  for (;;) {
    take(cursor, blank);
    const name = opens === '{' ? keyOf(cursor) : { key: String(members.length), label: '' };
    const value = name === null ? null : readPiece(cursor, depth + 1);
    if (name === null || value === null) return null;
    members.push({ ...name, value });
    take(cursor, blank);
    if (cursor.text[cursor.at] === closes) return members;
    if (cursor.text[cursor.at] !== ',') return null;
    cursor.at += 1;
  }
}

function readPiece(cursor: Cursor, depth: number): Piece | null {
  take(cursor, blank);
  const start = cursor.at;
  const opens = cursor.text[start];
  if (opens !== '{' && opens !== '[') {
    return take(cursor, scalar) === null ? null : { start, end: cursor.at, opens: '', members: [] };
  }
  if (depth > maxDepth) return null;
  cursor.at += 1;
  const members = readMembers(cursor, opens, depth);
  if (members === null) return null;
  cursor.at += 1;
  return { start, end: cursor.at, opens, members };
}

/** The JSON value that begins at an offset; null where there is none, or it is cut, or nested too deep. */
export const readJson = (text: string, at = 0): Piece | null => readPiece({ text, at }, 0);

/** The whole text as one JSON value; null where it is not. */
export function readWhole(text: string): Piece | null {
  const piece = readJson(text);
  return piece !== null && text.slice(piece.end).trim() === '' ? piece : null;
}

const steps = (pointer: string): string[] =>
  pointer
    .split('/')
    .slice(1)
    .map((step) => step.replaceAll('~1', '/').replaceAll('~0', '~'));

export interface Spot {
  readonly piece: Piece;
  /** False where the pointer leads nowhere: then this is the nearest value above it. */
  readonly exact: boolean;
}

/** Where a JSON Pointer leads in a value. Of two members with one name the last counts, as in parsing. */
export function follow(root: Piece, pointer: string): Spot {
  let piece = root;
  for (const step of steps(pointer)) {
    const next = piece.members.findLast(({ key }) => key === step);
    if (next === undefined) return { piece, exact: false };
    piece = next.value;
  }
  return { piece, exact: true };
}

export interface Laid {
  readonly text: string;
  /** Where each value of the source now stands. */
  readonly places: ReadonlyMap<Piece, readonly [start: number, end: number]>;
}

const lineWidth = 76;
const longString = 240;

/** The nearest offset that does not cut a character in two. */
export const wholeAt = (text: string, at: number): number =>
  /^[\ud800-\udbff][\udc00-\udfff]$/.test(text.slice(Math.max(0, at - 1), at + 1)) ? at + 1 : at;

function scalarText(source: string, { start, end }: Piece): string {
  if (end - start <= longString) return source.slice(start, end);
  const [cut, resume] = [wholeAt(source, start + 140), wholeAt(source, end - 20)];
  return `${source.slice(start, cut)}… ${resume - cut} more …${source.slice(resume, end)}`;
}

/** The value on indented lines, short members on one line, very long strings cut in their middle. */
export function layOut(source: string, root: Piece): Laid {
  const places = new Map<Piece, readonly [number, number]>();
  let text = '';
  const fits = (piece: Piece) =>
    source.slice(piece.start, piece.end).replace(/\s+/g, ' ').length <= lineWidth;
  const print = (piece: Piece, indent: string, flat: boolean) => {
    const start = text.length;
    if (piece.opens === '') text += scalarText(source, piece);
    else {
      const one = flat || fits(piece);
      const inner = one ? '' : `\n${indent}  `;
      text += piece.opens;
      piece.members.forEach(({ label, value }, at) => {
        text += `${at === 0 ? '' : one ? ', ' : ','}${inner}${label === '' ? '' : `${label}: `}`;
        print(value, `${indent}  `, one);
      });
      text += `${one ? '' : `\n${indent}`}${piece.opens === '{' ? '}' : ']'}`;
    }
    places.set(piece, [start, text.length]);
  };
  print(root, '', false);
  return { text, places };
}
