import { isGating } from '../../types/gating.ts';
import type { Report, ReportFinding, ReportRequirement, RequirementRuns } from '../../types/report.ts';

/** A run whose report is at hand, its exchanges by the ids that the report of all has. */
export interface NumberedReport {
  readonly run: number;
  readonly report: Report;
}

/** The most exchanges named for a requirement and a run in which it failed. */
const mostNamed = 6;

/** What was not asked any more because the run was stopped. */
export function stoppedRows({ causes }: Report): ReadonlySet<string> {
  return new Set(
    causes.filter(({ kind }) => kind === 'run-stopped').flatMap(({ requirements }) => requirements),
  );
}

/** How bad a row is, from 0; what a run did not come to is worse than nothing that another run saw. */
function rankOf(row: ReportRequirement, stopped: ReadonlySet<string>): number {
  if (row.verdict === 'fail') return 0;
  if (row.verdict === 'untested') return 5;
  if (row.verdict !== 'inconclusive') return 3;
  if (stopped.has(row.id)) return 4;
  return isGating(row) ? 1 : 2;
}

/** A requirement over the runs so far. */
export interface RequirementTally {
  /** As the worst run has it, of these the first. */
  readonly row: ReportRequirement;
  readonly rank: number;
  readonly cases: ReadonlySet<string>;
  readonly runs: RequirementRuns;
}

const nothing: RequirementRuns = { judged: 0, failed: 0, inconclusive: 0, failures: [] };

/** The exchanges that show why a requirement failed in a run. */
function shownBy({ id, cases }: ReportRequirement, { cases: outcomes }: Report): readonly string[] {
  const isFailure = ({ requirement, verdict }: ReportFinding): boolean =>
    requirement === id && verdict === 'fail';
  const own = outcomes.filter((outcome) => cases.includes(outcome.id) && outcome.findings.some(isFailure));
  const named = own.flatMap(({ findings }) =>
    findings.filter(isFailure).flatMap(({ exchange }) => exchange ?? []),
  );
  const all = named.length > 0 ? named : own.flatMap(({ exchanges }) => exchanges);
  return [...new Set(all)].slice(0, mostNamed);
}

/** The requirement with what one more run says of it. */
export function addRow(
  earlier: RequirementTally | undefined,
  row: ReportRequirement,
  { run, report }: NumberedReport,
  stopped: ReadonlySet<string>,
): RequirementTally {
  const rank = rankOf(row, stopped);
  const { judged, failed, inconclusive, failures } = earlier?.runs ?? nothing;
  const isFailed = rank === 0;
  const runs: RequirementRuns = {
    judged: judged + (rank <= 3 ? 1 : 0),
    failed: failed + (isFailed ? 1 : 0),
    inconclusive: inconclusive + (rank === 1 || rank === 2 ? 1 : 0),
    failures: isFailed
      ? [...failures, { run, seed: report.run.seed, exchanges: shownBy(row, report) }]
      : failures,
  };
  const cases = new Set([...(earlier?.cases ?? []), ...row.cases]);
  return earlier === undefined || rank < earlier.rank
    ? { row, rank, cases, runs }
    : { ...earlier, cases, runs };
}

export const mergedRow = ({ row, cases, runs }: RequirementTally): ReportRequirement => ({
  ...row,
  cases: [...cases],
  ...(runs.judged > 0 && (row.verdict === 'pass' || runs.failed + runs.inconclusive > 0) ? { runs } : {}),
});
