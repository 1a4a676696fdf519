import type { Baseline, BaselineEntry } from '../../fixtures/baseline/baseline.ts';
import type { Edit } from '../../fixtures/baseline/edit.ts';
import type { Report } from '../../suites/types/report.ts';
import { type BaselineOutcome, type Failure, reasonPlaceholder, unjudgedPlaceholder } from './apply.ts';

/** Days that a new entry holds. */
export const daysAhead = 90;

/** The day so many days after another, as `YYYY-MM-DD`. */
export const dayAfter = (today: string, days: number): string =>
  new Date(Date.parse(`${today}T00:00:00Z`) + days * 86_400_000).toISOString().slice(0, 10);

/** As narrow as the failures are: by cell, where the same requirement is kept or expected in another. */
function entriesFor(
  failures: readonly Failure[],
  isSplit: boolean,
  expires: string,
): Omit<BaselineEntry, 'line'>[] {
  const rest = { reason: reasonPlaceholder, expires };
  const byCell = isSplit && failures.every(({ cell }) => cell !== undefined);
  if (!byCell) return failures.slice(0, 1).map(({ requirement }) => ({ requirement, ...rest }));
  return failures.map(({ requirement, cell }) => ({ requirement, ...(cell && { cell }), ...rest }));
}

/** What brings a baseline up to a report: stale entries go, failures and undecided come; all else stays, dates included. */
export function planUpdate(
  report: Report,
  baseline: Baseline,
  outcome: BaselineOutcome,
  today: string,
): Edit {
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
