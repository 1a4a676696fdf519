import type { Half } from '../fixtures/faults/reported/report.ts';
import { markdownText } from '../reporters/escape.ts';
import { table } from '../reporters/document/markdown.ts';
import { shareOf as shareWithInterval } from './measured.ts';
import type { BehaviourRow, BugRow, ReportedRows } from './reported.ts';
import { measurements } from './reported-history.ts';

const percent = (share: number): string => `${(share * 100).toFixed(1)} %`;

/** `61 of 80 (76.3 %, 65.9 % to 84.2 %)`. */
function shareOf(seen: number, of: number): string {
  const { low, high } = shareWithInterval(seen, of);
  return of === 0 ? 'none' : `${seen} of ${of} (${percent(seen / of)}, ${percent(low)} to ${percent(high)})`;
}

type Row = BugRow | BehaviourRow;
const reportOf = (row: Row) => ('bug' in row ? row.bug : row.variant);
const ofHalf = <Each extends Row>(rows: readonly Each[], half: Half): readonly Each[] =>
  rows.filter((row) => reportOf(row).half === half);

const caughtOf = (rows: readonly BugRow[]): string =>
  shareOf(rows.filter(({ caught }) => caught).length, rows.length);
const failedOf = (rows: readonly BehaviourRow[]): string =>
  shareOf(rows.filter(({ blamed }) => blamed.length > 0).length, rows.length);
const wronglyBlamed = (rows: readonly BugRow[]): string =>
  `${rows.filter(({ collateral }) => collateral.length > 0).length} of ${rows.length}`;

/** Rows of a table: what is counted, on the measured half and on the open one. */
const byHalf = (name: string, rows: readonly BugRow[], say: (rows: readonly BugRow[]) => string) => [
  name,
  say(ofHalf(rows, 'measured')),
  say(ofHalf(rows, 'open')),
];

function bugTable({ bugs }: ReportedRows): readonly (readonly string[])[] {
  const kinds = [...new Set(bugs.map(({ kind }) => kind))];
  const ruled = (name: 'plainly' | 'arguably') => bugs.filter(({ bug }) => bug.ruledOut === name);
  return [
    byHalf('all', bugs, caughtOf),
    ...kinds.map((name) =>
      byHalf(
        name,
        bugs.filter(({ kind }) => kind === name),
        caughtOf,
      ),
    ),
    byHalf('ruled out plainly', ruled('plainly'), caughtOf),
    byHalf('a reader may argue', ruled('arguably'), caughtOf),
    byHalf('another requirement is failed, too', bugs, wronglyBlamed),
  ];
}

export const figuresOf = (rows: ReportedRows): readonly string[] => [
  ...bugTable(rows).map(([name, measured, open]) => `${name}: measured half ${measured}; open half ${open}`),
  `conformant behaviours that are failed: measured half ${failedOf(ofHalf(rows.behaviours, 'measured'))}; ` +
    `open half ${failedOf(ofHalf(rows.behaviours, 'open'))}`,
];

const link = (source: string): string => {
  const [repository = '', number = ''] = source.split('#');
  return `[${source}](https://github.com/${repository}/issues/${number})`;
};

/** The page of what users reported of real products. */
export function renderReported(rows: ReportedRows): string {
  const missed = ofHalf(rows.bugs, 'open').filter(({ caught }) => !caught);
  const { behaviours } = rows;
  return [
    '# Reported bugs',
    '',
    'What users reported of real gateways and inference servers, each made again as a fault of the reference gateway, and',
    'how many of them a run with default options finds. A bug is found where at least one requirement that it breaks is',
    'failed. Intervals are of 95 %, by Wilson. Written by `npm run reported`; how to add reports stands in',
    '[CONTRIBUTING](../CONTRIBUTING.md#reported-bugs).',
    '',
    'Half of them, drawn by the hash of the source, is the measure: nobody works on what is missed there, so that its share',
    'says what to expect of bugs that nobody has thought of. What is missed of the open half is listed below.',
    '',
    table(['bugs found', 'measured half', 'open half'], bugTable(rows)),
    '',
    'Where another requirement is failed, too, the bug mostly has a consequence that its report does not name.',
    '',
    '## Conformant behaviours',
    '',
    `${behaviours.length} behaviours that users reported of real products and that the interface allows. Failed:`,
    '',
    table(
      ['measured half', 'open half'],
      [[failedOf(ofHalf(behaviours, 'measured')), failedOf(ofHalf(behaviours, 'open'))]],
    ),
    '',
    '## Every measurement',
    '',
    table(
      ['measured with', 'measured half', 'open half'],
      measurements.map(({ code, measured, open }) => [code, shareOf(...measured), shareOf(...open)]),
    ),
    '',
    '## What is missed of the open half',
    '',
    table(
      ['source', 'what was reported', 'breaks', 'the interface rules it out'],
      missed.map(({ bug }) => [
        link(bug.source),
        markdownText(bug.said),
        bug.breaks.map((id) => `\`${id}\``).join(', '),
        bug.ruledOut,
      ]),
    ),
    '',
  ].join('\n');
}
