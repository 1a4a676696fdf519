import type { BaselineEntry } from '../../fixtures/baseline/baseline.ts';
import type { Report } from '../../suites/types/report.ts';
import { sampleReport } from '../sample.fixture.ts';
import { applyBaseline, type BaselineOutcome } from './apply.ts';
import { type ExpectedFailures, expectedFailures } from './expected-failures.ts';

/** An entry that holds on the day of these tests. */
export const entry = (requirement: string): BaselineEntry => ({
  requirement,
  reason: 'ticket 12',
  owner: 'Kim',
  expires: '2027-03-31',
  line: 2,
});

/** The sample report compared with these entries. */
export const outcomeWith = (...entries: readonly BaselineEntry[]): BaselineOutcome =>
  applyBaseline(sampleReport(), { file: 'b.yaml', entries }, '2026-11-21');

/** What these entries expect of a report with the failures of the sample. */
export const expectedIn = (report: Report, ...entries: readonly BaselineEntry[]): ExpectedFailures =>
  expectedFailures(report, applyBaseline(report, { file: 'b.yaml', entries }, '2026-11-21'));

/** Every failure of the sample, expected. */
export const allEntries = (): readonly BaselineEntry[] =>
  sampleReport()
    .requirements.filter(({ verdict }) => verdict === 'fail')
    .map(({ id }) => entry(id));
