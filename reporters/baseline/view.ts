import { present } from '../../spec/present.ts';
import { count } from '../../spec/text.ts';
import type { Verdict } from '../../suites/types/report.ts';
import type { BaselineOutcome, FailingEntry, Failure } from './apply.ts';
import { entryLocation, entryText, requirementInCell } from './expected-failures.ts';

const failureLine = ({ requirement, cell, statement }: Failure): string =>
  `${requirementInCell(requirement, cell)}: ${statement}`;

const expectedLine = ({ entry }: FailingEntry): string =>
  `${requirementInCell(entry.requirement, entry.cell)}: ${entryText(entry)}`;

/** What a baseline makes of a run, by kind, unescaped; kinds without a line left out. */
export function entryGroups(outcome: BaselineOutcome) {
  const entry = entryLocation(outcome);
  const { newFailures, expired, stale, unmatched, expected, undecided, unexplained, unjudged } = outcome;
  const late = ({ entry: one }: FailingEntry): string => `${entry(one)}, expired after ${one.expires}`;
  const open = unjudged.map(({ id, statement }) => `${id}: ${statement}`);
  const all: readonly (readonly [tone: Verdict, title: string, lines: readonly string[]])[] = [
    ['fail', 'New: no entry expects it', newFailures.map(failureLine)],
    ['fail', 'Expired: still fails after its expiry date', expired.map(late)],
    ['fail', 'Stale: passes now, remove the entry', stale.map(entry)],
    ['fail', 'Unmatched: this full run judged nothing that it names', unmatched.map(entry)],
    ['inconclusive', 'Inconclusive, and not in the baseline', open],
    ['inconclusive', 'Without a reason: replace TODO', unexplained.map(entry)],
    ['observed', 'Expected', expected.map(expectedLine)],
    ['inconclusive', 'Not determined by this run', undecided.map(entry)],
  ];
  return all
    .filter(([, , lines]) => lines.length > 0)
    .map(([tone, title, lines]) => ({ tone, title, lines }));
}

/** How many requirements fail, as the verdict counts failures: in several cells one fails once. */
const failedIn = (failures: readonly Failure[]): number =>
  new Set(failures.map(({ requirement }) => requirement)).size;

/** What the baseline makes of the run, in one sentence. */
export function baselineHeadline(outcome: BaselineOutcome): string {
  const { file, newFailures, expired, stale, unmatched, expected, unjudged, ok } = outcome;
  const known = failedIn(expected.flatMap(({ failures }) => failures));
  const open = unjudged.length > 0 && `${count(unjudged.length, 'requirement')} could not be judged.`;
  if (ok && known === 0)
    return present([`Nothing failed, and no entry of ${file} is stale.`, open]).join(' ');
  if (ok)
    return `Every failure is expected by ${file}: ${count(known, 'failure')}. ${open || 'Nothing is new.'}`;
  const entries = (kind: string, { length }: readonly unknown[]) =>
    length > 0 && count(length, `${kind} entry`, `${kind} entries`);
  const problems = present([
    newFailures.length > 0 && count(failedIn(newFailures), 'new failure'),
    ...[entries('expired', expired), entries('stale', stale), entries('unmatched', unmatched)],
  ]);
  return `Against ${file}: ${problems.join(', ')}; ${count(known, 'failure')} expected.`;
}
