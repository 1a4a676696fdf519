import type { Baseline, BaselineEntry } from '../../fixtures/baseline/baseline.ts';
import { cellName } from '../../fixtures/baseline/cell.ts';
import { given } from '../../spec/present.ts';
import type { Cell } from '../../spec/vocabulary.ts';
import { canFail, isGating } from '../../suites/types/gating.ts';
import type { Report, ReportCase, ReportRequirement } from '../../suites/types/report.ts';
import { byId, type Unchanged } from '../report-queries.ts';
import { isWholeRun, selectedAxes } from '../scope-limits.ts';
import { asksAllThatCanFail } from '../../suites/types/profile.ts';

/** What stands in place of a reason until somebody gives one. */
const placeholder = 'TODO';

/** The reason of a new entry, to be replaced. */
export const reasonPlaceholder = `${placeholder}: say why`;

/** The same for a requirement that could not be judged, mostly because of a failure. */
export const unjudgedPlaceholder = `${placeholder}: could not be judged; say why`;

export interface Failure {
  readonly requirement: string;
  readonly statement: string;
  readonly cell?: Cell;
  readonly cases: readonly string[];
}

export interface FailingEntry {
  readonly entry: BaselineEntry;
  readonly failures: readonly Failure[];
}

const nameOf = (cell: Cell | undefined): string => (cell === undefined ? '' : cellName(cell));

function failuresOf(
  { id, statement, cases }: ReportRequirement,
  known: ReadonlyMap<string, ReportCase>,
): readonly Failure[] {
  const failing = cases
    .flatMap((name) => known.get(name) ?? [])
    .filter((one) =>
      one.findings.some(({ requirement, verdict }) => requirement === id && verdict === 'fail'),
    );
  if (failing.length === 0) return [{ requirement: id, statement, cases: [] }];
  const cells = new Map(failing.map(({ cell }) => [nameOf(cell), cell]));
  return [...cells].map(([name, cell]) => {
    const own = failing.filter((outcome) => nameOf(outcome.cell) === name);
    return given({ requirement: id, statement, cell, cases: own.map((outcome) => outcome.id) });
  });
}

const covers = ({ requirement, cell }: BaselineEntry, failure: Failure): boolean =>
  requirement === failure.requirement && (cell === undefined || nameOf(cell) === nameOf(failure.cell));

type EntryState = 'stale' | 'unmatched' | 'undecided';

function entryState(
  { requirement, cell }: BaselineEntry,
  report: Report,
  known: ReadonlyMap<string, ReportCase>,
): EntryState {
  const absent: EntryState = isWholeRun(report) ? 'unmatched' : 'undecided';
  const row = report.requirements.find(({ id }) => id === requirement);
  if (row === undefined || !canFail(row) || row.verdict === 'untested') return absent;
  if (cell === undefined) {
    // What was left out may fail still: families, groups, all but the gist of a profile.
    const isWholeMatrix = !selectedAxes(report).some(([axis]) => axis === 'families' || axis === 'groups');
    const isStale = row.verdict === 'pass' && isWholeMatrix && asksAllThatCanFail(report.scope);
    return isStale ? 'stale' : 'undecided';
  }
  const own = row.cases
    .flatMap((id) => known.get(id) ?? [])
    .filter((one) => nameOf(one.cell) === nameOf(cell));
  if (own.length === 0) return absent;
  return own.every(({ passed }) => passed.includes(requirement)) ? 'stale' : 'undecided';
}

