import { isObject, type JsonObject } from '../../spec/json.ts';

/** The beginning of a text, as a copy where it is cut: a slice would keep the whole text in memory. */
export const beginning = (text: string, chars: number): string =>
  text.length <= chars ? text : Buffer.from(text.slice(0, chars), 'utf16le').toString('utf16le');

export const isText = (value: unknown): value is string => typeof value === 'string' && value !== '';

export const elements = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);

export const objects = (value: unknown): readonly JsonObject[] => elements(value).filter(isObject);

/** The value at a JSON Pointer without escapes; undefined where there is none. */
export const valueAt = (json: unknown, pointer: string): unknown =>
  pointer
    .split('/')
    .slice(1)
    .reduce((at, name) => (at as Readonly<Record<string, unknown>> | null | undefined)?.[name], json);

export type Parsed =
  | { readonly ok: true; readonly value: unknown }
  | {
      readonly ok: false;
      /** The bound that it passes: it may well be JSON, nobody looked. Absent where it is not JSON. */
      readonly passes?: { readonly bound: 'values' | 'levels'; readonly limit: number };
    };

/** Deeper than any reply has reason to be, and shallow enough for those who walk it by recursion. */
const maxDepth = 200;

/** More values than any reply has reason to hold: a few bytes of each become many when parsed. */
const maxValues = 300_000;

/** Whether any character outside the strings of a JSON text, whole or cut off, is the one that is looked for. */
function someOutsideStrings(text: string, isFound: (code: number) => boolean): boolean {
  let isQuoted = false;
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    // A backslash, a quote: looked at for each character, so not in a set.
    if (isQuoted) {
      if (code === 0x5c) at += 1;
      else if (code === 0x22) isQuoted = false;
    } else if (code === 0x22) isQuoted = true;
    else if (isFound(code)) return true;
  }
  return false;
}

/** An opening bracket or brace. */
const isOpening = (code: number): boolean => code === 0x5b || code === 0x7b;

/** About how many values a text would parse to, at most; what stands in its strings is not counted. */
export function countValues(text: string): number {
  let count = 1;
  someOutsideStrings(text, (code) => {
    // A comma.
    if (code === 0x2c || isOpening(code)) count += 1;
    return false;
  });
  return count;
}

/** Whether a text, whole or cut off, has more brackets open at once than a document may have levels. */
export function isDeepText(text: string): boolean {
  let open = 0;
  return someOutsideStrings(text, (code) => {
    if (isOpening(code)) open += 1;
    else if (code === 0x5d || code === 0x7d) open -= 1;
    return open > maxDepth;
  });
}

function isDeep(root: unknown): boolean {
  let level = [root];
  for (let depth = 0; level.length > 0; depth += 1) {
    if (depth > maxDepth) return true;
    const below: unknown[] = [];
    for (const value of level) {
      if (typeof value !== 'object' || value === null) continue;
      for (const inner of Object.values(value))
        if (typeof inner === 'object' && inner !== null) below.push(inner);
    }
    level = below;
  }
  return false;
}

/** Whether a text has more than so many of the marks that values stand behind, in its strings, too: most have few. */
function hasMarks(text: string, most: number): boolean {
  let left = most;
  for (const mark of [',', '[', '{'])
    for (let at = text.indexOf(mark); at >= 0 && left >= 0; at = text.indexOf(mark, at + 1)) left -= 1;
  return left < 0;
}

/** How a JSON text begins: the parser takes long to throw, and bare text may stand in thousands of events. */
const jsonStart = /^\s*(?:[[{"\d-]|true|false|null)/;

/** Parses a JSON text; one that is nested deeper than 200 levels or holds more than 300,000 values counts as none. */
export function parseJson(text: string): Parsed {
  if (!jsonStart.test(text)) return { ok: false };
  if (text.length > maxValues && hasMarks(text, maxValues - 1) && countValues(text) > maxValues) {
    return { ok: false, passes: { bound: 'values', limit: maxValues } };
  }
  try {
    const value: unknown = JSON.parse(text);
    return isDeep(value) ? { ok: false, passes: { bound: 'levels', limit: maxDepth } } : { ok: true, value };
  } catch {
    return { ok: false };
  }
}

export interface Kept {
  /** Elements of one array. */
  readonly elements: number;
  /** Characters of one string. */
  readonly chars: number;
}

/** What of a long document is judged: no text that is asked for is nearly as long, and no result has so many elements. */
export const judged: Kept = { elements: 1000, chars: 65_536 };

/** The beginning of each array and each string. By recursion: `parseJson` gives nothing that is too deep for it. */
export function lighter(value: unknown, kept: Kept): unknown {
  if (typeof value === 'string') return beginning(value, kept.chars);
  if (Array.isArray(value)) return value.slice(0, kept.elements).map((inner) => lighter(inner, kept));
  if (!isObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, lighter(inner, kept)]));
}
