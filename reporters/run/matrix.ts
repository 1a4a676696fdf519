import { present } from '../../spec/present.ts';
import { count } from '../../spec/text.ts';
import { protocolFacts } from '../../spec/protocols.ts';
import { protocols, type Family, families, groups, type Protocol } from '../../spec/vocabulary.ts';
import type { ReportCell, Report, Verdict } from '../../suites/types/report.ts';
import { type BlockOf, type Block, quiet, type Square } from '../document/blocks.ts';
import { cellTone, firstModelCells } from '../models.ts';
import { cellSeen, expectationWord, familyWord, verdicts } from '../wording.ts';
import type { Context } from './context.ts';

const familySign: Readonly<Record<Family, string>> = {
  general: 'G',
  conversational: 'C',
  multimodal: 'M',
  image: 'Image',
  'chat-image': 'via chat',
};
/** Pixels: a square, the gap around it, a gap between families and protocols, and room for words. */
const [cellWidth, cellHeight, gap, groupGap, left, top] = [18, 6, 1, 4, 46, 13];

const toneText: Readonly<Record<Verdict, string>> = {
  fail: 'against the interface',
  inconclusive: 'inconclusive',
  conflict: 'where statements contradict',
  observed: 'unspecified by the interface',
  untested: 'not asked',
  pass: 'as stated',
};

const columnAt = (protocol: Protocol, stream: boolean): number =>
  left + protocols.indexOf(protocol) * (2 * (cellWidth + gap) + groupGap) + (stream ? cellWidth + gap : 0);
const rowAt = (family: Family, group: number): number =>
  top +
  families.indexOf(family) * (groups.length * (cellHeight + gap) + groupGap) +
  group * (cellHeight + gap);

function cellShapes(matrix: Report['matrix'], tone: Verdict): BlockOf<'picture'>['paths'] {
  const own = matrix.filter((cell) => cellTone(cell) === tone);
  const at = own.map(
    ({ family, protocol, group, stream }) =>
      [columnAt(protocol, stream), rowAt(family, groups.indexOf(group))] as const,
  );
  const boxes = at.map(([x, y]) => `M${x} ${y}h${cellWidth}v${cellHeight}h-${cellWidth}z`).join('');
  // A failure has a shape of its own too, for readers who don't see its colour.
  const crosses = at.map(([x, y]) => `M${x + 5} ${y + 1}l8 4m0-4l-8 4`).join('');
  if (own.length === 0) return [];
  return [{ look: tone, d: boxes }, ...(tone === 'fail' ? [{ look: 'cross', d: crosses }] : [])];
}

/** The support matrix as a small map that leads to the whole one; nothing where no combination was looked at. */
export function minimap(report: Pick<Report, 'matrix'>): BlockOf<'picture'> | null {
  const matrix = firstModelCells(report.matrix);
  if (matrix.length === 0) return null;
  const counted = verdicts.flatMap((tone) => {
    const amount = matrix.filter((cell) => cellTone(cell) === tone).length;
    return amount === 0 ? [] : [`${amount} ${toneText[tone]}`];
  });
  const width = columnAt('images', false) + cellWidth + groupGap;
  const height = rowAt('chat-image', groups.length - 1) + cellHeight + 1;
  return {
    kind: 'picture',
    look: 'mini',
    label: `Support matrix, ${matrix.length} combinations: ${counted.join(', ')}`,
    width,
    height,
    texts: [
      ...protocols.map((protocol) => ({
        x: columnAt(protocol, false),
        y: 9,
        text: protocolFacts[protocol].shortTitle,
      })),
      ...families.map((family) => ({ x: 0, y: rowAt(family, 1) + cellHeight, text: familySign[family] })),
    ],
    paths: verdicts.flatMap((tone) => cellShapes(matrix, tone)),
    caption: 'Support matrix',
    to: 'part-matrix',
  };
}

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
  const columns = protocols.flatMap((protocol) =>
    [false, true]
      .filter((stream) => matrix.some((cell) => cell.protocol === protocol && cell.stream === stream))
      .map((stream) => ({ protocol, stream })),
  );
  const open = matrix.filter(({ observed }) => observed === 'not sent').length;
  const rows = families.flatMap((family) =>
    groups.flatMap((group) => {
      const own = matrix.filter((cell) => cell.family === family && cell.group === group);
      const squares = columns.map(({ protocol, stream }) => {
        const cell = own.find((one) => one.protocol === protocol && one.stream === stream);
        return cell === undefined ? null : squareOf(context, cell);
      });
      return own.length === 0 ? [] : [{ group: familyWord[family], name: group, squares }];
    }),
  );
  return present([
    open > 0 &&
      quiet(`${open} of ${count(matrix.length, 'combination')} ${open === 1 ? 'was' : 'were'} not asked.`),
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
      rows,
      key: [
        ['pass', 'as stated'],
        ['fail', 'against the interface'],
        ['observed', 'unspecified'],
        ['conflict', 'statements contradict'],
        ['inconclusive', 'inconclusive'],
        ['untested', 'not asked'],
      ],
    },
  ]);
}
