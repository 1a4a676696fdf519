import type { Report, ReportRequirement } from '../suites/model/report.ts';
import { visible } from './escape.ts';
import { byId, findingsOf, gates, headline, withVerdict } from './outline.ts';
import { count, overallWord } from './wording.ts';

/** Annotations that are written; a page of GitHub shows fewer. */
const most = 50;
const longest = 1_000;

/** The message of a workflow command. */
const data = (text: string): string =>
  visible(text).replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A');

/** The value of a property of a workflow command. */
const property = (text: string): string => data(text).replaceAll(':', '%3A').replaceAll(',', '%2C');

type Severity = 'error' | 'warning' | 'notice';

const command = (severity: Severity, title: string, message: string): string =>
  `::${severity} title=${property(title)}::${data(message.length > longest ? `${message.slice(0, longest)}…` : message)}\n`;

function annotation(report: Report, requirement: ReportRequirement, expected: boolean): string {
  const { id, sections, statement, verdict, reason } = requirement;
  const found = findingsOf(requirement, byId(report.cases))[0];
  const finding = found?.finding;
  const lines =
    finding === undefined
      ? [statement, reason ?? 'no finding recorded']
      : [
          statement,
          `${finding.message}${finding.pointer === undefined ? '' : ` (at ${finding.pointer})`}`,
          `expected: ${finding.expected}`,
          `actual: ${finding.actual}`,
        ];
  const severity = expected ? 'notice' : verdict === 'fail' ? 'error' : 'warning';
  const title = `${expected ? 'Expected failure: ' : ''}${id} (section ${sections.join(', ')})`;
  return command(severity, title, lines.join('\n'));
}

/**
 * The report as GitHub workflow commands, one line each: an error for each failed requirement, a
 * warning for each that keeps the run from a verdict.
 * @param expected requirements whose failures a baseline expects: notices
 */
export function renderAnnotations(report: Report, expected: ReadonlySet<string> = new Set()): string {
  const rows = [...withVerdict(report, 'fail'), ...withVerdict(report, 'inconclusive').filter(gates)];
  const lines = rows
    .slice(0, most)
    .map((row) => annotation(report, row, row.verdict === 'fail' && expected.has(row.id)));
  if (rows.length > most)
    lines.push(
      command(
        'notice',
        'More in the report',
        `${count(rows.length - most, 'more requirement')} in report.html`,
      ),
    );
  if (rows.length === 0 && report.verdict !== 'conformant')
    lines.push(
      command('warning', overallWord[report.verdict], [headline(report), ...report.reasons].join('\n')),
    );
  return lines.join('');
}
