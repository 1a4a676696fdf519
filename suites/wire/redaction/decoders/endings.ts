import type { Span } from '../views.ts';
import type { Alphabet } from './alphabets.ts';
import { decode, room, textRows } from './groups.ts';
import { lengthOf, numberAt, type Run } from './runs.ts';

/** What tells text. */
interface Telling {
  readonly isText: Uint8Array;
  readonly least: number;
  readonly written: number;
}

/** Text ends in one of so many groups: what follows is text by chance, four such bytes in one case of forty. */
const groupsLooked = 3;

/** A group, and how many of its digits are the last of the text. */
type Ending = readonly [group: number, digits: number];

/** Where a text may end within a group so that its last byte is another than it seems. */
function* endingsOf(row: Span, { base, digits, size }: Alphabet, isText: Uint8Array): Generator<Ending> {
  const last = Math.floor(row.end / size);
  const first = Math.max(Math.floor(row.start / size), last - groupsLooked + 1);
  for (let group = first; group <= last; group += 1) {
    const value = room.bytes.readUInt32BE(group * size);
    for (let count = 2; count < digits; count += 1) {
      // The bytes before the last one are text.
      if (group * size + count - 2 > row.end) break;
      const rest = base ** (digits - count);
      const ended = value - (value % rest) + rest - 1;
      const unit = 256 ** (size - count + 1);
      const byte = Math.floor(ended / unit) & 0xff;
      if (isText[byte] === 1 && Math.floor(value / unit) !== Math.floor(ended / unit)) yield [group, count];
    }
  }
}

/**
 * Where digits are no bits, the last of a text that breaks off in a group are told with what follows them, and its last
 * byte is one less. Decodes the ends of texts anew as if nothing followed, behind the groups that are there.
 * @param decoded the groups of the texts
 * @returns how many groups are there then
 */
export function endings(
  text: Buffer,
  of: Alphabet,
  run: Run,
  { isText, least, written }: Telling,
  [before, behind]: readonly [number, number],
): number {
  const { base, digits, size } = of;
  if ((base & (base - 1)) === 0) return behind;
  let groups = behind;
  const numberOf = (group: number): number => numberAt(run, room.places[group * digits] ?? 0);
  // Without its last byte.
  for (const row of textRows(isText, Math.max(1, least - 1), { start: before * size, end: behind * size }))
    for (const [group, count] of endingsOf(row, of, isText)) {
      const first = Math.max(Math.floor(row.start / size), group - Math.ceil(written / size));
      const to = numberOf(group) + count;
      if (to < lengthOf(run)) groups = decode(text, of, run, { from: numberOf(first), to }, groups);
    }
  return groups;
}
