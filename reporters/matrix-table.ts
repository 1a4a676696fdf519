import { count } from '../spec/text.ts';
import { families, groups, protocols } from '../spec/vocabulary.ts';
import type { Report, ReportCell, Verdict } from '../suites/types/report.ts';

/** The support matrix as a grid: its columns, and a row for each family and group with a cell, or a gap, in each. */
export function matrixTable(matrix: Report['matrix']) {
  const columns = protocols.flatMap((protocol) =>
    [false, true]
      .filter((stream) => matrix.some((cell) => cell.protocol === protocol && cell.stream === stream))
      .map((stream) => ({ protocol, stream })),
  );
  const rows = families.flatMap((family) =>
    groups.flatMap((group) => {
      const own = matrix.filter((cell) => cell.family === family && cell.group === group);
      const cells = columns.map(({ protocol, stream }) =>
        own.find((cell) => cell.protocol === protocol && cell.stream === stream),
      );
      return own.length === 0 ? [] : [{ family, group, cells }];
    }),
  );
  return { columns, rows };
}

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

/** `3 of 72 combinations were not asked.`; empty where all were. */
export function notAskedCells({ matrix }: Pick<Report, 'matrix'>): string {
  const amount = matrix.filter(({ observed }) => observed === 'not sent').length;
  return amount === 0
    ? ''
    : `${amount} of ${count(matrix.length, 'combination')} ${amount === 1 ? 'was' : 'were'} not asked.`;
}
