import type { ReportCell, Verdict } from '../../suites/model/report.ts';
import { expectationWord, verdictSign, verdictWord } from '../wording.ts';
import type { Across, Comparison } from './compare.ts';

/** One square: its words, and whose colour it borrows. */
export interface Square {
  readonly text: string;
  readonly tone: Verdict | null;
}

export interface Line {
  readonly id: string;
  readonly section: string;
  readonly what: string;
  readonly squares: readonly Square[];
  readonly differs: boolean;
}

export interface Grid {
  readonly slug: string;
  readonly title: string;
  readonly differing: readonly Line[];
  readonly agreeing: readonly Line[];
}

const absent: Square = { text: '—', tone: null };

const verdictSquare = (verdict: Verdict): Square => ({
  text: `${verdictSign[verdict]} ${verdictWord[verdict].toLowerCase()}`,
  tone: verdict,
});

const plainSquare = (text: string): Square => ({ text, tone: null });

function cellSquare(observed: ReportCell['observed'], expectation: ReportCell['expectation']): Square {
  if (observed === 'not sent') return { text: observed, tone: 'untested' };
  if (observed === 'unknown') return { text: observed, tone: 'inconclusive' };
  if (expectation === 'conflict') return { text: observed, tone: 'conflict' };
  if (expectation === 'unspecified') return { text: observed, tone: 'observed' };
  return { text: observed, tone: observed === expectation ? 'pass' : 'fail' };
}

function lineOf<Value>(
  { id, section, what, values, differs }: Across<Value>,
  square: (value: Value) => Square,
): Line {
  return {
    id,
    section,
    what,
    differs,
    squares: values.map((value) => (value === null ? absent : square(value))),
  };
}

const grid = (slug: string, title: string, lines: readonly Line[]): Grid => ({
  slug,
  title,
  differing: lines.filter(({ differs }) => differs),
  agreeing: lines.filter(({ differs }) => !differs),
});

/** The comparison as grids of words, the same for every format; nothing in them is escaped yet. */
export const gridsOf = ({ requirements, observations, conflicts, cells }: Comparison): Grid[] => [
  grid(
    'requirements',
    'Requirements',
    requirements.map((row) => ({ ...lineOf(row, verdictSquare), what: `${row.what} (${row.level})` })),
  ),
  grid(
    'observations',
    'Where the interface is silent',
    observations.map((row) => lineOf(row, plainSquare)),
  ),
  grid(
    'conflicts',
    'Where the interface contradicts itself',
    conflicts.map((row) => lineOf(row, plainSquare)),
  ),
  grid(
    'cells',
    'Support matrix',
    cells.map((row) => ({
      ...lineOf(row, (value) => cellSquare(value, row.expectation)),
      what: `The interface says: ${expectationWord[row.expectation]}`,
    })),
  ),
];

/** What is said above the grids. */
export const remarks = ({ targets, sameSuite }: Comparison): string[] => [
  ...(sameSuite
    ? []
    : ['Not all were judged by the same suite: a difference may be one of the suite. Digests stand below.']),
  ...targets.filter(({ partial }) => partial).map(({ label }) => `The run of ${label} was stopped early.`),
];

/** How many rows of a grid differ, in words. */
export const tally = ({ differing, agreeing }: Grid): string =>
  `${differing.length} of ${differing.length + agreeing.length} differ`;
