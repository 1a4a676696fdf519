import { present } from '../../spec/present.ts';
import { count, shorten } from '../../spec/text.ts';
import {
  badge,
  row,
  pageLink,
  table,
  list,
  prose,
  quiet,
  section,
  small,
  plain,
} from '../document/blocks.ts';
import type { Block, Inline } from '../document/blocks.ts';
import { historyEntry } from '../history.ts';
import { byId, bySection, coverage, union } from '../report-queries.ts';
import { trendPicture, stripsPicture } from '../pictures.ts';
import { overallTone, overallWord, utcTime, verdictText } from '../wording.ts';
import { type Changes, changesOf, nameOf, pageOf, type Series, type SiteRun, newestFirst } from './runs.ts';
import { suiteInfo } from '../../spec/requirements.ts';
import { xmlAttribute, htmlText } from '../escape.ts';

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
  const kinds = (Object.keys(kindWords) as (keyof typeof kindWords)[]).map((kind) => {
    const amount = verdicts.filter((change) => change.kind === kind).length;
    return amount > 0 && count(amount, kindWords[kind]);
  });
  return present([...kinds, behaviours.length > 0 && count(behaviours.length, 'behaviour')]).join(', ');
}

const isUnchanged = ({ verdicts, behaviours }: Changes): boolean => verdicts.length + behaviours.length === 0;

/** `Acme 2.3: 2 regressions, 1 behaviour`: what a run brought, in one line. */
function runTitle(run: SiteRun, changes: Changes | undefined): string {
  const since = changes && (isUnchanged(changes) ? 'nothing changed' : changeCounts(changes));
  const verdict = overallWord[run.report.verdict].toLowerCase();
  return `${shorten(nameOf(run), longest)}: ${verdict}, ${since ?? 'first run here'}`;
}

/** What changed since the run before, each a link into the report. */
function changeLines(run: SiteRun, { verdicts, behaviours }: Changes): readonly Inline[] {
  const page = pageOf(run);
  return [
    ...verdicts.map(({ id, statement, before, after }) => [
      pageLink(page, prose(shorten(statement, longest)), id),
      ` ${verdictText(before)} → `,
      badge(after),
    ]),
    ...behaviours.map(({ anchor, subject, before, after }) => [
      pageLink(page, shorten(subject, longest), anchor),
      ` ${shorten(before, longest)} → ${shorten(after, longest)}`,
    ]),
  ];
}

/** The first changes behind their number. */
function changed(run: SiteRun, changes: Changes): Inline {
  const note = changes.isComparable ? '' : 'Another suite judged it, or other things were asked.';
  const lines = changeLines(run, changes);
  if (lines.length === 0) return `Nothing changed. ${note}`;
  const rest = lines.length - mostChanges;
  const shown = [
    ...lines.slice(0, mostChanges),
    ...(rest > 0 ? [[`and ${rest} more, in the `, pageLink(pageOf(run), 'report')]] : []),
  ];
  return [{ is: 'folded', summary: changeCounts(changes), lines: shown }, note];
}

function runRow(run: SiteRun, before: SiteRun | undefined) {
  const { verdict } = run.report;
  const since = before === undefined ? 'First run here.' : changed(run, changesOf(before.report, run.report));
  return row(
    pageLink(pageOf(run), utcTime(run.report.run.startedAt)),
    shorten(nameOf(run), longest),
    badge(overallTone[verdict], overallWord[verdict]),
    coverage(run.report).failed,
    since,
  );
}

/** Runs whose verdicts are drawn. */
const mostDrawn = 12;

/** The verdicts of the latest runs, one run above the other, in the order of the interface. */
function verdictsPicture(runs: readonly SiteRun[]): Block | null {
  const drawn = runs.slice(0, mostDrawn);
  const rows = bySection(union(drawn.map(({ report }) => report.requirements)));
  const strips = drawn.map(({ report }) => {
    const own = byId(report.requirements);
    return {
      name: utcTime(report.run.startedAt),
      verdicts: rows.flatMap(({ requirements }) =>
        requirements.map(({ id }) => own.get(id)?.verdict ?? null),
      ),
    };
  });
  const what = 'The verdict of each requirement in each run, the latest run first';
  return strips.length < 2
    ? null
    : stripsPicture(what, `${what}; the table below names what changed.`, strips);
}

/** What the newest run of each gateway brought, where it brought anything. */
export function latestBlock(series: readonly Series[]): Block {
  const items = series.flatMap(([run, before]): Inline[] => {
    if (run === undefined || before === undefined) return [];
    const changes = changesOf(before.report, run.report);
    return isUnchanged(changes)
      ? []
      : [[pageLink(pageOf(run), shorten(nameOf(run), longest)), ': ', changed(run, changes)]];
  });
  const title = 'What changed last';
  const none = 'No gateway has a run that differs from the run before.';
  return section(['changed', title, title], [items.length === 0 ? quiet(none) : list(items)]);
}

/** The runs of one gateway over time, newest first, with what changed from each to the next. */
export function historyBlock(runs: Series, at: number): Block {
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
      trend,
      verdictsPicture(runs),
      table(
        [`History of ${shorten(name, 80)}, ${at + 1}`, 'history'],
        ['When', 'Name', 'Verdict', 'Failed', 'Since the run before'],
        runs.map((run, place) => runRow(run, runs[place + 1])),
        { rowHeads: true },
      ),
    ],
  };
}

/** Runs that a feed tells of, the latest of all. */
const mostEntries = 50;

/** A moment as Atom has it; the beginning of time where a report has none that can be read. */
const moment = (iso: string): string => new Date(Date.parse(iso) || 0).toISOString();

function entry(run: SiteRun, before: SiteRun | undefined): string {
  const changes = before && changesOf(before.report, run.report);
  const told =
    changes === undefined
      ? ''
      : changeLines(run, changes)
          .map((line) => plain(line))
          .join('\n');
  return `<entry><id>urn:inference-gateway-conformance:run:${htmlText(run.folder)}</id><title>${htmlText(runTitle(run, changes))}</title><updated>${moment(run.report.run.finishedAt)}</updated><link href="${xmlAttribute(pageOf(run))}"/><content type="text">${htmlText(told)}</content></entry>`;
}

/** What each run brought against the run before, the latest first, as an Atom feed. */
export function renderFeed(series: readonly Series[]): string {
  const before = new Map(series.flatMap((runs) => runs.map((run, at) => [run, runs[at + 1]] as const)));
  const runs = newestFirst([...before.keys()]).slice(0, mostEntries);
  const updated = moment(runs[0]?.report.run.finishedAt ?? '');
  return `<?xml version="1.0" encoding="UTF-8"?>
<feed xmlns="http://www.w3.org/2005/Atom"><id>urn:inference-gateway-conformance:site</id><title>Conformance: what changed</title><updated>${updated}</updated><author><name>${htmlText(suiteInfo().name)}</name></author><link href="index.html"/>
${runs.map((run) => entry(run, before.get(run))).join('\n')}
</feed>
`;
}
