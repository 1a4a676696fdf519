import { appendFileSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { renderAnnotations } from '../../reporters/annotations.ts';
import type { BaselineOutcome } from '../../reporters/baseline/apply.ts';
import { renderSummary, type SummaryOptions } from '../../reporters/run/document.ts';
import type { Report } from '../../suites/types/report.ts';
import type { Redactor } from '../../suites/wire/redaction/redact.ts';
import { terminalBlock } from '../../reporters/escape.ts';
import { type Certification, describeCertification } from '../certificate/certify.ts';
import { type FailOn, uncountedText } from '../run/fail-on.ts';
import { print, printError } from './terminal.ts';

interface Shown extends Pick<SummaryOptions, 'colour' | 'placeOf' | 'outcome'> {
  /** Where the report was written; absent where it was not. */
  readonly dir?: string | undefined;
}

/** The summary of a report, as wide as the terminal; it holds text of the target, escaped. */
export function summaryText(report: Report, { dir, ...options }: Shown): string {
  const files = dir === undefined ? dir : { html: join(dir, 'report.html'), json: join(dir, 'report.json') };
  return renderSummary(report, { ...options, width: process.stdout.columns, files });
}

/** Where a job of GitHub looks: annotations on stdout, report.md behind the summary. A failure to write changes no verdict. */
function reportToGitHub(
  dir: string,
  report: Report,
  outcome: BaselineOutcome | undefined,
  redactor: Redactor,
): void {
  const { GITHUB_ACTIONS, GITHUB_STEP_SUMMARY } = process.env;
  const annotations = GITHUB_ACTIONS === 'true' ? renderAnnotations(report, outcome) : '';
  if (annotations !== '') print(redactor.text(annotations));
  if (!GITHUB_STEP_SUMMARY) return;
  try {
    appendFileSync(GITHUB_STEP_SUMMARY, `${readFileSync(join(dir, 'report.md'), 'utf8')}\n`);
  } catch (error) {
    printError(`GITHUB_STEP_SUMMARY: can't be written (${(error as NodeJS.ErrnoException).code})`);
  }
}

/** Shows what came of a run: failures that do not count to stderr, the summary to stdout, and both to GitHub. */
export function showReport(
  report: Report,
  shown: Shown & { readonly dir: string; readonly redactor: Redactor; readonly failOn: FailOn },
): void {
  const { failOn, redactor, ...options } = shown;
  const uncounted = uncountedText(report, failOn);
  if (uncounted !== undefined) printError(uncounted);
  reportToGitHub(shown.dir, report, shown.outcome, redactor);
  print(redactor.text(summaryText(report, options)));
}

/** Tells what came of the certificate that was asked for: the certificate to stdout, why there is none to stderr. */
export function showCertification(certification: Certification, redactor: Redactor): void {
  const said = redactor.text(describeCertification(certification));
  if (certification.kind === 'certified') print(terminalBlock(said));
  else printError(said);
}
