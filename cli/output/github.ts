import { appendFileSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { renderAnnotations } from '../../reporters/annotations.ts';
import type { BaselineOutcome } from '../../reporters/baseline/apply.ts';
import type { Report } from '../../suites/types/report.ts';
import type { Redactor } from '../../suites/wire/redaction/redact.ts';
import { print, printError } from './terminal.ts';

/**
 * Where a job of GitHub looks: annotations on stdout, and report.md behind the summary of the step.
 * A summary that can't be written is reported, and changes no verdict.
 */
export function reportToGitHub(
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
