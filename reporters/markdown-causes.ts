import { count } from '../spec/text.ts';
import type { Report, ReportRequirement } from '../suites/types/report.ts';
import type { ExpectedFailures } from './baseline/expected-failures.ts';
import { type CauseRows, causesHeadline, causesOf, explained, findingOfCause, inWords } from './causes.ts';
import { markdownBlock, markdownCode, markdownText } from './escape.ts';
import { cellText, type Part } from './markdown-parts.ts';
import { rateText, seenText } from './repeats.ts';
import { verdictSign } from './wording.ts';

/** The longest command that a summary shows, in characters. */
export const longestCommand = 2_500;

/** How often it failed, where it was judged several times. */
export function rateSuffix(requirement: ReportRequirement): string {
  const rate = rateText(requirement);
  return rate === undefined ? '' : `, ${rate}`;
}

/** A cause, with the command that shows it and what it explains folded under it. */
function causePart(report: Report, one: CauseRows, known: ExpectedFailures): Part {
  const { cause, rows, tone } = one;
  const finding = findingOfCause(report, one);
  const isRepeated = cause.runs !== undefined;
  const isShort = cause.reproduce !== undefined && cause.reproduce.length <= longestCommand;
  const names = rows.map(
    (row) =>
      `${markdownCode(row.id)}${rateSuffix(row)}${known.requirements.has(row.id) ? ' (expected)' : ''}`,
  );
  const text = [
    `### ${verdictSign[tone]} ${markdownText(cellText(cause.summary))}`,
    `Explains ${[inWords(explained(one)), ...seenText(cause)].join(', ')}.${finding === undefined ? '' : ` Seen: ${markdownCode(cellText(finding.actual))}`}`,
    ...(isShort && one.gates ? [markdownBlock(cause.reproduce ?? '', 'sh')] : []),
    `<details><summary>${count(rows.length, 'requirement')}</summary>\n\n${names.join(isRepeated ? '; ' : ', ')}\n\n</details>`,
  ];
  return { name: `the cause ${markdownCode(cause.id)}`, text: text.join('\n\n') };
}

/** What stands behind the verdict. */
export function causeParts(report: Report, known: ExpectedFailures): Part[] {
  const causes = causesOf(report);
  if (causes.length === 0) return [];
  return [
    { name: 'the heading of the causes', text: `## ${causesHeadline(report)}` },
    ...causes.map((one) => causePart(report, one, known)),
  ];
}
