import { count, shorten } from '../../spec/text.ts';
import { badge, type Block, type Inline, prose, small } from '../document/blocks.ts';
import { historyEntry } from '../history.ts';
import { coverage } from '../report-queries.ts';
import { trendPicture } from '../run/trend.ts';
import { overallTone, overallWord, utcTime, verdictText } from '../wording.ts';
import { type Changes, changesOf, pageOf, type Series, type SiteRun } from './runs.ts';

/** Changes of one kind that are listed for a run; characters of a text. */
const [mostChanges, longest] = [20, 200];

const kindWords = {
  regression: 'regression',
  improvement: 'improvement',
  other: 'other verdict',
  register: 'changed statement',
} as const;

/** `2 regressions, 1 behaviour`: what changed, by number. */
function changeCounts({ verdicts, behaviours }: Changes): string {
  const kinds = (Object.keys(kindWords) as (keyof typeof kindWords)[]).flatMap((kind) => {
    const amount = verdicts.filter((change) => change.kind === kind).length;
    return amount === 0 ? [] : [count(amount, kindWords[kind])];
  });
  const seen = behaviours.length === 0 ? [] : [`${count(behaviours.length, 'behaviour')}`];
  return [...kinds, ...seen].join(', ');
}

const onPage = (page: string, to: string, of: Inline): Inline => ({ is: 'link', page, to, of });

/** What changed since the run before, each a link into the report. */
function changed(run: SiteRun, changes: Changes): Inline {
  const { verdicts, behaviours, isComparable } = changes;
  const note = isComparable ? '' : 'Another suite judged it, or other things were asked.';
  if (verdicts.length + behaviours.length === 0) return `Nothing changed. ${note}`;
  const page = pageOf(run);
  const lines: readonly Inline[] = [
    ...verdicts.map(({ id, statement, before, after }) => [
      onPage(page, id, prose(shorten(statement, longest))),
      ` ${verdictText(before)} → `,
      badge(after),
    ]),
    ...behaviours.map(({ anchor, subject, before, after }) => [
      onPage(page, anchor, shorten(subject, longest)),
      ` ${shorten(before, longest)} → ${shorten(after, longest)}`,
    ]),
  ];
  const rest = lines.length - mostChanges;
  const shown = [
    ...lines.slice(0, mostChanges),
    ...(rest > 0 ? [[`and ${rest} more, in the `, onPage(page, '', 'report')]] : []),
  ];
  return [{ is: 'folded', summary: changeCounts(changes), lines: shown }, note];
}

function row(run: SiteRun, before: SiteRun | undefined) {
  const { target, verdict } = run.report;
  const since = before === undefined ? 'First run here.' : changed(run, changesOf(before.report, run.report));
  const cells: readonly Inline[] = [
    onPage(pageOf(run), '', utcTime(run.report.run.startedAt)),
    shorten(target.name, longest),
    badge(overallTone[verdict], overallWord[verdict]),
    coverage(run.report).failed,
    since,
  ];
  return { cells: cells.map((of) => ({ of })) };
}

/** The runs of one gateway over time, newest first, with what changed from each to the next. */
export function historyBlock({ runs }: Series, at: number): Block {
  const [latest] = runs;
  const { name, baseUrl } = latest?.report.target ?? { name: '', baseUrl: '' };
  const trend = trendPicture([...runs].reverse().map(({ report }) => historyEntry(report)));
  return {
    kind: 'fold',
    look: 'section',
    open: true,
    id: `gateway-${at + 1}`,
    name: shorten(name, 60),
    summary: [shorten(name, 120), ' ', small(`${shorten(baseUrl, longest)}, ${count(runs.length, 'run')}`)],
    blocks: [
      ...(trend === null ? [] : [trend]),
      {
        kind: 'table',
        label: `History of ${shorten(name, 80)}, ${at + 1}`,
        look: 'history',
        heads: ['When', 'Name', 'Verdict', 'Failed', 'Since the run before'],
        rowHeads: true,
        rows: runs.map((run, place) => row(run, runs[place + 1])),
      },
    ],
  };
}