/** Holds a report against its baseline. Pure. `today`: as `YYYY-MM-DD`; an entry holds on the day it expires. */
export function applyBaseline(report: Report, baseline: Baseline, today: string) {
  const known = byId(report.cases);
  const failures = report.requirements
    .filter((row) => canFail(row) && row.verdict === 'fail')
    .flatMap((row) => failuresOf(row, known));
  const { entries } = baseline;
  const covered = entries.flatMap((entry): FailingEntry[] => {
    const own = failures.filter((failure) => covers(entry, failure));
    return own.length === 0 ? [] : [{ entry, failures: own }];
  });
  const isExpired = ({ entry }: FailingEntry) => entry.expires < today;
  const entriesWithoutFailure = entries.filter((entry) => !covered.some((one) => one.entry === entry));
  const states = new Map(entriesWithoutFailure.map((entry) => [entry, entryState(entry, report, known)]));
  const of = (wanted: EntryState) => entriesWithoutFailure.filter((entry) => states.get(entry) === wanted);
  const newFailures = failures.filter((failure) => !entries.some((entry) => covers(entry, failure)));
  // What depends on an expected failure can't be judged either: an entry of its own acknowledges that.
  const acknowledged = new Set(
    entriesWithoutFailure.flatMap(({ requirement, cell, expires }) =>
      cell || expires < today ? [] : [requirement],
    ),
  );
  const [expired, stale, unmatched] = [covered.filter(isExpired), of('stale'), of('unmatched')];
  return {
    file: baseline.file,
    newFailures,
    expected: covered.filter((one) => !isExpired(one)),
    stale,
    expired,
    /** Entries that a full run judged nothing of. */
    unmatched,
    /** Entries of which this run can't say whether they still fail. */
    undecided: of('undecided'),
    /** Entries that nobody has given a reason yet. */
    unexplained: entries.filter(({ reason }) => reason.trim().startsWith(placeholder)),
    /** Requirements that could not be judged, and that no entry in force names. */
    unjudged: report.requirements.filter((row) => isGating(row) && !acknowledged.has(row.id)),
    /** True where nothing is new, stale, expired or unmatched. */
    ok: newFailures.length + expired.length + stale.length + unmatched.length === 0,
  };
}
export type BaselineOutcome = Unchanged<ReturnType<typeof applyBaseline>>;

/** Days that a new entry holds. */
export const daysAhead = 90;

/** The day so many days after another, as `YYYY-MM-DD`. */
export const dayAfter = (today: string, days: number): string =>
  new Date(Date.parse(`${today}T00:00:00Z`) + days * 86_400_000).toISOString().slice(0, 10);

/** As narrow as the failures are: by cell, where the same requirement is kept or expected in another. */
function entriesFor(failures: readonly Failure[], isSplit: boolean, expires: string) {
  const rest = { reason: reasonPlaceholder, expires };
  const byCell = isSplit && failures.every(({ cell }) => cell !== undefined);
  if (!byCell) return failures.slice(0, 1).map(({ requirement }) => ({ requirement, ...rest }));
  return failures.map(({ requirement, cell }) => given({ requirement, cell, ...rest }));
}

/** What brings a baseline up to a report: stale entries go, failures and undecided come; all else stays, dates included. */
export function planUpdate(report: Report, baseline: Baseline, outcome: BaselineOutcome, today: string) {
  const { newFailures, stale, unmatched, expected, expired, unjudged } = outcome;
  const expires = dayAfter(today, daysAhead);
  const ids = [...new Set(newFailures.map(({ requirement }) => requirement))];
  const add = ids.flatMap((id) => {
    const own = newFailures.filter(({ requirement }) => requirement === id);
    const hasOtherEntry = [...expected, ...expired].some(({ entry }) => entry.requirement === id);
    const isSplit = hasOtherEntry || report.cases.some(({ passed }) => passed.includes(id));
    return entriesFor(own, isSplit, expires);
  });

  const unjudgedEntries = (report.run.partial ? [] : unjudged).map(({ id }) => ({
    requirement: id,
    reason: unjudgedPlaceholder,
    expires,
  }));
  const obsolete = [...stale, ...unmatched];
  const drop = baseline.entries.flatMap((entry, at) => (obsolete.includes(entry) ? [at] : []));
  return { drop, add: [...add, ...unjudgedEntries] };
}
