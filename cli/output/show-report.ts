import { join } from 'node:path';
import type { BaselineOutcome } from '../../reporters/baseline/apply.ts';
import { renderSummary, type SummaryOptions } from '../../reporters/run/render.ts';
import type { Impact } from '../../spec/vocabulary.ts';
import type { Report } from '../../suites/types/report.ts';
import type { Redactor } from '../../suites/wire/redaction/redact.ts';
import { uncountedText } from '../run/fail-on.ts';
import { reportToGitHub } from './github.ts';
import { print, printError } from './terminal.ts';

/** What the summary of a report is made with. */
interface Shown extends Pick<SummaryOptions, 'colour' | 'placeOf'> {
  /** Where the report was written; absent where it was not. */
  readonly dir?: string | undefined;
  readonly outcome?: BaselineOutcome | undefined;
}

/** The summary of a report, as wide as the terminal; it holds text of the target, escaped. */
export function summaryText(report: Report, { dir, outcome, ...options }: Shown): string {
  const { columns } = process.stdout;
  return renderSummary(report, {
    ...options,
    ...(columns === undefined ? {} : { width: columns }),
    ...(outcome === undefined ? {} : { outcome }),
    ...(dir === undefined
      ? {}
      : { files: { html: join(dir, 'report.html'), json: join(dir, 'report.json') } }),
  });
}

/** Shows what came of a run: failures that do not count to stderr, the summary to stdout, and both to GitHub. */
export function showReport(
  report: Report,
  shown: Shown & { readonly dir: string; readonly redactor: Redactor; readonly failOn: readonly Impact[] },
): void {
  const { failOn, redactor, ...options } = shown;
  const uncounted = uncountedText(report, failOn);
  if (uncounted !== undefined) printError(uncounted);
  reportToGitHub(shown.dir, report, shown.outcome, redactor);
  print(redactor.text(summaryText(report, options)));
}
