import { cellName } from '../fixtures/baseline/cell.ts';
import { groupBy } from '../spec/group-by.ts';
import { count, firstOf } from '../spec/text.ts';
import { type Family, families } from '../spec/vocabulary.ts';
import type { ModelCell } from '../suites/types/case.ts';
import type { Report, ReportCase, ReportCell, Verdict } from '../suites/types/report.ts';
import { cellSeen, verdicts } from './wording.ts';

/** The models behind the first of each family in renderings; pure selections, no judging. */

/** The support matrix itself: the combinations of the first models. */
export const firstModelCells = (matrix: Report['matrix']): Report['matrix'] =>
  matrix.filter(({ model }) => model === undefined);

/** A cell in words, with the model where that is not the first of its family. */
export const modelCellName = ({ model, ...cell }: ModelCell): string =>
  `${cellName(cell)}${model === undefined ? '' : ` of ${model}`}`;

/** A column of a family's table: a combination, where one of several groups is enough without the group. */
interface ModelColumn {
  readonly protocol: ReportCell['protocol'];
  /** Null where one group that serves is enough. */
  readonly group: ReportCell['group'] | null;
  readonly stream: boolean;
}

export interface ModelRow {
  readonly name: string;
  /** By column; several where one of several groups was enough and more were asked. */
  readonly cells: readonly (readonly ReportCell[])[];
  /** How many of its cases came out so. */
  readonly counts: Readonly<Partial<Record<Verdict, number>>>;
  readonly verdict: Verdict;
}

/** The models behind the first of a family, the worst first. */
export interface ModelTable {
  readonly family: Family;
  readonly columns: readonly ModelColumn[];
  readonly rows: readonly ModelRow[];
}

const columnOf = ({ protocol, group, stream, anyGroup }: ReportCell): ModelColumn => ({
  protocol,
  group: anyGroup === undefined ? group : null,
  stream,
});

const keyOf = (column: ModelColumn): string => JSON.stringify(column);

const worst = (counts: ModelRow['counts']): Verdict =>
  verdicts.find((verdict) => verdict !== 'observed' && verdict !== 'untested' && counts[verdict]) ??
  'untested';

function rowOf(
  name: string,
  cells: readonly ReportCell[],
  columns: readonly ModelColumn[],
  cases: readonly ReportCase[],
): ModelRow {
  const counts: Partial<Record<Verdict, number>> = {};
  for (const { verdict } of cases) counts[verdict] = (counts[verdict] ?? 0) + 1;
  const byColumn = groupBy(cells, (cell) => keyOf(columnOf(cell)));
  return {
    name,
    cells: columns.map((column) => byColumn.get(keyOf(column)) ?? []),
    counts,
    verdict: worst(counts),
  };
}

export function modelTables({ matrix, cases }: Pick<Report, 'matrix' | 'cases'>): readonly ModelTable[] {
  const casesOf = groupBy(cases, ({ model }) => model && `${model.family} ${model.name}`);
  return families.flatMap((family): readonly ModelTable[] => {
    const own = matrix.filter((cell) => cell.family === family && cell.model !== undefined);
    if (own.length === 0) return [];
    const columns = [...new Map(own.map(columnOf).map((column) => [keyOf(column), column])).values()];
    const rows = [...groupBy(own, ({ model }) => model ?? '')].map(([name, cells]) =>
      rowOf(name, cells, columns, casesOf.get(`${family} ${name}`) ?? []),
    );
    const rank = ({ verdict }: ModelRow): number => verdicts.indexOf(verdict);
    return [{ family, columns, rows: rows.toSorted((one, other) => rank(one) - rank(other)) }];
  });
}

/** Sign and words of a column of a row: of a cell that serves, where several were asked. */
export function cellWords(cells: readonly ReportCell[]): { readonly tone: Verdict; readonly seen: string } {
  const cell = cells.find(({ observed }) => observed === 'served') ?? cells[0];
  if (cell === undefined) return { tone: 'untested', seen: 'not sent' };
  return { tone: cellTone(cell), seen: cellSeen(cell)[0] ?? '' };
}

/** `12 of 13 cases passed`; what is neither passed nor failed is named. */
export function casesText(counts: ModelRow['counts']): string {
  const all = Object.values(counts).reduce((sum, amount) => sum + amount, 0);
  const others = verdicts
    .filter((verdict) => verdict !== 'pass' && counts[verdict])
    .map((verdict) => `${counts[verdict]} ${verdict}`);
  return `${counts.pass ?? 0} of ${count(all, 'case')} passed${others.length > 0 ? `, ${others.join(', ')}` : ''}`;
}

/** A line for each family with further models: how many, and those with which something is wrong. */
export const modelLines = (report: Pick<Report, 'matrix' | 'cases'>): readonly string[] =>
  modelTables(report).map(({ family, rows }) => {
    const parts = (['fail', 'inconclusive'] as const).flatMap((verdict) => {
      const names = rows.filter((row) => row.verdict === verdict).map(({ name }) => name);
      if (names.length === 0) return [];
      return [`${names.length} ${verdict === 'fail' ? 'failed' : 'inconclusive'}: ${firstOf(names)}`];
    });
    const models = count(rows.length, 'further model');
    return `${family}: ${models}, ${parts.length > 0 ? parts.join('; ') : 'all as stated'}`;
  });

/** What a square of the matrix amounts to; colours and signs follow it. */
export function cellTone(cell: ReportCell): Verdict {
  if (cell.observed === 'not sent') return 'untested';
  if (cell.expectation === 'conflict') return 'conflict';
  if (cell.observed === 'unknown') return 'inconclusive';
  if (cell.anyGroup === 'fail') return 'fail';
  if (cell.anyGroup === 'pass' && cell.observed === 'served') return 'pass';
  if (cell.expectation === 'unspecified') return 'observed';
  return cell.expectation === cell.observed ? 'pass' : 'fail';
}
