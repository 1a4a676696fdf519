import { type Frame, frameText, linesOf, type RawLine } from './frames.ts';
import { isObject } from '../../spec/json.ts';
import { parseJson } from './json.ts';

const code = (char: string): number => char.charCodeAt(0);
const quote = code('"');
const backslash = code('\\');
const opening = new Set([code('{'), code('[')]);
const closing = new Set([code('}'), code(']')]);
const isSpace = (byte: number): boolean => byte === 32 || byte === 10 || byte === 13 || byte === 9;
/** May stand between values: the record separator of RFC 7464, and the commas of an array of events. */
const isBetween = (byte: number): boolean => isSpace(byte) || byte === 0x1e || byte === code(',');

/** Where the value that begins at `start` ends; `closed` is false where the body ends first. */
function valueEnd(bytes: Buffer, start: number, to: number): { end: number; closed: boolean } {
  let depth = 0;
  let inString = false;
  for (let at = start; at < to; at += 1) {
    const byte = bytes[at] ?? 0;
    if (inString) {
      if (byte === backslash) at += 1;
      else if (byte === quote) {
        inString = false;
        if (depth === 0) return { end: at + 1, closed: true };
      }
    } else if (byte === quote) inString = true;
    else if (opening.has(byte)) depth += 1;
    else if (closing.has(byte)) {
      depth -= 1;
      if (depth <= 0) return { end: at + 1, closed: true };
    } else if (depth === 0 && isBetween(byte)) return { end: at, closed: true };
  }
  return { end: to, closed: false };
}

/** The first byte at or behind `from` that is not white space; `to` where none stands before it. */
export function firstByte(bytes: Buffer, from: number, to = bytes.length): number {
  let at = from;
  while (at < to && isSpace(bytes[at] ?? 0)) at += 1;
  return at;
}

/** Whether the body is an array whose elements come one by one, each an object. */
const isEventArray = (bytes: Buffer, start: number): boolean =>
  bytes[start] === code('[') && bytes[firstByte(bytes, start + 1)] === code('{');

/** Cuts bytes into JSON values that follow one another, whatever stands between them. */
export function valueFrames(bytes: Buffer, from: number, to: number, max: number): Frame[] {
  const frames: Frame[] = [];
  const start = firstByte(bytes, from);
  const array = isEventArray(bytes, start);
  let at = array ? start + 1 : start;
  while (at < to && frames.length < max) {
    const byte = bytes[at] ?? 0;
    if (isBetween(byte) || (array && closing.has(byte))) {
      at += 1;
      continue;
    }
    const { end, closed } = valueEnd(bytes, at, to);
    frames.push({ name: null, lines: [{ text: bytes.toString('utf8', at, end), end }], closed });
    at = end;
  }
  return frames;
}

function isObjectLine(bytes: Buffer, { start, end }: RawLine): boolean {
  if (bytes[start] !== code('{')) return false;
  const parsed = parseJson(bytes.toString('utf8', start, end));
  return parsed.ok && isObject(parsed.value);
}

/** Lines that say something, at most `max`. */
function filledLines(bytes: Buffer, from: number, max: number): RawLine[] {
  const lines: RawLine[] = [];
  for (const line of linesOf(bytes, from)) {
    if (lines.length >= max) break;
    if (firstByte(bytes, line.start, line.end) < line.end) lines.push(line);
  }
  return lines;
}

/** Cuts a body into lines of JSON; null unless its first line is an object or, with that one broken, half of all are. */
export function lineFrames(bytes: Buffer, from: number, max: number): Frame[] | null {
  const lines = filledLines(bytes, from, max);
  const first = lines[0];
  if (first === undefined || lines.length < 2) return null;
  if (!isObjectLine(bytes, first)) {
    const whole = lines.filter((line) => isObjectLine(bytes, line)).length;
    if (whole * 2 < lines.length) return null;
  }
  return lines.flatMap((line) => {
    const values = valueFrames(bytes, line.start, line.end, max);
    if (values.length > 1 && values.every(({ closed }) => closed)) return values;
    const text = bytes.toString('utf8', line.start, line.end);
    return [{ name: null, lines: [{ text, end: line.end }], closed: line.ending !== 'none' }];
  });
}

// What stands in the frames of a stream that is no JSON and need not be: the framing, the terminator (6.2)
// and the events of Messages (6.1) are not shown.

