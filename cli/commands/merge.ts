import { join } from 'node:path';
import { renderBaselineText } from '../../reporters/baseline/view.ts';
import { renderSummary } from '../../reporters/terminal.ts';
import { judgeRun } from '../../suites/judge/report.ts';
import { createRedactor } from '../../suites/wire/redaction/redact.ts';
import { writeReport } from '../artefacts.ts';
import { evidenceIn, openEvidence } from '../evidence-file.ts';
import type { ExitCode } from '../exit.ts';
import { type FailOnOptions, failOnOf, uncountedText } from '../fail-on.ts';
import { claimFolder } from '../folder.ts';
import { reportToGitHub } from '../github.ts';
import { type MergedRun, mergedRun, refuseShardFolder } from '../merge.ts';
import {
  appendToHistory,
  exitCodeAgainst,
  outcomeOf,
  readRunInputs,
  renderContextOf,
  withPins,
} from '../render-context.ts';
import { lockFolder } from '../run-lock.ts';
import type { RunRequest } from '../run-settings.ts';
import { type CommonOptions, print, printError, summaryOptions, wantsColour } from '../terminal.ts';

export interface MergeCommandOptions
  extends CommonOptions,
    FailOnOptions,
    Pick<RunRequest, 'baseline' | 'pins' | 'history'> {
  readonly out: string;
}

/** Writes the evidence of the merged run. The secrets are gone since that of the shards was written. */
function writeEvidence(dir: string, { header, evidence, finishedAt, partial }: MergedRun): void {
  openEvidence(evidenceIn(dir), { header, earlier: evidence }, (line) => line).end(finishedAt, partial);
}

/** `merge`: judges the shards of a run as the one run that they are. */
export function mergeCommand(dirs: readonly string[], options: MergeCommandOptions): ExitCode {
  const failOn = failOnOf(options);
  const run = mergedRun(dirs);
  refuseShardFolder(options.out, dirs);
  const prepared = readRunInputs(options.out, options);
  const { target, plan, evidence, header, finishedAt, partial } = run;
  const judged = judgeRun(target, plan, evidence, { ...header, finishedAt, partial });
  const context = renderContextOf(judged, prepared);
  const report = withPins(judged, context);
  const outcome = outcomeOf(report, context);
  const redactor = createRedactor([]);
  const folder = claimFolder(options.out);
  const unlock = lockFolder(folder.path);
  try {
    folder.clear();
    writeEvidence(folder.path, run);
    writeReport(folder.path, report, redactor, context);
    appendToHistory(report, prepared, redactor.text);
  } finally {
    unlock();
  }
  const uncounted = uncountedText(report, failOn);
  if (uncounted !== undefined) printError(uncounted);
  reportToGitHub(folder.path, report, outcome, redactor);
  const files = { html: join(folder.path, 'report.html'), json: join(folder.path, 'report.json') };
  const colour = wantsColour(options, process.stdout);
  const baseline = outcome === undefined ? {} : { baseline: renderBaselineText(outcome, { colour }) };
  print(renderSummary(report, { ...summaryOptions({ colour }), ...baseline, files }));
  return exitCodeAgainst(report, outcome, failOn);
}
