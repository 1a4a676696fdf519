import { judgeRun } from '../../suites/judge/judge-run.ts';
import { createRedactor } from '../../suites/wire/redaction/redact.ts';
import type { ExitCode } from '../exit.ts';
import { type FailOnOptions, failOnOf } from '../run/fail-on.ts';
import { finalReport } from '../run/final-report.ts';
import { claimFolder } from '../files/folder.ts';
import { mergedRun, refuseShardFolder, writeEvidence } from '../run/merge.ts';
import { readRunInputs, type RunFiles } from '../run/run-inputs.ts';
import { lockFolder } from '../files/run-lock.ts';
import { showReport } from '../output/show-report.ts';
import { type CommonOptions, wantsColour } from '../output/terminal.ts';

export interface MergeCommandOptions extends CommonOptions, FailOnOptions, RunFiles {
  readonly out: string;
}

/** `merge`: judges the shards of a run as the one run that they are. */
export function mergeCommand(dirs: readonly string[], options: MergeCommandOptions): ExitCode {
  const failOn = failOnOf(options);
  const run = mergedRun(dirs);
  refuseShardFolder(options.out, dirs);
  const inputs = readRunInputs(options.out, options);
  const { header, target, plan, evidence, finishedAt, partial } = run;
  const judged = judgeRun(target, plan, evidence, { ...header, finishedAt, partial });
  const redactor = createRedactor([]);
  const { path: dir, clear } = claimFolder(options.out);
  const unlock = lockFolder(dir);
  try {
    clear();
    writeEvidence(dir, run);
    const { report, outcome, exitCode } = finalReport(judged, inputs, { dir, redactor, failOn });
    const colour = wantsColour(options, process.stdout);
    showReport(report, { colour, dir, outcome, redactor, failOn });
    return exitCode;
  } finally {
    unlock();
  }
}
