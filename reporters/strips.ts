import { shorten } from '../spec/text.ts';
import type { Verdict } from '../suites/types/report.ts';
import type { PictureBlock } from './document/blocks.ts';
import { verdicts } from './wording.ts';

/** A row of a picture: verdicts in the order that all rows have, null where there is none. */
export interface Strip {
  readonly name: string;
  readonly verdicts: readonly (Verdict | null)[];
}

/** Pixels: the room for names and for verdicts, the widest one, a row and the gap below it; characters of a name. */
const [left, room, widest, tall, gap, longest] = [250, 600, 14, 12, 3, 44];

const colours = 'Red: fail; brown: inconclusive; violet: conflict; blue: observed; pale: pass or untested.';

/** Neighbours with the same verdict as one shape. */
function shapes(strip: Strip, tone: Verdict, width: number, y: number): string {
  const is = (at: number): boolean => strip.verdicts[at] === tone;
  return strip.verdicts
    .map((_, at) => {
      if (!is(at) || is(at - 1)) return '';
      const end = strip.verdicts.findIndex((__, other) => other > at && !is(other));
      const length = ((end < 0 ? strip.verdicts.length : end) - at) * width;
      return `M${left + at * width} ${y}h${length}v${tall}h-${length}z`;
    })
    .join('');
}

/** Small multiples: a row of verdicts for each of several runs, so that what differs stands out. Null where nothing is to be compared. */
export function stripsPicture(label: string, caption: string, strips: readonly Strip[]): PictureBlock | null {
  const columns = Math.max(0, ...strips.map((strip) => strip.verdicts.length));
  if (strips.length === 0 || columns === 0) return null;
  const width = Math.min(widest, Math.max(1, Math.floor(room / columns)));
  const rowAt = (at: number): number => at * (tall + gap);
  return {
    kind: 'picture',
    look: 'strips',
    label,
    width: left + columns * width,
    height: rowAt(strips.length),
    texts: strips.map(({ name }, at) => ({ x: 0, y: rowAt(at) + tall - 2, text: shorten(name, longest) })),
    paths: verdicts
      .map((tone) => ({
        look: tone,
        d: strips.map((strip, at) => shapes(strip, tone, width, rowAt(at))).join(''),
      }))
      .filter(({ d }) => d !== ''),
    caption: `${caption} ${colours}`,
  };
}
