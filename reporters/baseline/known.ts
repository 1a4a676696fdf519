import type { BaselineEntry } from '../../fixtures/baseline/baseline.ts';
import { cellWords } from '../../fixtures/baseline/cell.ts';
import type { Report } from '../../suites/model/report.ts';
import type { BaselineOutcome, Covered } from './apply.ts';

/** Failures that a baseline expects, each with why: the words of its entries. */
export interface Known {
  /** Requirements whose every failure is expected. */
  readonly requirements: ReadonlyMap<string, string>;
  /** Cases whose every failure is expected. */
  readonly cases: ReadonlyMap<string, string>;
  /** Entries that are errors themselves: what they expect passes now, or was not judged. */
  readonly amiss: readonly Amiss[];
}

export interface Amiss {
  readonly requirement: string;
  /** Which entry, with its file and line. */
  readonly entry: string;
  readonly message: string;
}

/** What is known without a baseline. */
export const nothingKnown: Known = { requirements: new Map(), cases: new Map(), amiss: [] };

/** Reason, owner and last day of an entry; unescaped. */
export const entryWords = ({ reason, owner, expires }: BaselineEntry): string =>
  `${reason}${owner === undefined ? '' : ` (${owner})`}, until ${expires}`;

/** A requirement, and the cell where there is one. */
export const place = (requirement: string, cell: BaselineEntry['cell']): string =>
  cell === undefined ? requirement : `${requirement} in ${cellWords(cell)}`;

/** Which entry, with its file and line. */
export const entryLine =
  ({ file }: BaselineOutcome) =>
  ({ requirement, cell, line }: BaselineEntry): string =>
    `${place(requirement, cell)} (${file}:${line})`;

const why = (covered: readonly Covered[]): string =>
  [
    ...new Set(
      covered.map(({ entry }) =>
        entry.cell === undefined ? entryWords(entry) : `in ${cellWords(entry.cell)}: ${entryWords(entry)}`,
      ),
    ),
  ].join('; ');

function knownCases(report: Report, { expected, expired }: BaselineOutcome): Map<string, string> {
  const covers = (requirement: string, id: string) => (one: Covered) =>
    one.failures.some((failure) => failure.requirement === requirement && failure.cases.includes(id));
  const cases = new Map<string, string>();
  for (const { id, verdict, findings } of report.cases) {
    const failed = findings.filter((finding) => finding.verdict === 'fail');
    if (verdict !== 'fail' || failed.length === 0) continue;
    const entries = failed.map(({ requirement }) => ({
      own: expected.filter(covers(requirement, id)),
      over: expired.some(covers(requirement, id)),
    }));
    if (entries.every(({ own, over }) => own.length > 0 && !over))
      cases.set(id, why(entries.flatMap(({ own }) => own)));
  }
  return cases;
}

function amissIn(outcome: BaselineOutcome): readonly Amiss[] {
  const entry = entryLine(outcome);
  const told = (entries: readonly BaselineEntry[], message: string): readonly Amiss[] =>
    entries.map((one) => ({ requirement: one.requirement, entry: entry(one), message }));
  return [
    ...told(outcome.stale, 'stale: it passes now, take the entry out'),
    ...told(outcome.unmatched, 'unmatched: nothing of it was judged in this full run'),
  ];
}

/** What a baseline expects of a report: nothing that is new or expired beside it. Pure. */
export function knownFailures(report: Report, outcome: BaselineOutcome | undefined): Known {
  if (outcome === undefined) return nothingKnown;
  const { fresh, expired, expected } = outcome;
  const open = new Set(
    [...fresh, ...expired.flatMap(({ failures }) => failures)].map(({ requirement }) => requirement),
  );
  const ids = [...new Set(expected.map(({ entry }) => entry.requirement))].filter((id) => !open.has(id));
  const own = (id: string) => expected.filter(({ entry }) => entry.requirement === id);
  return {
    requirements: new Map(ids.map((id) => [id, why(own(id))])),
    cases: knownCases(report, outcome),
    amiss: amissIn(outcome),
  };
}
