import { firstFrom, type Span, type Wanted } from '../views.ts';
import type { Alphabet } from './alphabets.ts';

/** A line of characters that stand for digits, and how many of the same run stand before it. */
interface Line extends Span {
  readonly before: number;
}

/** Such characters in a row, also over lines. */
export type Run = readonly Line[];

export const lengthOf = (run: Run): number => {
  const { start = 0, end = 0, before = 0 } = run.at(-1) ?? {};
  return before + end - start;
};

/** The last line of which a number, which grows from line to line, is no more than a value, by its index. */
const lastLine = (run: Run, by: 'start' | 'before', value: number): number =>
  Math.max(0, firstFrom(run.length, (at) => (run[at]?.[by] ?? 0) > value) - 1);

/** The line that holds one of the characters, by its index. */
export const lineOf = (run: Run, number: number): number => lastLine(run, 'before', number);

/** The number of the character of a run that stands at a place. */
export function numberAt(run: Run, at: number): number {
  const { start = 0, before = 0 } = run[lastLine(run, 'start', at)] ?? {};
  return before + at - start;
}

/** From this length on a line of such characters may go on in the next, in characters. */
const shortestLine = 16;

/** Behind a line break with white space, or with the length of the line; the same place where there is none. */
function nextLine(bytes: Buffer, at: number, hasLengths: boolean): number {
  let next = at;
  if (bytes[next] === 0x0d) next += 1;
  if (bytes[next] !== 0x0a) return at;
  next += 1;
  if (hasLengths) return next + 1;
  while (bytes[next] === 0x20 || bytes[next] === 0x09) next += 1;
  return next;
}

/** Where such characters stand, enough of them for what is looked for; what is too short to be a line is left out at once. */
export function runsIn(
  bytes: Buffer,
  { digits, size, values, hasLengths }: Alphabet,
  wanted: Wanted,
  { start: from, end: to }: Span,
): readonly Run[] {
  const shortest = Math.floor((wanted.shortest * digits) / size);
  const isOne = (at: number): boolean => at < to && (values[bytes[at] ?? 0] ?? -1) >= 0;
  const line = Math.max(1, Math.min(shortest, shortestLine));
  const runs: Run[] = [];
  for (let at = from; at + line <= to; ) {
    let last = at + line - 1;
    while (last >= at && isOne(last)) last -= 1;
    if (last >= at) {
      at = last + 1;
      continue;
    }
    const run: Line[] = [];
    let start = at;
    for (
      let next = at;
      isOne(next);
      next = at - start >= shortestLine ? nextLine(bytes, at, hasLengths) : at
    ) {
      [start, at] = [next, next];
      while (isOne(at)) at += 1;
      run.push({ start, end: at, before: lengthOf(run) });
    }
    if (lengthOf(run) >= shortest) runs.push(run);
  }
  return runs;
}
