import { count, inParentheses, shorten } from '../../spec/text.ts';
import { present } from '../../spec/present.ts';
import type { ReportCell, Verdict } from '../../suites/types/report.ts';
import { badge, code, fold, list, prose, quiet, row, section, table } from '../document/blocks.ts';
import type { Block, Cell, Document } from '../document/blocks.ts';
import { printMarkdown } from '../document/markdown.ts';
import { printPage } from '../html/page.ts';
import { levelText } from '../impact.ts';
import { depthText, expectationWord, overallTone, overallWord, utcTime, verdictText } from '../wording.ts';
import { stripsPicture } from '../pictures.ts';
import { cellTone } from '../models.ts';
import type { Comparison } from './compare.ts';

type Row = Omit<Comparison['conflicts'][number], 'values'> & { readonly values: readonly unknown[] };

/** Characters of a cell, where nothing else is said. */
const longest = 300;
const cut = (text: string): string => shorten(text, longest);

const plainCell = (of: string): Cell => ({ of: cut(of) });
const verdictCell = (verdict: Verdict): Cell => ({ of: verdictText(verdict), tone: verdict });

const matrixCell = (cell: Pick<ReportCell, 'observed' | 'expectation'>): Cell => ({
  of: cell.observed === 'not sent' ? 'not asked' : cell.observed,
  tone: cellTone(cell),
});

/** Rows side by side, those that differ first and the others behind one line. */
function gridSection<Own extends Row>(
  [slug, title]: readonly [slug: string, title: string],
  { targets }: Comparison,
  rows: readonly Own[],
  what: (row: Own) => string,
  cell: (value: NonNullable<Own['values'][number]>, row: Own) => Cell,
): Block {
  const grid = (own: readonly Own[], kind: string): Block =>
    table(
      [`${title}: rows ${kind}`, 'across'],
      ['What', 'Section', ...targets.map((target) => shorten(target.label, 80))],
      own.map((one) => ({
        cells: [
          { of: [prose(cut(what(one))), ' ', code(one.id)] },
          { of: one.section },
          ...one.values.map((value) =>
            value === null || value === undefined ? { of: '—' } : cell(value, one),
          ),
        ],
      })),
      { rowHeads: true },
    );
  const [differing, agreeing] = [
    rows.filter(({ differs }) => differs),
    rows.filter(({ differs }) => !differs),
  ];
  const name = `${title} (${differing.length} of ${rows.length} differ)`;
  const summary = `${count(agreeing.length, 'row')} without a difference`;
  return section(
    [slug, name, name],
    [
      differing.length === 0 ? quiet('No row differs.') : grid(differing, 'that differ'),
      agreeing.length > 0 && fold(summary, grid(agreeing, 'without a difference')),
    ],
  );
}

export const requirementGrid = (comparison: Comparison): Block =>
  gridSection(
    ['requirements', 'Requirements'],
    comparison,
    comparison.requirements,
    (own) => `${own.what} (${levelText(own)})`,
    verdictCell,
  );

/** Rows that have words for values, and say themselves what they are of. */
const wordsSection = (slug: 'observations' | 'conflicts', title: string, comparison: Comparison): Block =>
  gridSection<Comparison['observations' | 'conflicts'][number]>(
    [slug, title],
    comparison,
    comparison[slug],
    ({ what }) => what,
    plainCell,
  );

const sections = (comparison: Comparison): Block[] => [
  requirementGrid(comparison),
  wordsSection('observations', 'Behaviour that the interface does not specify', comparison),
  wordsSection('conflicts', 'Contradictions of the interface', comparison),
  gridSection(
    ['cells', 'Support matrix'],
    comparison,
    comparison.cells,
    ({ expectation }) => `The interface says: ${expectationWord[expectation]}`,
    (observed, { expectation }) => matrixCell({ observed, expectation }),
  ),
];

/** The profiles, where they differ. */
function depthNote(targets: Comparison['targets']): string[] {
  if (new Set(targets.map(({ depth }) => depthText(depth))).size < 2) return [];
  const each = targets.map(({ label, depth }) => `${label}: ${depthText(depth)}`).join('; ');
  return [`Not as much was asked of all, so what one leaves untested another may not. ${each}.`];
}

const notesOf = ({ targets, sameSuite }: Comparison): readonly string[] =>
  present([
    !sameSuite &&
      'Not all reports were judged by the same suite, so a difference may come from the suite. The digests are listed below.',
    ...depthNote(targets),
    ...targets.map(({ partial, label }) => partial && `The run of ${label} was stopped early.`),
  ]);

function targetRow(report: Comparison['targets'][number]) {
  const { label, baseUrl, suite, startedAt, verdict, judged, failed, failedByImpact, total } = report;
  const digests = [code(suite.requirementsDigest.slice(0, 19)), ' ', code(suite.openapiDigest.slice(0, 19))];
  return row(
    [shorten(label, 120), ' ', code(cut(baseUrl))],
    badge(overallTone[verdict], overallWord[verdict]),
    `${judged - failed} of ${total}`,
    `${failed}${inParentheses(failedByImpact)}`,
    utcTime(startedAt),
    [`${suite.version} `, ...digests],
  );
}

/** The verdicts of each report in a row, in the order of the interface. */
function verdictsPicture({ targets, requirements }: Comparison): Block | null {
  const what = 'The verdict of each requirement in each report, in the order of the interface';
  const strips = targets.map(({ label }, at) => ({
    name: label,
    verdicts: requirements.map(({ values }) => values[at] ?? null),
  }));
  return stripsPicture(what, `${what}; the tables below have the same in words.`, strips);
}

/** Reports side by side as a document: what differs first. */
function comparisonDocument(comparison: Comparison): Document {
  const { targets } = comparison;
  const notes = notesOf(comparison);
  const title = `${count(targets.length, 'conformance report')} side by side`;
  const heads = ['Target', 'Verdict', 'Passed', 'Failed', 'When', 'Suite, requirements, OpenAPI'];
  return {
    title,
    skip: { to: 'requirements', words: 'Skip to the requirements' },
    head: [
      { kind: 'title', over: 'Conformance reports compared', text: title },
      notes.length > 0 && list(notes),
      table(['Targets', 'columns'], heads, targets.map(targetRow), { rowHeads: true }),
      verdictsPicture(comparison),
    ],
    parts: sections(comparison),
  };
}

/** The comparison as one self-contained HTML document, in the look of the report. */
export const renderComparisonHtml = (comparison: Comparison): string =>
  printPage(comparisonDocument(comparison));

export const renderComparisonMarkdown = (comparison: Comparison): string =>
  printMarkdown(comparisonDocument(comparison));
