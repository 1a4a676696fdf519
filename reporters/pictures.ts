import { shorten, count } from '../spec/text.ts';
import type { Verdict } from '../suites/types/report.ts';
import { verdicts, overallTone, utcTime } from './wording.ts';
import type { HistoryEntry } from './history.ts';
import type { BlockOf } from './document/blocks.ts';

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
export function stripsPicture(label: string, caption: string, strips: readonly Strip[]) {
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
  } satisfies BlockOf<'picture'>;
}

/** How many of the latest runs are drawn, and how many have their numbers listed. */
const [mostRuns, mostCounts] = [30, 8];
const [step, height] = [12, 40];

/** How many times runs that follow each other were judged by another suite. */
const suiteChanges = (runs: readonly HistoryEntry[]): number =>
  runs.filter(({ suite }, at) => {
    const before = runs[at - 1]?.suite;
    return (
      before !== undefined &&
      (before.requirementsDigest !== suite.requirementsDigest || before.openapiDigest !== suite.openapiDigest)
    );
  }).length;

function bar({ summary, verdict }: HistoryEntry, at: number, worst: number) {
  const barHeight = Math.max(3, Math.round((summary.fail / worst) * (height - 6)));
  const d = `M${at * step + 1} ${height - 1}v-${barHeight}h${step - 3}v${barHeight}z`;
  return { look: overallTone[verdict], d };
}

/** A bar for each of the latest runs, in the colour of its verdict, as tall as many requirements failed; nothing where there is but one to draw. */
export function trendPicture(history: readonly HistoryEntry[]): BlockOf<'picture'> | null {
  const last = history.at(-1);
  // A part of the interface is no point on the line of whole runs.
  const runs = history.filter(({ whole }) => whole === last?.whole).slice(-mostRuns);
  const [first] = runs;
  if (first === undefined || last === undefined || runs.length < 2) return null;
  const worst = Math.max(1, ...runs.map(({ summary }) => summary.fail));
  const changes = suiteChanges(runs);
  const width = runs.length * step;
  const latest = runs.slice(-mostCounts).map(({ summary }) => summary.fail);
  const of = runs.length > mostCounts ? `, in the latest ${mostCounts}` : '';
  const changed = changes > 0 ? ` The suite changed ${count(changes, 'time')} in between.` : '';
  return {
    kind: 'picture',
    look: 'trend',
    label: 'Failed requirements by run, in the colour of the verdict, the latest to the right',
    width,
    height,
    paths: [
      { look: 'axis', d: `M0 ${height - 0.5}H${width}` },
      ...runs.map((entry, at) => bar(entry, at, worst)),
    ],
    caption: `${count(runs.length, 'run')} since ${utcTime(first.finishedAt)}. Failed${of}: ${latest.join(', ')}.${changed}`,
  };
}
