import { count } from '../../spec/text.ts';
import type { HistoryEntry } from '../history.ts';
import { overallTone, utcTime } from '../wording.ts';
import { type Html, html } from './template.ts';

/** How many of the latest runs are drawn, and how many have their numbers listed. */
const [mostRuns, mostCounts] = [30, 8];
const [step, height] = [12, 40];

/** Colours of the trend. */
export const trendStyle = `
.trend{margin:.2rem 0 0;display:flex;flex-wrap:wrap;gap:.3rem 1rem;align-items:end}.trend svg{max-width:100%;flex:none}.trend path{fill:var(--v)}.trend .axis{fill:none;stroke:var(--muted)}.trend figcaption{margin:0;flex:1 1 12rem}
`;

/** How many times runs that follow each other were judged by another suite. */
const suiteChanges = (runs: readonly HistoryEntry[]): number =>
  runs.filter(({ suite }, at) => {
    const before = runs[at - 1]?.suite;
    return (
      before !== undefined &&
      (before.requirementsDigest !== suite.requirementsDigest || before.openapiDigest !== suite.openapiDigest)
    );
  }).length;

function bar({ summary, verdict }: HistoryEntry, at: number, worst: number): Html {
  const x = at * step + 1;
  const barHeight = Math.max(3, Math.round((summary.fail / worst) * (height - 6)));
  return html`<path class="${overallTone[verdict]}" d="M${x} ${height - 1}v-${barHeight}h${step - 3}v${barHeight}z"/>`;
}

/** A bar for each of the latest runs, in the colour of its verdict, as tall as many requirements failed; nothing where there is but one to draw. */
export function trendView(history: readonly HistoryEntry[]): Html | null {
  const last = history.at(-1);
  // A part of the interface is no point on the line of whole runs.
  const runs = history.filter(({ whole }) => whole === last?.whole).slice(-mostRuns);
  const [first] = runs;
  if (first === undefined || last === undefined || runs.length < 2) return null;
  const worst = Math.max(1, ...runs.map(({ summary }) => summary.fail));
  const changes = suiteChanges(runs);
  const width = runs.length * step;
  const words = `${count(runs.length, 'run')} since ${utcTime(first.finishedAt)}. Failed${runs.length > mostCounts ? `, in the latest ${mostCounts}` : ''}: ${runs
    .slice(-mostCounts)
    .map(({ summary }) => summary.fail)
    .join(', ')}.${changes > 0 ? ` The suite changed ${count(changes, 'time')} in between.` : ''}`;
  return html`<figure class="trend"><svg viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" role="img" aria-label="Failed requirements by run, in the colour of the verdict, the latest to the right"><path class="axis" d="M0 ${height - 0.5}H${width}"/>${runs.map((entry, at) => bar(entry, at, worst))}</svg><figcaption>${words}</figcaption></figure>`;
}
