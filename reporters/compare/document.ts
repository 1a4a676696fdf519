import { count, shorten } from '../../spec/text.ts';
import { badge, type Block, code, type Document, type Inline, prose, quiet } from '../document/blocks.ts';
import { printMarkdown } from '../document/markdown.ts';
import { printPage } from '../html/page.ts';
import { overallTone, overallWord, utcTime } from '../wording.ts';
import type { ComparedReport, Comparison } from './compare.ts';
import {
  comparisonNotes,
  type ComparisonTable,
  comparisonTables,
  differenceCount,
  failedText,
  type TableRow,
} from './tables.ts';

/** Characters of a cell, where nothing else is said. */
const longest = 300;
const cut = (text: string): string => shorten(text, longest);

const gridOf = (label: string, rows: readonly TableRow[], targets: readonly ComparedReport[]): Block => ({
  kind: 'table',
  label,
  look: 'across',
  heads: ['What', 'Section', ...targets.map((target) => shorten(target.label, 80))],
  rowHeads: true,
  rows: rows.map(({ id, section, what, cells }) => ({
    cells: [
      { of: [prose(cut(what)), ' ', code(id)] },
      { of: section },
      ...cells.map(({ text, tone }) => ({ of: cut(text), ...(tone === null ? {} : { tone }) })),
    ],
  })),
});

function sectionOf(table: ComparisonTable, targets: readonly ComparedReport[]): Block {
  const { slug, title, differing, agreeing } = table;
  const summary = `${count(agreeing.length, 'row')} without a difference`;
  const grid = (rows: readonly TableRow[], what: string) => gridOf(`${title}: rows ${what}`, rows, targets);
  return {
    kind: 'section',
    id: slug,
    name: `${title} (${differenceCount(table)})`,
    title: `${title} (${differenceCount(table)})`,
    blocks: [
      differing.length === 0 ? quiet('No row differs.') : grid(differing, 'that differ'),
      ...(agreeing.length === 0
        ? []
        : [{ kind: 'fold', summary, blocks: [grid(agreeing, 'without a difference')] } as const]),
    ],
  };
}

function targetRow(report: ComparedReport): readonly Inline[] {
  const { label, baseUrl, suite, startedAt, verdict, judged, failed, total } = report;
  return [
    [shorten(label, 120), ' ', code(cut(baseUrl))],
    badge(overallTone[verdict], overallWord[verdict]),
    `${judged - failed} of ${total}`,
    failedText(report),
    utcTime(startedAt),
    [
      `${suite.version} `,
      code(suite.requirementsDigest.slice(0, 19)),
      ' ',
      code(suite.openapiDigest.slice(0, 19)),
    ],
  ];
}

/** Reports side by side as a document: what differs first. */
function comparisonDocument(comparison: Comparison): Document {
  const { targets } = comparison;
  const notes = comparisonNotes(comparison);
  const title = `${count(targets.length, 'conformance report')} side by side`;
  return {
    title,
    skip: { to: 'requirements', words: 'Skip to the requirements' },
    head: [
      { kind: 'title', over: 'Conformance reports compared', text: title },
      ...(notes.length === 0 ? [] : [{ kind: 'list', items: notes } as const]),
      {
        kind: 'table',
        label: 'Targets',
        look: 'columns',
        heads: ['Target', 'Verdict', 'Passed', 'Failed', 'When', 'Suite, requirements, OpenAPI'],
        rowHeads: true,
        rows: targets.map((report) => ({ cells: targetRow(report).map((of) => ({ of })) })),
      },
    ],
    parts: comparisonTables(comparison).map((table) => sectionOf(table, targets)),
  };
}

/** The comparison as one self-contained HTML document, in the look of the report. */
export const renderComparisonHtml = (comparison: Comparison): string =>
  printPage(comparisonDocument(comparison));

/** The comparison as Markdown. */
export const renderComparisonMarkdown = (comparison: Comparison): string =>
  printMarkdown(comparisonDocument(comparison));
