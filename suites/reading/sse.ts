import { beginning } from './excerpt.ts';
import { type Frame, type Line, linesOf } from './frames.ts';

// Our own parser, not eventsource-parser: that one gives no byte offsets, without which an event has
// no time of arrival, and it drops an event that no blank line ends.

export interface SseFrames {
  readonly frames: readonly Frame[];
  /** Comment lines, which many gateways send to keep a connection alive. */
  readonly comments: number;
}

/** Characters of an event's name that are kept. */
const longestName = 200;

const fieldLine = /^(data|event|id|retry)(?::|$)/;

/** Whether a line says that the body is framed as server-sent events. */
export const isSseLine = (line: string): boolean => line.startsWith(':') || fieldLine.test(line);

/** A line of data is proof enough wherever it stands: no JSON text has a line that begins so. */
export const isSseData = (line: string): boolean => /^data(?::|$)/.test(line);

/**
 * Cuts a body into server-sent events (HTML Living Standard, section 9.2.6), more lenient in one
 * point: an event that the end of the body cuts off is kept, marked as not closed.
 *
 * @param from where to begin, behind a byte order mark
 * @param max frames to read at most
 */
export function sseFrames(bytes: Buffer, from: number, max: number): SseFrames {
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
  return { frames, comments };
}
