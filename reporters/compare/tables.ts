import { inParentheses } from '../../spec/text.ts';
import type { ReportCell, Verdict } from '../../suites/types/report.ts';
import { levelText } from '../impact.ts';
import { depthText, expectationWord, verdictText } from '../wording.ts';
import type { ComparedReport, ComparisonRow, Comparison } from './compare.ts';

/** One cell: its words, and the verdict whose colour it has. */
export interface TableCell {
  readonly text: string;
  readonly tone: Verdict | null;
}

export interface TableRow {
  readonly id: string;
  readonly section: string;
  readonly what: string;
  readonly cells: readonly TableCell[];
  readonly differs: boolean;
}

export interface ComparisonTable {
  readonly slug: string;
  readonly title: string;
  readonly differing: readonly TableRow[];
  readonly agreeing: readonly TableRow[];
}

const missingCell: TableCell = { text: '—', tone: null };

const verdictCell = (verdict: Verdict): TableCell => ({
  text: verdictText(verdict),
  tone: verdict,
});

const plainCell = (text: string): TableCell => ({ text, tone: null });

function matrixCell(observed: ReportCell['observed'], expectation: ReportCell['expectation']): TableCell {
  if (observed === 'not sent') return { text: 'not asked', tone: 'untested' };
  if (observed === 'unknown') return { text: observed, tone: 'inconclusive' };
  if (expectation === 'conflict') return { text: observed, tone: 'conflict' };
  if (expectation === 'unspecified') return { text: observed, tone: 'observed' };
  return { text: observed, tone: observed === expectation ? 'pass' : 'fail' };
}

function tableRow<Value>(
  { id, section, what, values, differs }: ComparisonRow<Value>,
  square: (value: Value) => TableCell,
): TableRow {
  return {
    id,
    section,
    what,
    differs,
    cells: values.map((value) => (value === null ? missingCell : square(value))),
  };
}

const comparisonTable = (slug: string, title: string, lines: readonly TableRow[]): ComparisonTable => ({
  slug,
  title,
  differing: lines.filter(({ differs }) => differs),
  agreeing: lines.filter(({ differs }) => !differs),
});

/** The comparison as grids of words, the same for every format; nothing in them is escaped yet. */
export const comparisonTables = ({
  requirements,
  observations,
  conflicts,
  cells,
}: Comparison): ComparisonTable[] => [
  comparisonTable(
    'requirements',
    'Requirements',
    requirements.map((row) => ({ ...tableRow(row, verdictCell), what: `${row.what} (${levelText(row)})` })),
  ),
  comparisonTable(
    'observations',
    'Behaviour that the interface does not specify',
    observations.map((row) => tableRow(row, plainCell)),
  ),
  comparisonTable(
    'conflicts',
    'Contradictions of the interface',
    conflicts.map((row) => tableRow(row, plainCell)),
  ),
  comparisonTable(
    'cells',
    'Support matrix',
    cells.map((row) => ({
      ...tableRow(row, (value) => matrixCell(value, row.expectation)),
      what: `The interface says: ${expectationWord[row.expectation]}`,
    })),
  ),
];

/** The profiles, where they differ. */
function depthNote(targets: Comparison['targets']): string[] {
  if (new Set(targets.map(({ depth }) => depthText(depth))).size < 2) return [];
  const each = targets.map(({ label, depth }) => `${label}: ${depthText(depth)}`).join('; ');
  return [`Not as much was asked of all, so what one leaves untested another may not. ${each}.`];
}

/** What is said above the grids. */
export const comparisonNotes = ({ targets, sameSuite }: Comparison): string[] => [
  ...(sameSuite
    ? []
    : [
        'Not all reports were judged by the same suite, so a difference may come from the suite. The digests are listed below.',
      ]),
  ...depthNote(targets),
  ...targets.filter(({ partial }) => partial).map(({ label }) => `The run of ${label} was stopped early.`),
];

/** `3 (1 client, 2 lenient)`: the failures of a report, by impact where it has impacts. */
export const failedText = ({ failed, failedByImpact }: ComparedReport): string =>
  `${failed}${inParentheses(failedByImpact)}`;

/** How many rows of a grid differ, in words. */
export const differenceCount = ({ differing, agreeing }: ComparisonTable): string =>
  `${differing.length} of ${differing.length + agreeing.length} differ`;
