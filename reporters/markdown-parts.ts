import { count, shorten } from '../spec/text.ts';
import { protocolFacts } from '../spec/protocols.ts';
import type { Report, ReportCell, ReportConflict } from '../suites/types/report.ts';
import { isUnderCause } from './causes.ts';
import { markdownCode, markdownText } from './escape.ts';
import {
  ambiguities,
  byReason,
  contradictions,
  nonGatingRequirements,
  withVerdict,
} from './report-queries.ts';
import { beyondScopeLimits, scopeLimits } from './scope-limits.ts';
import { cellTone, matrixTable, notAskedCells } from './matrix-table.ts';
import { firstModelCells, modelLines } from './models.ts';
import { cellSeen, expectationWord, familyWord, nonGatingReason, verdictSign } from './wording.ts';

/** Characters of a cell. */
const longestCell = 240;

/** The text of a cell, cut to what a table has room for. */
export const cellText = (text: string): string => shorten(text, longestCell);
const row = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`;

/** A table; cells are escaped by who makes them. */
export function table(heads: readonly string[], rows: readonly (readonly string[])[]): string {
  return [row(heads), row(heads.map(() => '---')), ...rows.map(row)].join('\n');
}

/** A part of the document; parts further down give way where not all fit. */
export interface Part {
  readonly text: string;
  /** Names it in the note where it is left out. */
  readonly name: string;
}

const followsText: Readonly<Record<ReportConflict['follows'], string>> = {
  A: 'reading A',
  B: 'reading B',
  mixed: 'A here, B there',
  neither: 'neither',
  unknown: 'could not be determined',
  untested: 'untested',
  'not observable': 'no reply shows it',
};

const conflictRow = ({ id, sections, readings, held, follows }: ReportConflict): string[] => [
  `${sections.join(', ')} ${markdownCode(id)}`,
  ...readings.map(({ statement }) => markdownText(cellText(statement))),
  held ?? 'neither',
  `**${followsText[follows]}**`,
];

const conflictTable = (heading: string, entries: readonly ReportConflict[]): string =>
  `## ${heading}\n\n${table(['Sections', 'Reading A', 'Reading B', 'Judged by', 'The target follows'], entries.map(conflictRow))}`;

/** Contradictions of the interface, with the reading that the target follows. */
export function conflictPart(report: Report): Part[] {
  const entries = contradictions(report);
  return entries.length === 0
    ? []
    : [{ name: 'the conflicts', text: conflictTable('Contradictions of the interface', entries) }];
}

/** Places that can be read in two ways. */
export function ambiguityPart(report: Report): Part[] {
  const entries = ambiguities(report);
  return entries.length === 0
    ? []
    : [{ name: 'the ambiguities', text: conflictTable('Ambiguities of the interface', entries) }];
}

/** What was not tested or not decided, and why. */
export function untestedPart(report: Report): Part[] {
  const isUnder = isUnderCause(report);
  const lines = [
    ...scopeLimits(report).map((line) => `- ${markdownText(cellText(line))}`),
    ...byReason(
      beyondScopeLimits(
        report,
        withVerdict(report, 'untested').filter((row) => !isUnder(row)),
      ),
    ).map(
      ({ reason, requirements }) =>
        `- ${markdownText(cellText(reason).replace(/[.]$/, ''))}: ${count(requirements.length, 'requirement')}.`,
    ),
    ...nonGatingRequirements(report)
      .filter((row) => !isUnder(row))
      .map(
        ({ id, nonGating: kind }) =>
          `- ${markdownCode(id)}: inconclusive, not gating (${nonGatingReason(kind)}).`,
      ),
  ];
  return lines.length === 0
    ? []
    : [
        {
          name: 'what was not tested',
          text: `## Untested or inconclusive, with the reason\n\n${lines.join('\n')}`,
        },
      ];
}

/** The support matrix, what was seen and what the interface says. */
export function matrixPart(report: Report): Part[] {
  const matrix = firstModelCells(report.matrix);
  const notAsked = notAskedCells({ matrix });
  if (matrix.length === 0) return [];
  const { columns, rows } = matrixTable(matrix);
  const cellWords = (cell: ReportCell | undefined): string =>
    cell === undefined
      ? ''
      : `${verdictSign[cellTone(cell)]} ${cellSeen(cell).join('; ')} (${expectationWord[cell.expectation]})`;
  const lines = rows.map(({ family, group, cells }) => [familyWord[family], group, ...cells.map(cellWords)]);
  const heads = columns.map(
    ({ protocol, stream }) => `${protocolFacts[protocol].title}${stream ? ', stream' : ''}`,
  );
  return [
    {
      name: 'the support matrix',
      text: `## Support matrix\n\n${table(['Family', 'Group', ...heads], lines)}${notAsked === '' ? '' : `\n\n${notAsked}`}`,
    },
    ...modelPart(report),
  ];
}

/** The models behind the first of each family, a line for each family. */
function modelPart(report: Report): Part[] {
  const lines = modelLines(report).map((line) => `- ${markdownText(cellText(line))}`);
  return lines.length === 0
    ? []
    : [{ name: 'the further models', text: `## Further models\n\n${lines.join('\n')}` }];
}

/** What the interface does not specify and this target does. */
export function observationPart({ observations }: Report): Part[] {
  if (observations.length === 0) return [];
  const rows = observations.map(({ section, subject, value }) => [
    section,
    markdownText(cellText(subject)),
    markdownCode(cellText(value)),
  ]);
  return [
    {
      name: 'the observations',
      text: `## Observed behaviour that the interface does not specify\n\n${table(['Section', 'What', 'Seen'], rows)}`,
    },
  ];
}
