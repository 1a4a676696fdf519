import { count } from '../../spec/text.ts';
import type { HistoryEntry } from '../history.ts';
import { overallTone, utcTime } from '../wording.ts';
import type { PictureBlock } from '../document/blocks.ts';

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

function bar({ summary, verdict }: HistoryEntry, at: number, worst: number): PictureBlock['paths'][number] {
  const barHeight = Math.max(3, Math.round((summary.fail / worst) * (height - 6)));
  const d = `M${at * step + 1} ${height - 1}v-${barHeight}h${step - 3}v${barHeight}z`;
  return { look: overallTone[verdict], d };
}

/** A bar for each of the latest runs, in the colour of its verdict, as tall as many requirements failed; nothing where there is but one to draw. */
export function trendPicture(history: readonly HistoryEntry[]): PictureBlock | null {
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
