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
