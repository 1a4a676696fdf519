import { folded } from '../views.ts';
import type { Alphabet } from './alphabets.ts';
import { isHead, mostTried } from './compressed.ts';
import { decode, room } from './groups.ts';
import { lengthOf, type Run } from './runs.ts';

/** The first two bytes that characters of a line stand for, as one number; undefined where the line breaks off before. */
function headAt(text: Buffer, { base, digits, size, values }: Alphabet, at: number, end: number) {
  const needed = size === 1 ? 2 * digits : digits;
  if (at + needed > end) return undefined;
  let held = 0;
  for (let each = at; each < at + needed; each += 1) held = held * base + (values[text[each] ?? 0] ?? 0);
  return Math.floor(held / 256 ** Math.max(0, size - 2));
}

/** Decodes what may be compressed behind the groups that are there, wherever it begins behind a mark; how many are there then. */
export function compressedIn(text: Buffer, of: Alphabet, run: Run, before: number): number {
  const { digits, size, begins } = of;
  const length = lengthOf(run);
  let [groups, number, tried] = [before, 0, 0];
  for (const { start, end } of run)
    for (let at = start; at < end && tried < mostTried; at += 1, number += 1) {
      if (begins.head[text[at] ?? 0] === 0) continue;
      if (number >= digits && folded[text[at - 1] ?? 0] !== 0) continue;
      const head = headAt(text, of, at, end);
      if (head !== undefined && !isHead(head)) continue;
      decode(text, of, run, { from: number, to: Math.min(length, number + 2 * digits) }, groups);
      if (!isHead(room.bytes.readUInt16BE(groups * size))) continue;
      tried += 1;
      groups = decode(text, of, run, { from: number, to: length }, groups);
    }
  return groups;
}
