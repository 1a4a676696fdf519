import type { BaselineOutcome } from '../../reporters/baseline/apply.ts';
import type { Report } from '../../suites/types/report.ts';
import type { Redactor } from '../../suites/wire/redaction/redact.ts';
import { cleanReport, writeReport } from '../files/artefacts.ts';
import type { ExitCode } from '../exit.ts';
import { exitCodeAgainst, type FailOn } from './fail-on.ts';
import { outcomeOf, withPins } from '../files/render-context.ts';
import { appendToHistory, renderContextOf, type RunInputs } from './run-inputs.ts';

export interface FinalReport {
  /** With its pins, without tokens. */
  readonly report: Report;
  /** The report against its baseline; undefined without one. */
  readonly outcome: BaselineOutcome | undefined;
  readonly exitCode: ExitCode;
}

/**
 * Compares a judged report with baseline and pins, writes it where there is a DIR, and appends the run to its history.
 * @throws UsageError where a file can't be written, Error where the report is not valid
 */
export function finalReport(
  judged: Report,
  inputs: RunInputs,
  to: { readonly dir: string | undefined; readonly redactor: Redactor; readonly failOn: FailOn },
): FinalReport {
  const context = renderContextOf(judged, inputs);
  const report = cleanReport(withPins(judged, context), to.redactor);
  if (to.dir !== undefined) writeReport(to.dir, report, to.redactor, context);
  appendToHistory(report, inputs, to.redactor.text);
  const outcome = outcomeOf(report, context);
  return { report, outcome, exitCode: exitCodeAgainst(report, outcome, to.failOn) };
}
