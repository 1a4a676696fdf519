import type { ReportRequirement } from '../suites/types/report.ts';
import { terminalLine } from './escape.ts';
import { levelText } from './impact.ts';
import { failedRunsText, rateText } from './repeats.ts';
import type { DecidingFinding } from './report-queries.ts';
import { sectionList } from './sections.ts';
import { commandLines, type Layout, verdictColours, wrap } from './terminal-layout.ts';
import { verdictSign } from './wording.ts';

/** Requirements that are listed with one that has the same finding. */
const mostSameFinding = 6;

function sameFindingLines(layout: Layout, others: readonly ReportRequirement[]): string[] {
  if (others.length === 0) return [];
  const names = others.slice(0, mostSameFinding).map(({ id }) => id);
  const rest = others.length - names.length;
  return wrap(layout, '  same for ', `${names.join(', ')}${rest > 0 ? `, and ${rest} more` : ''}`);
}

/** How often it failed, where it was judged several times. */
function rateLines(layout: Layout, row: ReportRequirement): string[] {
  const rate = rateText(row);
  if (rate === undefined || row.runs === undefined) return [];
  const named = row.runs.failed > 0 ? `${rate}: ${failedRunsText(row.runs)}` : rate;
  return wrap(layout, '  runs     ', named);
}

/** A requirement in full: what decided it, and the command that shows it. */
export function findingLines(layout: Layout, { requirement, found, sameFinding }: DecidingFinding): string[] {
  const { colours } = layout;
  const { statement, reason } = requirement;
  const finding = found?.finding;
  const lines = [
    title(layout, requirement),
    ...wrap(layout, '  ', statement),
    ...rateLines(layout, requirement),
  ];
  const others = sameFindingLines(layout, sameFinding);
  if (finding === undefined)
    return [...lines, ...wrap(layout, '  ', reason ?? 'no finding recorded'), ...others, ''];
  const pointer = finding.pointer === undefined ? '' : ` (at ${finding.pointer})`;
  const command = found?.case.reproduce;
  return [
    ...lines,
    ...wrap(layout, requirement.verdict === 'fail' ? '  failure  ' : '  reason   ', finding.message),
    ...wrap(layout, '  expected ', finding.expected),
    ...wrap(layout, '  actual   ', `${finding.actual}${pointer}`),
    ...others,
    ...(command === undefined ? [] : [`  ${colours.dim('reproduce')}`, ...commandLines(command)]),
    '',
  ];
}

const title = ({ colours }: Layout, row: ReportRequirement): string =>
  `${verdictColours(colours)[row.verdict](verdictSign[row.verdict])} ${colours.bold(terminalLine(row.id))} ${colours.dim(`${levelText(row)}, ${sectionList(row.sections)}`)}`;

/** The requirements that are not shown in full. */
export function listedLines(layout: Layout, requirements: readonly ReportRequirement[]): string[] {
  if (requirements.length === 0) return [];
  return [
    ...requirements.flatMap((one) => [
      title(layout, one),
      ...wrap(layout, '  ', one.reason ?? one.statement),
      ...rateLines(layout, one),
    ]),
    '',
  ];
}
