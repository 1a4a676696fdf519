import { beginning } from './json.ts';

/** A piece of a stream that may be an event: its lines of data, and where each ends in the body. */
export interface Frame {
  /** The name of an SSE event (`event:`); null where none was given. */
  readonly name: string | null;
  readonly lines: readonly Line[];
  /** False where the body ended before the frame did. */
  readonly closed: boolean;
  /** Text that stands between events and belongs to none. */
  readonly stray?: boolean;
}

export interface Line {
  readonly text: string;
  /** Offset in bytes behind its last byte. */
  readonly end: number;
}

export const frameText = ({ lines }: Frame): string => lines.map(({ text }) => text).join('\n');

/** How the lines of a body end; `none` where it has one line only. */
export type LineEnding = 'lf' | 'crlf' | 'cr' | 'mixed' | 'none';

export interface RawLine {
  readonly start: number;
  /** Behind its last byte, line ending not counted. */
  readonly end: number;
  readonly ending: Exclude<LineEnding, 'mixed'>;
}

const lf = 10;
const cr = 13;

/** Cuts bytes into lines at LF, CRLF or CR, mixed as they come. What follows the last ending is a line if not empty. */
export function* linesOf(bytes: Buffer, from = 0): Generator<RawLine> {
  let start = from;
  const next = (byte: number): number => {
    const at = bytes.indexOf(byte, start);
    return at < 0 ? bytes.length : at;
  };
  let [nextLf, nextCr] = [next(lf), next(cr)];
  for (let at = Math.min(nextLf, nextCr); at < bytes.length; at = Math.min(nextLf, nextCr)) {
    const pair = nextCr + 1 === nextLf && nextLf < bytes.length;
    yield { start, end: at, ending: pair ? 'crlf' : at === nextLf ? 'lf' : 'cr' };
    start = at + (pair ? 2 : 1);
    if (nextLf < start) nextLf = next(lf);
    if (nextCr < start) nextCr = next(cr);
  }
  if (start < bytes.length) yield { start, end: bytes.length, ending: 'none' };
}

export function lineEndingOf(bytes: Buffer): LineEnding {
  let seen: LineEnding = 'none';
  for (const { ending } of linesOf(bytes)) {
    if (ending === 'none' || ending === seen) continue;
    if (seen !== 'none') return 'mixed';
    seen = ending;
  }
  return seen;
}

// Our own parser, not eventsource-parser: that one gives no byte offsets, without which an event has
// no time of arrival, and it drops an event that no blank line ends.

/** Characters of an event's name that are kept. */
const longestName = 200;

const fieldLine = /^(data|event|id|retry)(?::|$)/;

/** Whether a line says that the body is framed as server-sent events. */
export const isSseLine = (line: string): boolean => line.startsWith(':') || fieldLine.test(line);

/** A line of data is proof enough wherever it stands: no JSON text has a line that begins so. */
export const isSseData = (line: string): boolean => /^data(?::|$)/.test(line);

/** Cuts a body into at most `max` server-sent events (HTML Living Standard, 9.2.6); one that the body's end cuts off is kept, not closed. */
export function sseFrames(bytes: Buffer, from: number, max: number) {
  const frames: Frame[] = [];
  let name: string | null = null;
  let data: Line[] = [];
  let comments = 0;

  const close = (closed: boolean): void => {
    if (data.length > 0) frames.push({ name, lines: data, closed });
    name = null;
    data = [];
  };
  for (const { start, end } of linesOf(bytes, from)) {
    if (frames.length >= max) break;
    if (start === end) {
      close(true);
      continue;
    }
    const line = bytes.toString('utf8', start, end);
    const colon = line.indexOf(':');
    const field = colon < 0 ? line : line.slice(0, colon);
    const value = colon < 0 ? '' : line.slice(colon + 1).replace(/^ /, '');
    if (colon === 0) comments += 1;
    else if (field === 'data') data.push({ text: value, end });
    else if (field === 'event') name = beginning(value, longestName);
    else if (/^\s*[{[]/.test(line)) {
      frames.push({ name: null, lines: [{ text: line, end }], closed: true, stray: true });
    }
  }
  close(false);
  /** `comments`: lines that many gateways send to keep a connection alive. */
  return { frames, comments };
}
