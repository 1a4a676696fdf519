import { folded } from '../views.ts';
import type { Alphabet } from './alphabets.ts';
import { isHead, mostTried } from './compressed.ts';
import { decode, room } from './groups.ts';
import { lengthOf, type Run } from './runs.ts';

/** Decodes what may be compressed behind the groups that are there, wherever it begins behind a mark; how many are there then. */
export function compressedIn(text: Buffer, of: Alphabet, run: Run, before: number): number {
  const { digits, size, begins } = of;
  const length = lengthOf(run);
  let [groups, number, tried] = [before, 0, 0];
  for (const { start, end } of run)
    for (let at = start; at < end && tried < mostTried; at += 1, number += 1) {
      if (begins.head[text[at] ?? 0] === 0) continue;
      if (number >= digits && folded[text[at - 1] ?? 0] !== 0) continue;
      decode(text, of, run, { from: number, to: Math.min(length, number + 2 * digits) }, groups);
      if (!isHead(room.bytes.readUInt16BE(groups * size))) continue;
      tried += 1;
      groups = decode(text, of, run, { from: number, to: length }, groups);
    }
  return groups;
}
