import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { UsageError } from '../../fixtures/target/errors.ts';
import { isObject, jsonText } from '../../spec/json.ts';
import { jsonIn, mostReportBytes, readBytes, usualJson } from '../../fixtures/files/bounded.ts';
import {
  type Difference,
  differences,
  reportDifferences,
  verdictDifferences,
} from '../../reporters/certificate/differences.ts';
import { isSameSuite } from '../../reporters/report-queries.ts';
import { validateReport } from '../../reporters/schema/validate.ts';
import { judgeRun, reportVersion } from '../../suites/judge/judge-run.ts';
import { shorten, isExchange } from '../../suites/types/exchange.ts';
import type { Report, ReportExchange } from '../../suites/types/report.ts';
import { planRun } from '../../suites/plan/plan.ts';
import { planTraffic } from '../../suites/proxy/traffic-plan.ts';
import { type InspectLine, readEvidence, type RecordedRun } from '../files/read-evidence.ts';
import { createRepeats } from '../../suites/judge/repeated-runs/repeats.ts';
import { type EvidenceHeader, evidenceIn } from '../files/evidence-file.ts';
import { runFolder, runsIn } from '../files/repeated-folder.ts';
import { seedOf } from '../options/options.ts';

/** Judges evidence again, without a network. Throws UsageError where it is no evidence, or none that can be judged. */
export const rejudge = (file: string, inspect?: InspectLine) => rejudged(file, readEvidence(file, inspect));

/** Judges evidence that was read from a file again. Throws UsageError where it can't be judged. */
export function rejudged(file: string, run: RecordedRun) {
  const { header, target, evidence, finishedAt, partial, traffic } = run;
  try {
    const plan =
      header.source === undefined ? planRun(target, header) : planTraffic(target, evidence, header.extension);
    const meta = { ...header, finishedAt, partial, ...(traffic === undefined ? {} : { traffic }) };
    return { run, plan, report: judgeRun(target, plan, evidence, meta) };
  } catch (error) {
    throw new UsageError(`${file}: can't be judged (${(error as Error).message})`);
  }
}
export type Rejudged = ReturnType<typeof rejudge>;

/** The report.json of a DIR. Throws UsageError where it is not one. */
export const readReport = (dir: string) => readReportFile(join(dir, 'report.json'));

/** A report by the name of its file. Throws UsageError where it is not one. */
export function readReportFile(file: string) {
  const bytes = readBytes(file, mostReportBytes);
  const { value: report, text } = jsonIn(
    { file },
    bytes,
    usualJson,
    'it is no report of this suite, or it was changed',
  );
  const { schemaVersion } = (report ?? {}) as { schemaVersion?: unknown };
  if (typeof schemaVersion === 'number' && schemaVersion !== reportVersion) {
    throw new UsageError(
      `${file}: is a report of format ${schemaVersion}, and this suite reads format ${reportVersion}; use the version of the suite that wrote it, or run again`,
    );
  }
  const whole = withCauses(report);
  const [complaint] = validateReport(whole);
  if (complaint !== undefined) throw new UsageError(`${file}: is not a report (${complaint})`);
  return { report: whole as Report, text };
}

/** A report of version 0.1, which has none, reads as one that names no cause. */
const withCauses = (report: unknown): unknown =>
  isObject(report) && !('causes' in report) ? { ...report, causes: [] } : report;

/** What of a report stands in the evidence: every version of the suite sees it alike. */
const recordedPart = (
  { target, scope, run }: Report,
  counted: { readonly requests: number; readonly mostAtOnce: number | undefined },
  exchanges: readonly ReportExchange[],
): object => ({
  target,
  scope,
  run: {
    id: run.id,
    startedAt: run.startedAt,
    finishedAt: run.finishedAt,
    seed: run.seed,
    partial: run.partial,
    traffic: run.traffic,
    ...counted,
  },
  exchanges: [...exchanges].sort((one, other) => (one.id < other.id ? -1 : 1)),
});

/** In what a report says something else than its evidence of the target, the run and each exchange. */
export function recordedDifferences(stored: Report, { run, report }: Rejudged): readonly Difference[] {
  const { requests, mostAtOnce: most } = stored.run;
  const exchanges = [...run.evidence.values()].filter(isExchange).map(shorten);
  const sent = run.traffic?.passed ?? exchanges.reduce((sum, { attempts }) => sum + attempts.length, 0);
  return differences(
    recordedPart(stored, { requests, mostAtOnce: most }, stored.exchanges),
    recordedPart(
      report,
      // Reports of earlier versions do not tell how many were under way at once.
      { requests: sent, mostAtOnce: most === undefined ? most : report.run.mostAtOnce },
      exchanges,
    ),
  );
}

/** Pins, and what official clients met, are no part of the evidence. */
const fromEvidence = ({ pins: _, interop: _clients, ...report }: Report): Report => report;

/** Whether what follows of the evidence is written in both alike, to the byte. */
export const isWrittenAlike = (stored: Report, derived: Report): boolean =>
  jsonText(fromEvidence(stored)) === jsonText(fromEvidence(derived));

/** Compares all where the suites are the same, so that what differs was changed by hand, and else only verdicts. */
export function compareWithEvidence(stored: Report, derived: Report) {
  const sameSuite = isSameSuite(stored.suite, derived.suite);
  const compare = sameSuite ? reportDifferences : verdictDifferences;
  return { sameSuite, differences: compare(fromEvidence(stored), fromEvidence(derived)) };
}

/** What all runs of a DIR have in common. */
const common = ({ target, suite, selection, profile, skipCostly, explore, repeat }: EvidenceHeader) => ({
  target,
  suite,
  selection,
  profile,
  skipCostly,
  explore,
  of: repeat?.of,
});

/** Whether a run is the one of that number, of those that begin with a run. */
const isRun = ({ repeat, seed, again }: EvidenceHeader, run: number, first: EvidenceHeader): boolean =>
  repeat?.run === run && seed === seedOf(first.seed, run) && (run === 1 || again?.run === first.runId);

/** Judges the runs of `--repeat` in DIR again as one report. Throws UsageError where one is missing or does not fit. */
export function rejudgeRuns(
  dir: string,
  judged = (run: number): Rejudged => rejudge(evidenceIn(runFolder(dir, run))),
) {
  let first: EvidenceHeader | undefined;
  let repeats = createRepeats(0);
  for (const [at, run] of runsIn(dir).entries()) {
    const folder = runFolder(dir, run);
    if (run !== at + 1)
      throw new UsageError(
        `${runFolder(dir, at + 1)}: is missing, and ${folder} is there; judge that one by itself`,
      );
    const { run: recorded, report } = judged(run);
    const { header } = recorded;
    if (first === undefined) repeats = createRepeats(header.repeat?.of ?? 1);
    first ??= header;
    if (!isDeepStrictEqual(common(header), common(first)))
      throw new UsageError(
        `${folder}: is of another target, suite or selection than ${runFolder(dir, 1)}; judge it by itself`,
      );
    if (!isRun(header, run, first))
      throw new UsageError(`${folder}: is not run ${run} of those that begin with ${runFolder(dir, 1)}`);
    repeats.add(report);
  }
  if (first === undefined) throw new UsageError(`${dir}: holds no runs of --repeat`);
  return { report: repeats.merged(), recordedBy: first.suite, target: first.target };
}
