import { families, groups, type Impact } from '../spec/vocabulary.ts';
import type { Report, ReportCase, ReportConflict } from '../suites/types/report.ts';
import type { ReportRequirement, Verdict } from '../suites/types/report.ts';
import { type ExpectedFailures, noExpectedFailures } from './baseline/expected-failures.ts';
import { smallReport } from './small.fixture.ts';

/** The small report with nothing declared left out, and nothing in it. */
export const emptyReport = (): Report => ({
  ...smallReport(),
  scope: { ...smallReport().scope, families: [...families], groups: [...groups], rateLimited: true },
  requirements: [],
  cases: [],
  matrix: [],
  conflicts: [],
  observations: [],
});

/** A stated requirement that is kept, where `change` says nothing else. */
export const requirementRow = (id: string, change: Partial<ReportRequirement> = {}): ReportRequirement => ({
  id,
  sections: ['2.5'],
  level: 'stated',
  statement: 'It is so.',
  verdict: 'pass',
  cases: [],
  ...change,
});

/** One of an impact, named by that and its verdict. */
export const impactRow = (
  impact: Impact | undefined,
  verdict: Verdict,
  change: Partial<ReportRequirement> = {},
): ReportRequirement =>
  requirementRow(`${impact}.${verdict}`, { sections: ['4'], verdict, ...(impact && { impact }), ...change });

/** So many requirements, failed where `change` says nothing else. */
export const manyRequirements = (length: number, change: Partial<ReportRequirement>): ReportRequirement[] =>
  Array.from({ length }, (_, at) =>
    requirementRow(`r${at}`, { statement: `Statement ${at}.`, verdict: 'fail', ...change }),
  );

/** The empty report with a conflict that the target follows so. */
export const reportFollowing = (follows: ReportConflict['follows']): Report => ({
  ...emptyReport(),
  conflicts: smallReport().conflicts.map((row) => ({ ...row, follows })),
});

/** The small report with one case changed. */
export const withCase = (id: string, change: Partial<ReportCase>): Report => ({
  ...smallReport(),
  cases: smallReport().cases.map((one) => (one.id === id ? { ...one, ...change } : one)),
});

/** A baseline that expects the failure of the small report, and an inconclusive case of it. */
export const known: ExpectedFailures = {
  ...noExpectedFailures,
  requirements: new Map([['chat.result.usage.total-tokens', 'ticket 12']]),
  cases: new Map([
    ['plain', 'ticket 12'],
    ['hot', 'ticket 13'],
  ]),
};

/** The failing case of the small report, with an inconclusive finding too and no reproduce command. */
export function mixedFindings(): Report {
  const { cases } = smallReport();
  return {
    ...smallReport(),
    cases: cases.map(({ reproduce, ...one }) => {
      if (one.id !== 'plain') return reproduce === undefined ? one : { ...one, reproduce };
      const [found] = one.findings;
      if (found === undefined) throw new Error('the fixture has a finding');
      const open = { ...found, verdict: 'inconclusive', message: 'Left open.' } as const;
      return { ...one, findings: [open, found] };
    }),
  };
}
