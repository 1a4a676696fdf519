import { count, shorten } from '../../spec/text.ts';
import {
  badge,
  code,
  pageLink,
  paragraph,
  quiet,
  row,
  section,
  small,
  table,
  prose,
} from '../document/blocks.ts';
import type { Block, Inline } from '../document/blocks.ts';
import { printPage } from '../html/page.ts';
import { coverage, union } from '../report-queries.ts';
import { type ResultList, resultBlocks } from '../results/results-blocks.ts';
import { depthText, overallTone, overallWord, utcTime } from '../wording.ts';
import { siteData, nameOf, newestFirst, pageOf, seriesOf, requirementPage } from './runs.ts';
import type { SiteRun, Series } from './runs.ts';
import { historyBlock, latestBlock } from './history-part.ts';
import { siteScript } from './script.ts';
import type { ReportRequirement } from '../../suites/types/report.ts';
import { levelText } from '../impact.ts';
import { sectionList } from '../sections.ts';
import { stripsPicture } from '../pictures.ts';

/** Characters of a name and of a text. */
const [longestName, longest] = [120, 400];

const rowOf = ({ report }: SiteRun, id: string): ReportRequirement | undefined =>
  report.requirements.find((row) => row.id === id);

/** The runs of a gateway that have this requirement, newest first. */
function gatewayBlock(runs: Series, id: string, at: number): Block | false {
  const judged = runs.flatMap((run) => {
    const own = rowOf(run, id);
    return own === undefined ? [] : [{ run, own }];
  });
  const [latest] = judged;
  if (latest === undefined) return false;
  const name = shorten(nameOf(latest.run), longestName);
  const rows = judged.map(({ run, own: { verdict, reason = '' } }) => {
    const when = pageLink(`../${pageOf(run)}`, utcTime(run.report.run.startedAt), id);
    return row(when, shorten(reason, longest), badge(verdict), shorten(nameOf(run), longestName));
  });
  return section(
    [`gateway-${at + 1}`, name, name],
    [table([`Runs of ${name}`, 'rows'], ['When', 'Why', 'Verdict', 'Name'], rows, { rowHeads: true })],
  );
}

/** The verdict of each run of each gateway, one gateway above the other, the latest run to the right. */
function overTime(series: readonly Series[], id: string): Block | null {
  const most = Math.max(0, ...series.map(({ length }) => length));
  const strips = series.map((runs) => {
    const seen = [...runs].reverse().map((run) => rowOf(run, id)?.verdict ?? null);
    const name = runs[0] ? nameOf(runs[0]) : '';
    return { name, verdicts: [...Array.from({ length: most - seen.length }, () => null), ...seen] };
  });
  const what = 'The verdict in each run of each gateway, the latest run to the right';
  return stripsPicture(what, `${what}.`, strips);
}

function requirementDocument(series: readonly Series[], requirement: ReportRequirement): string {
  const { id, statement, sections } = requirement;
  const runs = series.flat().filter((run) => rowOf(run, id) !== undefined);
  return printPage({
    title: `${id} over time`,
    skip: { to: 'main', words: 'Skip to the runs' },
    head: [
      { kind: 'title', over: 'One requirement over time', text: id },
      paragraph(prose(statement)),
      {
        kind: 'facts',
        facts: [
          ['Stated in', sectionList(sections)],
          ['Level', levelText(requirement)],
          ['Judged in', count(runs.length, 'run')],
        ],
      },
      overTime(series, id),
    ],
    parts: [
      ...series.map((one, at) => gatewayBlock(one, id, at)),
      section(
        ['site', 'All runs', 'All runs'],
        [
          paragraph([
            pageLink('../index.html', 'The index'),
            ' has them, and ',
            code('site.json'),
            ' for programs.',
          ]),
        ],
      ),
    ],
  });
}

export const requirementPages = (series: readonly Series[]): ReadonlyMap<string, () => string> =>
  new Map(
    union(series.flat().map(({ report }) => report.requirements)).map((requirement) => [
      requirementPage(requirement.id),
      () => requirementDocument(series, requirement),
    ]),
  );

