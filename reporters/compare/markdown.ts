import { markdownCode, markdownText } from '../escape.ts';
import { clip, table } from '../markdown-parts.ts';
import { count, moment, overallTone, overallWord, verdictSign } from '../wording.ts';
import type { Comparison } from './compare.ts';
import { type Grid, gridsOf, type Line, remarks, tally } from './tables.ts';

function lines(rows: readonly Line[], heads: readonly string[]): string {
  return table(
    ['What', 'Section', ...heads],
    rows.map(({ id, section, what, squares }) => [
      `${markdownText(clip(what))} ${markdownCode(clip(id))}`,
      markdownText(section),
      ...squares.map(({ text }) => markdownText(clip(text))),
    ]),
  );
}

function gridPart(grid: Grid, heads: readonly string[]): string {
  const { title, differing, agreeing } = grid;
  const first = differing.length === 0 ? 'No row differs.' : lines(differing, heads);
  const rest =
    agreeing.length === 0
      ? ''
      : `\n\n<details><summary>${count(agreeing.length, 'row')} on which all agree</summary>\n\n${lines(agreeing, heads)}\n\n</details>`;
  return `## ${title} (${tally(grid)})\n\n${first}${rest}`;
}

/** The comparison as Markdown. */
export function renderComparisonMarkdown(comparison: Comparison): string {
  const { targets } = comparison;
  const heads = targets.map(({ label }) => markdownText(clip(label, 80)));
  const columns = targets.map(({ label, baseUrl, verdict, judged, failed, total, startedAt, suite }) => [
    `${markdownText(clip(label, 120))} ${markdownCode(clip(baseUrl))}`,
    `${verdictSign[overallTone[verdict]]} ${overallWord[verdict]}`,
    `${judged - failed} of ${total}`,
    String(failed),
    markdownText(moment(startedAt)),
    `${markdownText(suite.version)} ${markdownCode(suite.requirementsDigest.slice(0, 19))} ${markdownCode(suite.openapiDigest.slice(0, 19))}`,
  ]);
  return `${[
    `# ${count(targets.length, 'conformance report')} side by side`,
    table(['Target', 'Verdict', 'Kept', 'Failed', 'When', 'Suite, requirements, OpenAPI'], columns),
    ...remarks(comparison).map((note) => `> ${markdownText(clip(note))}`),
    ...gridsOf(comparison).map((grid) => gridPart(grid, heads)),
  ].join('\n\n')}\n`;
}
