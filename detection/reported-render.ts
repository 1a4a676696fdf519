import { type ReportSample, samples } from '../fixtures/faults/reported/index.ts';
import type { Half, ReportedBug, RuledOut } from '../fixtures/faults/reported/report.ts';
import { markdownText } from '../reporters/escape.ts';
import { table } from '../reporters/document/markdown.ts';
import { shareOf as shareWithInterval } from './measured.ts';
import type { BehaviourRow, BugRow, ReportedRows } from './reported.ts';

/** Bugs found and bugs tried. */
type Share = readonly [number, number];

interface Measurement {
  readonly code: string;
  readonly measured: Share;
  readonly open: Share;
}

/** Every measurement so far by the day on which the reports were collected, oldest first; one is added each time, and none is changed. */
const measurements: Readonly<Record<string, readonly Measurement[]>> = {
  '23 November 2026': [
    { code: 'the code of 23 November 2026, before any of it was tried', measured: [46, 81], open: [42, 76] },
    {
      code: 'the same day, with shapes of a conversation, clients, a long system prompt and defaults in rows',
      measured: [50, 81],
      open: [47, 76],
    },
    {
      code: '26 November 2026, with texts compared under a condition, and what came between',
      measured: [57, 81],
      open: [54, 76],
    },
    {
      code: '27 November 2026, with texts of other models of an endpoint, and missing answers behind what came before',
      measured: [56, 81],
      open: [55, 76],
    },
    {
      code: '28 November 2026, before any report of that day was tried',
      measured: [56, 81],
      open: [55, 76],
    },
    {
      code: '30 November 2026, with a stream without text told from one of another endpoint',
      measured: [56, 81],
      open: [55, 76],
    },
  ],
  '28 November 2026': [
    {
      code: '28 November 2026, before any report of that day was tried',
      measured: [21, 32],
      open: [27, 38],
    },
    {
      code: '30 November 2026, with a stream without text told from one of another endpoint',
      measured: [23, 32],
      open: [28, 38],
    },
  ],
  '30 November 2026': [
    {
      code: '30 November 2026, before any report of that day was tried',
      measured: [10, 23],
      open: [14, 27],
    },
    {
      code: '30 November 2026, with a stream without text told from one of another endpoint',
      measured: [10, 23],
      open: [15, 27],
    },
  ],
};

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

function bugTable({ bugs: kinds }: ReportSample, rows: readonly BugRow[]): readonly (readonly string[])[] {
  const rowsOf = (bugs: readonly ReportedBug[]) => rows.filter(({ bug }) => bugs.includes(bug));
  const all = rowsOf(Object.values(kinds).flat());
  const ruled = (name: RuledOut) => all.filter(({ bug }) => bug.ruledOut === name);
  return [
    byHalf('all', all, caughtOf),
    ...Object.entries(kinds).map(([name, bugs]) => byHalf(name, rowsOf(bugs), caughtOf)),
    byHalf('ruled out plainly', ruled('plainly'), caughtOf),
    byHalf('a reader may argue', ruled('arguably'), caughtOf),
    byHalf('another requirement is failed, too', all, wronglyBlamed),
  ];
}

export const figuresOf = ({ bugs, behaviours }: ReportedRows): readonly string[] => [
  ...samples.flatMap((sample) =>
    bugTable(sample, bugs).map(
      ([name, measured, open]) =>
        `reports of ${sample.collected}: ${name}: measured half ${measured}; open half ${open}`,
    ),
  ),
  `conformant behaviours that are failed: measured half ${failedOf(ofHalf(behaviours, 'measured'))}; ` +
    `open half ${failedOf(ofHalf(behaviours, 'open'))}`,
];

const link = (source: string): string => {
  const [repository = '', number = ''] = source.split('#');
  return `[${source}](https://github.com/${repository}/issues/${number})`;
};

const heads = ['bugs found', 'measured half', 'open half'];

/** How many bugs are found of each sample. */
const tables = (bugs: readonly BugRow[]): readonly string[] =>
  samples.flatMap((sample) => [
    `## Reports of ${sample.collected}`,
    '',
    table(heads, bugTable(sample, bugs)),
    '',
  ]);

const history = (): string =>
  table(
    ['measured with', 'reports of', 'measured half', 'open half'],
    Object.entries(measurements).flatMap(([collected, all]) =>
      all.map(({ code, measured, open }) => [code, collected, shareOf(...measured), shareOf(...open)]),
    ),
  );

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
    'says what to expect of bugs that nobody has thought of. What is missed of the open half is listed below. Reports are',
    'collected from time to time, and each collection was measured before the suite was changed for any of it: those rows of',
    '[every measurement](#every-measurement) say most. Where another requirement is failed, too, the bug mostly has a',
    'consequence that its report does not name.',
    '',
    ...tables(rows.bugs),
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
    history(),
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