const style = `
#search{display:flex;flex-wrap:wrap;gap:.3rem .8rem;align-items:end;padding:.7rem .8rem;background:var(--panel);border:1px solid var(--rule);border-radius:3px}#search label{font-size:.82rem;display:grid;gap:.1rem;flex:1 1 16rem}#search input{font:inherit;color:var(--ink);background:var(--ground);border:1px solid var(--muted);border-radius:3px;padding:.3rem .5rem}#hits{font-size:.87rem;flex:1 1 12rem}
#results{list-style:none;padding:0}#results>li{border-bottom:1px solid var(--rule);padding:.4rem 0;font-size:.93rem}.found{padding-left:1.1rem;margin:.2rem 0 0;columns:20rem 2;font-size:.87rem}
.runs{min-width:54rem}.history{min-width:46rem}.runs th[scope=row]{font-weight:600}.runs code{font-weight:400;color:var(--muted)}.runs input{width:1.15rem;height:1.15rem;margin:.1rem 0 0;accent-color:var(--link)}[hidden]{display:none!important}
.runs td:nth-last-child(4),.runs td:nth-last-child(5){text-align:right;font-variant-numeric:tabular-nums}.runs td:nth-last-child(n+3),.history th[scope=row]{white-space:nowrap}
.history th[scope=row]{font-weight:400}.history td:last-child{width:50%}.history .fold>summary{color:var(--link)}.acts{position:sticky;bottom:0;margin:0;padding:.6rem 0;background:var(--ground)}html{scroll-padding-bottom:4rem}
.versus{table-layout:fixed;min-width:40rem}.versus th[scope=row]{font-weight:400}.versus th:first-child{width:34%}.versus .id,#results .id{color:var(--muted)}.versus td.cell{background:var(--g)}.versus td.cell a{color:var(--v);font-weight:600}
`;

function runRow(run: SiteRun) {
  const { target, suite, verdict, scope, run: own } = run.report;
  const { judged, failed, total } = coverage(run.report);
  return row(
    [pageLink(pageOf(run), shorten(nameOf(run), 120)), { is: 'line' }, code(shorten(target.baseUrl, 200))],
    [badge(overallTone[verdict], overallWord[verdict]), own.partial && [' ', small('stopped early')]],
    `${judged - failed} of ${total}`,
    failed,
    utcTime(own.startedAt),
    depthText(scope),
    suite.version,
  );
}

const runsTable = (runs: readonly SiteRun[]): Block =>
  table(
    ['Runs', 'runs'],
    ['Gateway', 'Verdict', 'Passed', 'Failed', 'When', 'Asked', 'Suite'],
    runs.map(runRow),
    { rowHeads: true },
  );

const foot: Inline = [
  pageLink('feed.xml', 'Feed of changes'),
  '. ',
  pageLink('verify.html', 'Check a bundle in this browser'),
  '. Made by inference-gateway-conformance from reports as they were written; nothing is loaded from a network.',
];

/** The index of a site as one document, its reports other files; one of results begins with what differs between them. */
export function renderSite(all: readonly SiteRun[], list?: ResultList): string {
  const runs = newestFirst(all);
  const series = seriesOf(runs);
  const title = `Conformance of ${count(series.length, 'gateway')}`;
  const newest = runs[0] === undefined ? '' : `, the latest of ${utcTime(runs[0].report.run.startedAt)}`;
  const scripted = 'Search and comparison need scripts. Runs, history and reports do not.';
  return printPage(
    {
      title,
      skip: list
        ? { to: 'differs', words: 'Skip to what differs' }
        : { to: 'changed', words: 'Skip to what changed last' },
      head: [
        { kind: 'title', over: 'Conformance reports', text: title },
        paragraph(`${count(runs.length, 'run')}${newest}.`),
      ],
      parts: [
        ...(list ? resultBlocks(list) : []),
        latestBlock(series),
        section(['all-runs', 'Runs', 'Runs'], [runsTable(runs)]),
        section(['comparison', 'Comparison', 'Comparison'], [quiet(scripted)]),
        section(['history', 'History', 'History'], series.map(historyBlock)),
      ],
      foot,
      data: siteData(runs),
    },
    { extraStyle: style, script: siteScript },
  );
}
