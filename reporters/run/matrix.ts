import { protocolFacts } from '../../spec/protocols.ts';
import { protocols } from '../../spec/vocabulary.ts';
import type { ReportCell } from '../../suites/types/report.ts';
import { type Block, quiet, type Square } from '../document/blocks.ts';
import { cellTone, matrixTable, notAskedCells } from '../matrix-table.ts';
import { firstModelCells } from '../models.ts';
import { cellSeen, expectationWord, familyWord } from '../wording.ts';
import type { Context } from './context.ts';

function squareOf({ requirements }: Context, cell: ReportCell): Square {
  return {
    tone: cellTone(cell),
    words: [expectationWord[cell.expectation], ...cellSeen(cell)],
    why: cell.why,
    to: cell.requirements.find((id) => requirements.has(id)),
  };
}

/** The support matrix as a grid: what the interface says of each combination, and what was seen. */
export function matrixBlocks(context: Context): readonly Block[] {
  const matrix = firstModelCells(context.report.matrix);
  if (matrix.length === 0) return [quiet('No combination was tried.')];
  const { columns, rows } = matrixTable(matrix);
  const notAsked = notAskedCells({ matrix });
  return [
    ...(notAsked === '' ? [] : [quiet(notAsked)]),
    {
      kind: 'matrix',
      label:
        'Each combination of family, token group and protocol: what the interface says, and what was observed',
      heads: ['Family', 'Token group'],
      columns: protocols.flatMap((protocol) => {
        const own = columns.filter((column) => column.protocol === protocol);
        const parts = own.map(({ stream }) => (stream ? 'stream' : 'plain'));
        return own.length === 0 ? [] : [{ title: protocolFacts[protocol].title, parts }];
      }),
      rows: rows.map(({ family, group, cells }) => ({
        group: familyWord[family],
        name: group,
        squares: cells.map((cell) => (cell === undefined ? null : squareOf(context, cell))),
      })),
      key: [
        ['pass', 'as stated'],
        ['fail', 'against the interface'],
        ['observed', 'unspecified'],
        ['conflict', 'statements contradict'],
        ['inconclusive', 'inconclusive'],
        ['untested', 'not asked'],
      ],
    },
  ];
}
