import { cellName } from '../fixtures/baseline/cell.ts';
import { groupBy } from '../spec/group-by.ts';
import { count, firstOf } from '../spec/text.ts';
import { families } from '../spec/vocabulary.ts';
import type { ModelCell } from '../suites/types/case.ts';
import type { Report, ReportCase, ReportCell, Verdict } from '../suites/types/report.ts';
import { type Counts, countVerdicts } from './report-queries.ts';
import { cellSeen, verdicts, familyWord } from './wording.ts';
import { protocolFacts } from '../spec/protocols.ts';
import { badge, type Block, code, quiet, table } from './document/blocks.ts';

/** The models behind the first of each family in renderings; pure selections, no judging. */

/** The support matrix itself: the combinations of the first models. */
export const firstModelCells = (matrix: Report['matrix']): Report['matrix'] =>
  matrix.filter(({ model }) => model === undefined);

/** A cell in words, with the model where that is not the first of its family. */
export const modelCellName = ({ model, ...cell }: ModelCell): string =>
  `${cellName(cell)}${model === undefined ? '' : ` of ${model}`}`;

/** A column of a family's table: a combination; without the group where one of several that serves is enough. */
const columnOf = ({ protocol, group, stream, anyGroup }: ReportCell) => ({
  protocol,
  group: anyGroup === undefined ? group : null,
  stream,
});

const keyOf = (column: ReturnType<typeof columnOf>): string => JSON.stringify(column);

function rowOf(
  name: string,
  cells: readonly ReportCell[],
  columns: readonly ReturnType<typeof columnOf>[],
  cases: readonly ReportCase[],
) {
  const counts = countVerdicts(cases);
  const byColumn = groupBy(cells, (cell) => keyOf(columnOf(cell)));
  const worst = verdicts.find((one) => one !== 'observed' && one !== 'untested' && counts[one] > 0);
  return {
    name,
    /** By column; several where one of several groups was enough and more were asked. */
    cells: columns.map((column) => byColumn.get(keyOf(column)) ?? []),
    counts,
    verdict: worst ?? 'untested',
  };
}

type ModelTable = ReturnType<typeof modelTables>[number];

/** The models behind the first of each family, the worst first, with how many of the cases of each came out how. */
export function modelTables({ matrix, cases }: Pick<Report, 'matrix' | 'cases'>) {
  const casesOf = groupBy(cases, ({ model }) => model && `${model.family} ${model.name}`);
  return families.flatMap((family) => {
    const own = matrix.filter((cell) => cell.family === family && cell.model !== undefined);
    if (own.length === 0) return [];
    const columns = [...new Map(own.map(columnOf).map((column) => [keyOf(column), column])).values()];
    const rows = [...groupBy(own, ({ model }) => model ?? '')].map(([name, cells]) =>
      rowOf(name, cells, columns, casesOf.get(`${family} ${name}`) ?? []),
    );
    rows.sort((one, other) => verdicts.indexOf(one.verdict) - verdicts.indexOf(other.verdict));
    return [{ family, columns, rows }];
  });
}

/** Sign and words of a column of a row: of a cell that serves, where several were asked. */
function cellWords(cells: readonly ReportCell[]): { readonly tone: Verdict; readonly seen: string } {
  const cell = cells.find(({ observed }) => observed === 'served') ?? cells[0];
  if (cell === undefined) return { tone: 'untested', seen: 'not sent' };
  return { tone: cellTone(cell), seen: cellSeen(cell)[0] ?? '' };
}

/** `12 of 13 cases passed`; what is neither passed nor failed is named. */
function casesText(counts: Counts): string {
  const all = Object.values(counts).reduce((sum, amount) => sum + amount, 0);
  const others = verdicts
    .filter((verdict) => verdict !== 'pass' && counts[verdict] > 0)
    .map((verdict) => `${counts[verdict]} ${verdict}`);
  return `${counts.pass} of ${count(all, 'case')} passed${others.length > 0 ? `, ${others.join(', ')}` : ''}`;
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
export function cellTone(cell: Pick<ReportCell, 'observed' | 'expectation' | 'anyGroup'>): Verdict {
  if (cell.observed === 'not sent') return 'untested';
  if (cell.expectation === 'conflict') return 'conflict';
  if (cell.observed === 'unknown') return 'inconclusive';
  if (cell.anyGroup === 'fail') return 'fail';
  if (cell.anyGroup === 'pass' && cell.observed === 'served') return 'pass';
  if (cell.expectation === 'unspecified') return 'observed';
  return cell.expectation === cell.observed ? 'pass' : 'fail';
}

/** The most models of a family that have a row; the worst come first. */
const mostRows = 32;

function modelTable({ family, columns, rows }: ModelTable): Block {
  const title = `${familyWord[family]}: ${count(rows.length, 'model')} behind the first`;
  const rest = rows.length - mostRows;
  const heads = columns.map(
    ({ protocol, group, stream }) =>
      `${protocolFacts[protocol].title}, ${group ?? 'any group'}${stream ? ', stream' : ''}`,
  );
  const lines = rows.slice(0, mostRows).map(({ name, cells, counts, verdict }) => {
    const seen = cells.map(cellWords);
    return {
      cells: [
        { of: code(name) },
        ...seen.map((one) => ({ tone: one.tone, of: badge(one.tone, one.seen) })),
        { tone: verdict, of: badge(verdict, casesText(counts)) },
      ],
    };
  });
  const blocks = [
    table([title, 'rows'], ['Model', ...heads, 'Cases'], lines, { rowHeads: true }),
    rest > 0 && quiet(`${count(rest, 'more model')} in report.json.`),
  ];
  const open = rows.some(({ verdict }) => verdict !== 'pass');
  return { kind: 'fold', from: 'page', summary: title, open, blocks };
}

/** The models behind the first of each family: a table for each family. */
export function modelBlocks(report: Report): readonly Block[] {
  const tables = modelTables(report);
  if (tables.length === 0) return [];
  const about =
    'The matrix shows the first model of each family. The others are judged by where they must be served or refused, their results, their streams and a few refusals; what they passed, with its exchanges, is in report.json.';
  return [{ ...quiet(about), from: 'page' }, ...tables.map(modelTable)];
}

/** What a page has room for: no cases that models behind the first have passed, and no exchanges of these alone. */
export function withoutPassedModels(report: Report): Report {
  const isShort = (outcome: Report['cases'][number]): boolean =>
    outcome.model !== undefined && outcome.findings.every(({ verdict }) => verdict === 'untested');
  const short = report.cases.filter(isShort);
  if (short.length === 0) return report;
  const kept = report.cases.filter((outcome) => !isShort(outcome));
  const hidden = new Set(short.map(({ id }) => id));
  const shown = new Set(kept.flatMap(({ exchanges }) => exchanges));
  const left = new Set(short.flatMap(({ exchanges }) => exchanges));
  return {
    ...report,
    cases: kept,
    requirements: report.requirements.map((row) => ({
      ...row,
      cases: row.cases.filter((id) => !hidden.has(id)),
    })),
    exchanges: report.exchanges.filter(({ id }) => !left.has(id) || shown.has(id)),
  };
}
