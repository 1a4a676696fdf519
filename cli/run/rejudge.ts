import { join } from 'node:path';
import { UsageError } from '../../fixtures/target/errors.ts';
import {
  type Difference,
  reportDifferences,
  verdictDifferences,
} from '../../reporters/certificate/differences.ts';
import { isSameSuite } from '../../reporters/report-queries.ts';
import { validateReport } from '../../reporters/schema/validate.ts';
import { judgeRun, reportVersion } from '../../suites/judge/judge-run.ts';
import type { Plan } from '../../suites/types/plan.ts';
import type { Report } from '../../suites/types/report.ts';
import { planRun } from '../../suites/plan/plan-run.ts';
import { planTraffic } from '../../suites/proxy/traffic-plan.ts';
import { readBounded } from '../certificate/bundle.ts';
import { type RecordedRun, readEvidence } from '../files/evidence-file.ts';

/** Evidence, and the verdicts that this suite gives it. */
export interface Rejudged {
  readonly run: RecordedRun;
  readonly plan: Plan;
  readonly report: Report;
}

/**
 * Judges evidence again, without a network.
 * @throws UsageError where it is no evidence, or none that can be judged
 */
export function rejudge(file: string): Rejudged {
  const run = readEvidence(file);
  const { header, target, evidence, finishedAt, partial, traffic } = run;
  try {
    const plan = header.source === undefined ? planRun(target, header) : planTraffic(target, evidence);
    const meta = { ...header, finishedAt, partial, ...(traffic === undefined ? {} : { traffic }) };
    return { run, plan, report: judgeRun(target, plan, evidence, meta) };
  } catch (error) {
    throw new UsageError(`${file}: can't be judged (${(error as Error).message})`);
  }
}

/** A report, and the text that it was read from. */
export interface StoredReport {
  readonly report: Report;
  readonly text: string;
}

/**
 * The report.json of a DIR.
 * @throws UsageError where it is not one
 */
export const readReport = (dir: string): StoredReport => readReportFile(join(dir, 'report.json'));

/**
 * A report by the name of its file.
 * @throws UsageError where it is not one
 */
export function readReportFile(file: string): StoredReport {
  const text = readBounded(file);
  let report: unknown;
  try {
    report = JSON.parse(text);
  } catch {
    throw new UsageError(`${file}: is not JSON; it is no report of this suite, or it was changed`);
  }
  const { schemaVersion } = (report ?? {}) as { schemaVersion?: unknown };
  if (typeof schemaVersion === 'number' && schemaVersion !== reportVersion) {
    throw new UsageError(
      `${file}: is a report of format ${schemaVersion}, and this suite reads format ${reportVersion}; use the version of the suite that wrote it, or run again`,
    );
  }
  const [complaint] = validateReport(report);
  if (complaint !== undefined) throw new UsageError(`${file}: is not a report (${complaint})`);
  return { report: report as Report, text };
}

/** In what a report differs from its evidence judged again. */
export interface EvidenceComparison {
  /** The suite that wrote the report and this one judge alike: what differs was changed by hand. */
  readonly sameSuite: boolean;
  readonly differences: readonly Difference[];
}

/** Pins, and what official clients met, are no part of the evidence. */
const fromEvidence = ({ pins: _, interop: _clients, ...report }: Report): Report => report;

/** Compares all where the suites are the same, and only verdicts where they are not. */
export function compareWithEvidence(stored: Report, derived: Report): EvidenceComparison {
  const sameSuite = isSameSuite(stored.suite, derived.suite);
  const compare = sameSuite ? reportDifferences : verdictDifferences;
  return { sameSuite, differences: compare(fromEvidence(stored), fromEvidence(derived)) };
}
