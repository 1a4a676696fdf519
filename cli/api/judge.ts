import { existsSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { mostReportBytes, readBytes } from '../../fixtures/files/bounded.ts';
import { UsageError } from '../../fixtures/target/errors.ts';
import { describedBetween, suiteName } from '../../reporters/certificate/differences.ts';
import { isSameSuite } from '../../reporters/report-queries.ts';
import { certificateFile } from '../../reporters/certificate/statement.ts';
import { firstLines } from '../../reporters/wording.ts';
import { present } from '../../spec/present.ts';
import { jsonText } from '../../spec/json.ts';
import { judgeRun } from '../../suites/judge/judge-run.ts';
import type { Report } from '../../suites/types/report.ts';
import { createRedactor } from '../../suites/wire/redaction/redact.ts';
import { validReport, writeReport } from '../files/artefacts.ts';
import type { ExitCode } from '../exit.ts';
import { exitCodeAgainst, failOnOf, uncountedText } from '../run/fail-on.ts';
import { evidenceIn } from '../files/evidence-file.ts';
import { claimFolder } from '../files/folder.ts';
import { isRepeated } from '../files/repeated-folder.ts';
import { lockFolder } from '../files/run-lock.ts';
import { readPins } from '../files/pins-file.ts';
import { runAskedAgain, writeEvidence } from '../run/merge.ts';
import { compareWithEvidence, readReportFile, rejudge, rejudgeRuns } from '../run/rejudge.ts';
import { withPins } from '../files/render-context.ts';
import { checkedOptions, judgeChecks, type JudgeOptions } from '../options/run-options.ts';

/** What came of judging again. */
export interface JudgeResult {
  readonly report: Report;
  readonly exitCode: ExitCode;
  /** Each a line: another suite recorded it, report.json differs from it, failures that do not count; unescaped. */
  readonly notes: readonly string[];
  /** The folder that was written to. */
  readonly dir?: string;
}

/** Differences that are printed. */
const mostDifferences = 20;

/** How the report.json of a folder differs from its evidence, in lines; none where there is no report. */
function comparedWithStored(dir: string, derived: Report): readonly string[] {
  const file = join(dir, 'report.json');
  if (!existsSync(file)) return [];
  let stored: Report;
  try {
    // The usual case: to read it as JSON that others wrote, and check it, takes longer than to compare the bytes.
    if (readBytes(file, mostReportBytes).equals(Buffer.from(jsonText(derived)))) return [];
    stored = readReportFile(file).report;
  } catch (error) {
    if (error instanceof UsageError) return [`report.json was not compared: ${error.message}`];
    throw error;
  }
  const { sameSuite, differences } = compareWithEvidence(stored, derived);
  if (differences.length === 0) return sameSuite ? [] : ['The verdicts in report.json are the same.'];
  const cause = sameSuite
    ? 'although the same suite wrote it: one of them was changed'
    : `because the suite changed: ${suiteName(stored.suite)} judged then, this version is ${suiteName(derived.suite)}`;
  const lines = differences.map(describedBetween('the report', 'the evidence'));
  const shown = firstLines(lines, mostDifferences).map((line) => `  ${line}`);
  return [`report.json differs from the evidence, ${cause}`, ...shown];
}

/** Judges an evidence.jsonl, that of a DIR, or the runs of a DIR that holds several; `joined` is written with the report. */
function derivedFrom(path: string, again: string | undefined) {
  const isFolder = existsSync(path) && statSync(path).isDirectory();
  if (again !== undefined) {
    const joined = runAskedAgain(isFolder ? evidenceIn(path) : path, again);
    const { target, plan, evidence, header, ...ends } = joined;
    const report = judgeRun(target, plan, evidence, { ...header, ...ends });
    return { dir: path, report, recordedBy: header.suite, joined };
  }
  if (isFolder && isRepeated(path)) return { dir: path, ...rejudgeRuns(path) };
  const file = isFolder ? evidenceIn(path) : path;
  const { report, run } = rejudge(file);
  return { dir: dirname(file), report, recordedBy: run.header.suite };
}

/**
 * Judges recorded evidence again, without a network.
 * @param path of an evidence.jsonl, or of the DIR that holds it or the runs of `repeat`
 * @throws UsageError where it is no evidence, or a file can't be read or written
 */
export function judge(path: string, options: JudgeOptions = {}): JudgeResult {
  const { out, pins, again, ...gate } = checkedOptions(options, judgeChecks);
  const failOn = failOnOf(gate);
  const context = pins === undefined ? {} : { pins: readPins(pins) };
  const derived = derivedFrom(path, again);
  const report = validReport(withPins(derived.report, context));
  const [then, now] = [derived.recordedBy, report.suite];
  const notes = present([
    !isSameSuite(then, now) && `Recorded by the suite ${suiteName(then)}, judged here by ${suiteName(now)}.`,
    ...(derived.joined === undefined ? comparedWithStored(derived.dir, report) : []),
    uncountedText(report, failOn),
  ]);
  const exitCode = exitCodeAgainst(report, undefined, failOn);
  if (out === undefined) return { report, exitCode, notes };
  if (existsSync(join(out, certificateFile))) {
    throw new UsageError(
      `--out ${out}: writing the reports would invalidate the ${certificateFile} there; name another folder`,
    );
  }
  const { path: dir, clear } = claimFolder(out);
  const unlock = derived.joined === undefined ? undefined : lockFolder(dir);
  try {
    if (derived.joined !== undefined) {
      clear();
      writeEvidence(dir, derived.joined);
    }
    // The secrets are gone since the evidence was written.
    writeReport(dir, report, createRedactor([]), context);
  } finally {
    unlock?.();
  }
  return { report, exitCode, notes, dir };
}
