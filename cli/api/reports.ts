import { UsageError } from '../../fixtures/target/errors.ts';
import { compareReports, type Comparison } from '../../reporters/compare/compare.ts';
import { diffReports } from '../../reporters/diff/diff.ts';
import type { Unchanged } from '../../reporters/report-queries.ts';
import { validateReport } from '../../reporters/schema/validate.ts';
import type { Report } from '../../suites/types/report.ts';
import { exitCodes } from '../exit.ts';
import { reportAt } from '../files/report-file.ts';

/** A report: the path of a report.json, or of the DIR that holds it; or the report itself. */
export type ReportSource = string | Report;

function reportOf(source: ReportSource): Report {
  if (typeof source === 'string') return reportAt(source);
  const [complaint] = validateReport(source);
  if (complaint !== undefined) throw new UsageError(`the report that was given is none (${complaint})`);
  return source;
}

/**
 * What changed from one report to another: verdicts, and what the interface leaves open.
 * @throws UsageError where one of them can't be read
 */
export function diff(before: ReportSource, after: ReportSource) {
  const changes = diffReports(reportOf(before), reportOf(after));
  return {
    diff: changes,
    /** 1 on a regression. */
    exitCode: changes.regressed ? exitCodes.nonConformant : exitCodes.conformant,
  };
}
export type DiffResult = Unchanged<ReturnType<typeof diff>>;

/**
 * Reports side by side: requirements and observations, differences first.
 * @throws UsageError where there are fewer than two, or one can't be read
 */
export function compare(reports: readonly ReportSource[]): Comparison {
  if (reports.length < 2) throw new UsageError('only one report is named; name two or more');
  return compareReports(reports.map(reportOf));
}
