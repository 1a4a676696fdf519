import { count, shorten } from '../../spec/text.ts';
import { markdownCode, markdownText } from '../escape.ts';
import { cellText, table } from '../markdown-parts.ts';
import { overallTone, overallWord, utcTime, verdictSign } from '../wording.ts';
import type { Comparison } from './compare.ts';
import {
  comparisonNotes,
  type ComparisonTable,
  comparisonTables,
  differenceCount,
  failedText,
  type TableRow,
} from './tables.ts';

function rowsMarkdown(rows: readonly TableRow[], heads: readonly string[]): string {
  return table(
    ['What', 'Section', ...heads],
    rows.map(({ id, section, what, cells }) => [
      `${markdownText(cellText(what))} ${markdownCode(cellText(id))}`,
      markdownText(section),
      ...cells.map(({ text }) => markdownText(cellText(text))),
    ]),
  );
}

function tableMarkdown(grid: ComparisonTable, heads: readonly string[]): string {
  const { title, differing, agreeing } = grid;
  const first = differing.length === 0 ? 'No row differs.' : rowsMarkdown(differing, heads);
  const rest =
    agreeing.length === 0
      ? ''
      : `\n\n<details><summary>${count(agreeing.length, 'row')} without a difference</summary>\n\n${rowsMarkdown(agreeing, heads)}\n\n</details>`;
  return `## ${title} (${differenceCount(grid)})\n\n${first}${rest}`;
}

/** The comparison as Markdown. */
export function renderComparisonMarkdown(comparison: Comparison): string {
  const { targets } = comparison;
  const heads = targets.map(({ label }) => markdownText(shorten(label, 80)));
  const columns = targets.map((report) => {
    const { label, baseUrl, verdict, judged, failed, total, startedAt, suite } = report;
    return [
      `${markdownText(shorten(label, 120))} ${markdownCode(cellText(baseUrl))}`,
      `${verdictSign[overallTone[verdict]]} ${overallWord[verdict]}`,
      `${judged - failed} of ${total}`,
      failedText(report),
      markdownText(utcTime(startedAt)),
      `${markdownText(suite.version)} ${markdownCode(suite.requirementsDigest.slice(0, 19))} ${markdownCode(suite.openapiDigest.slice(0, 19))}`,
    ];
  });
  return `${[
    `# ${count(targets.length, 'conformance report')} side by side`,
    table(['Target', 'Verdict', 'Passed', 'Failed', 'When', 'Suite, requirements, OpenAPI'], columns),
    ...comparisonNotes(comparison).map((note) => `> ${markdownText(cellText(note))}`),
    ...comparisonTables(comparison).map((grid) => tableMarkdown(grid, heads)),
  ].join('\n\n')}\n`;
}
