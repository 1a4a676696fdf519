/** JSON as it was recorded, read for its shape: numbers, strings and order stay as they came. */

export interface JsonNode {
  readonly start: number;
  readonly end: number;
  /** `{` or `[` with members, or `` for a scalar. */
  readonly opens: '{' | '[' | '';
  readonly members: readonly { readonly key: string; readonly label: string; readonly value: JsonNode }[];
}

const blank = /\s*/y;
const scalar = /"[^"\\]*(?:\\[\s\S][^"\\]*)*"|-?\d[\d.eE+-]*|true|false|null/y;
const maxDepth = 60;

interface Cursor {
  readonly text: string;
  at: number;
}

function take(cursor: Cursor, pattern: RegExp): string | null {
  const { text, at } = cursor;
  if (!skip(cursor, pattern)) return null;
  return text.slice(at, cursor.at);
}

function skip(cursor: Cursor, pattern: RegExp): boolean {
  pattern.lastIndex = cursor.at;
  const isFound = pattern.test(cursor.text);
  if (isFound) cursor.at = pattern.lastIndex;
  return isFound;
}

function keyOf(cursor: Cursor): { key: string; label: string } | null {
  const label = take(cursor, scalar);
  skip(cursor, blank);
  if (label?.startsWith('"') !== true || cursor.text[cursor.at] !== ':') return null;
  cursor.at += 1;
  try {
    return { key: String(JSON.parse(label)), label };
  } catch {
    return null;
  }
}

function readMembers(cursor: Cursor, opens: '{' | '[', depth: number): JsonNode['members'] | null {
  const closes = opens === '{' ? '}' : ']';
  const members: JsonNode['members'][number][] = [];
  skip(cursor, blank);
  if (cursor.text[cursor.at] === closes) return members;
  for (;;) {
    skip(cursor, blank);
    const name = opens === '{' ? keyOf(cursor) : { key: String(members.length), label: '' };
    const value = name === null ? null : readNode(cursor, depth + 1);
    if (name === null || value === null) return null;
    members.push({ ...name, value });
    skip(cursor, blank);
    if (cursor.text[cursor.at] === closes) return members;
    if (cursor.text[cursor.at] !== ',') return null;
    cursor.at += 1;
  }
}

function readNode(cursor: Cursor, depth: number): JsonNode | null {
  skip(cursor, blank);
  const start = cursor.at;
  const opens = cursor.text[start];
  if (opens !== '{' && opens !== '[') {
    return skip(cursor, scalar) ? { start, end: cursor.at, opens: '', members: [] } : null;
  }
  if (depth > maxDepth) return null;
  cursor.at += 1;
  const members = readMembers(cursor, opens, depth);
  if (members === null) return null;
  cursor.at += 1;
  return { start, end: cursor.at, opens, members };
}

/** The JSON value that begins at an offset; null where there is none, or it is cut, or nested too deep. */
export const readJson = (text: string, at = 0): JsonNode | null => readNode({ text, at }, 0);

/** The whole text as one JSON value; null where it is not. */
export function readWhole(text: string): JsonNode | null {
  const node = readJson(text);
  return node !== null && text.slice(node.end).trim() === '' ? node : null;
}

const steps = (pointer: string): string[] =>
  pointer
    .split('/')
    .slice(1)
    .map((step) => step.replaceAll('~1', '/').replaceAll('~0', '~'));

/** Where a JSON Pointer leads, or the nearest value above. Of two members with one name the last counts, as in parsing. */
export function resolvePointer(root: JsonNode, pointer: string): { node: JsonNode; exact: boolean } {
  let node = root;
  for (const step of steps(pointer)) {
    const next = node.members.findLast(({ key }) => key === step);
    if (next === undefined) return { node, exact: false };
    node = next.value;
  }
  return { node, exact: true };
}

const lineWidth = 76;
/** As much as fits on a line, where what is blank takes the room of one character. */
const line = new RegExp(`(?:\\S|\\s+){0,${lineWidth}}`, 'y');

/** The nearest offset that does not cut a character in two. */
export const characterBoundary = (text: string, at: number): number =>
  /^[\ud800-\udbff][\udc00-\udfff]$/.test(text.slice(Math.max(0, at - 1), at + 1)) ? at + 1 : at;

/** The value on indented lines, short members on one line, and where each value of the source is in that text. */
export function formatJson(source: string, root: JsonNode) {
  const places = new Map<JsonNode, readonly [number, number]>();
  let text = '';
  const fits = ({ start, end }: JsonNode): boolean => {
    line.lastIndex = start;
    line.test(source);
    return line.lastIndex >= end;
  };
  const print = (node: JsonNode, indent: string, flat: boolean) => {
    const start = text.length;
    if (node.opens === '') text += source.slice(node.start, node.end);
    else {
      const one = flat || fits(node);
      const inner = one ? '' : `\n${indent}  `;
      text += node.opens;
      node.members.forEach(({ label, value }, at) => {
        text += `${at === 0 ? '' : one ? ', ' : ','}${inner}${label === '' ? '' : `${label}: `}`;
        print(value, `${indent}  `, one);
      });
      text += `${one ? '' : `\n${indent}`}${node.opens === '{' ? '}' : ']'}`;
    }
    places.set(node, [start, text.length]);
  };
  print(root, '', false);
  return { text, places };
}
