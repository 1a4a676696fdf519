import { count, shorten } from '../../spec/text.ts';
import type { ReportRequirement } from '../../suites/types/report.ts';
import { badge, type Block, code, type Inline, prose, row, section, table } from '../document/blocks.ts';
import { printPage } from '../html/page.ts';
import { levelText } from '../impact.ts';
import { union } from '../report-queries.ts';
import { sectionList } from '../sections.ts';
import { stripsPicture } from '../strips.ts';
import { utcTime } from '../wording.ts';
import { nameOf, pageOf, requirementPage, type Series, type SiteRun } from './runs.ts';

/** Characters of a name and of a text. */
const [longestName, longest] = [120, 400];

const rowOf = ({ report }: SiteRun, id: string): ReportRequirement | undefined =>
  report.requirements.find((row) => row.id === id);

/** The runs of a gateway that have this requirement, newest first. */
function gatewayBlock({ runs }: Series, id: string, at: number): Block | false {
  const judged = runs.flatMap((run) => {
    const own = rowOf(run, id);
    return own === undefined ? [] : [{ run, own }];
  });
  const [latest] = judged;
  if (latest === undefined) return false;
  const name = shorten(nameOf(latest.run), longestName);
  const rows = judged.map(({ run, own: { verdict, reason = '' } }) => {
    const when: Inline = {
      is: 'link',
      page: `../${pageOf(run)}`,
      to: id,
      of: utcTime(run.report.run.startedAt),
    };
    return row(when, shorten(reason, longest), badge(verdict), shorten(nameOf(run), longestName));
  });
  return section(
    [`gateway-${at + 1}`, name, name],
    [table([`Runs of ${name}`, 'rows'], ['When', 'Why', 'Verdict', 'Name'], rows, { rowHeads: true })],
  );
}

/** The verdict of each run of each gateway, one gateway above the other, the latest run to the right. */
function overTime(series: readonly Series[], id: string): Block | null {
  const most = Math.max(0, ...series.map(({ runs }) => runs.length));
  const strips = series.map(({ runs }) => {
    const seen = [...runs].reverse().map((run) => rowOf(run, id)?.verdict ?? null);
    const name = runs[0] ? nameOf(runs[0]) : '';
    return { name, verdicts: [...Array.from({ length: most - seen.length }, () => null), ...seen] };
  });
  const what = 'The verdict in each run of each gateway, the latest run to the right';
  return stripsPicture(what, `${what}.`, strips);
}

function requirementDocument(series: readonly Series[], requirement: ReportRequirement): string {
  const { id, statement, sections } = requirement;
  const runs = series.flatMap((one) => one.runs).filter((run) => rowOf(run, id) !== undefined);
  return printPage({
    title: `${id} over time`,
    skip: { to: 'main', words: 'Skip to the runs' },
    head: [
      { kind: 'title', over: 'One requirement over time', text: id },
      { kind: 'paragraph', text: prose(statement) },
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
          {
            kind: 'paragraph',
            text: [
              { is: 'link', page: '../index.html', to: '', of: 'The index' },
              ' has them, and ',
              code('site.json'),
              ' for programs.',
            ],
          },
        ],
      ),
    ],
  });
}

export const requirementPages = (series: readonly Series[]): ReadonlyMap<string, () => string> =>
  new Map(
    union(series.flatMap(({ runs }) => runs.map(({ report }) => report.requirements))).map((requirement) => [
      requirementPage(requirement.id),
      () => requirementDocument(series, requirement),
    ]),
  );