/** Some gateways glue a comment to it. */
const sentinel = /^\s*"?(\[(?:DONE|END|EOF|STOP)\])|^\s*(DONE)\s*$/i;
const keepAlive = /^(?:ping|heart-?_?beat|keep-?_?alive)$/i;
const endName = /^(?:.*[._-])?(?:done|end(?:ed)?|closed?|stop(?:ped)?|finish(?:ed)?|completed?)$/i;
/** One word such as `end` or `<|end|>`, or one in brackets. */
const mark = /^\s*(?:[^\s{}[\]"']{1,40}|\[[A-Za-z_-]{1,40}\])\s*$/;

/** The known terminator that a text is; bracketed ones alone where the text may as well be that of the reply. */
export function sentinelOf(text: string, bracketedOnly = false): string | undefined {
  const [, bracketed, bare] = sentinel.exec(text) ?? [];
  return bracketed ?? (bracketedOnly ? undefined : bare);
}

export const isBracketedPing = (text: string): boolean =>
  keepAlive.test(/^\s*\[(.*)\]\s*$/.exec(text)?.[1] ?? '');

const isPing = ({ name }: Frame, text: string): boolean =>
  keepAlive.test(name ?? '') || keepAlive.test(text.trim()) || isBracketedPing(text);
/** It sets out to be an object or an array. */
const isDocument = (text: string): boolean => /^\s*[{[]/.test(text);
const isString = (text: string): boolean => /^\s*"/.test(text) && parseJson(text).ok;

interface Said {
  readonly frame: Frame;
  readonly text: string;
}

/** The names of which more frames are so than are not. */
function namesOfMost(said: readonly Said[], isSo: (one: Said) => boolean): ReadonlySet<string | null> {
  const lead = new Map<string | null, number>();
  for (const one of said) lead.set(one.frame.name, (lead.get(one.frame.name) ?? 0) + (isSo(one) ? 1 : -1));
  return new Set([...lead].flatMap(([name, more]) => (more > 0 ? [name] : [])));
}

/** What a frame is whose data is no JSON; null where it ought to be. */
export type NonJson = 'text' | 'keep-alive' | 'terminator' | 'notice' | null;

/** What frames without JSON in their data are. `bareText`: whether data may be the text of the reply itself. */
export function nonJsonFrames(frames: readonly Frame[], bareText: boolean): (frame: Frame) => NonJson {
  const said = frames
    .map((frame) => ({ frame, text: frameText(frame) }))
    .filter(
      ({ frame, text }) => text.trim() !== '' && !isPing(frame, text) && sentinelOf(text) === undefined,
    );
  const last = said.at(-1)?.frame;
  // A JSON string is one by intent only where most of its name are.
  const strings = namesOfMost(said, ({ text }) => isString(text));
  /** It sets out to be JSON. */
  const isMeant = ({ name }: Frame, text: string): boolean =>
    isDocument(text) || (strings.has(name) && isString(text));
  const json = new Set(said.flatMap(({ frame, text }) => (isMeant(frame, text) ? [frame.name] : [])));
  const isEnd = (frame: Frame, text: string): boolean => {
    if (frame !== last || said.length < 2) return false;
    const { name } = frame;
    if (name !== null && endName.test(name) && !/[{[]/.test(text)) return true;
    return mark.test(text) && (json.has(name) || (name === null && json.size > 0));
  };
  const isNotice = ({ name }: Frame, text: string): boolean =>
    name !== null && name !== 'error' && json.size > 0 && !json.has(name) && !/[{[]/.test(text);

  const texts = namesOfMost(said, ({ frame, text }) => !isMeant(frame, text));
  const open = (bareText ? said : []).filter(
    ({ frame, text }) => !isMeant(frame, text) && !isEnd(frame, text) && !parseJson(text).ok,
  );
  /** Under these names stands bare text: not all is JSON, and not even half of it sets out to be. */
  const bare = new Set(open.flatMap(({ frame: { name } }) => (texts.has(name) ? [name] : [])));
  return (frame) => {
    const text = frameText(frame);
    if (bare.has(frame.name)) return 'text';
    if (frame.stray === true) return null;
    if (isPing(frame, text)) return 'keep-alive';
    if (isEnd(frame, text)) return 'terminator';
    return isNotice(frame, text) ? 'notice' : null;
  };
}
