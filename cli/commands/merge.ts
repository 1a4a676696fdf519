import { judgeRun } from '../../suites/judge/judge-run.ts';
import { createRedactor } from '../../suites/wire/redaction/redact.ts';
import type { ExitCode } from '../exit.ts';
import { certified, certifySettings, refuseForeign } from '../certificate/certify.ts';
import { failOnOf } from '../run/fail-on.ts';
import { finalReport, readRunInputs } from '../run/run-inputs.ts';
import type { RunOptions } from '../options/run-options.ts';
import { claimFolder } from '../files/folder.ts';
import { mergedRun, refuseShardFolder, writeEvidence } from '../run/merge.ts';
import { lockFolder } from '../files/run-lock.ts';
import { showCertification, showReport } from '../output/show-report.ts';
import { type CommonOptions, wantsColour } from '../output/terminal.ts';

type MergeCommandOptions = CommonOptions &
  Pick<RunOptions, 'failOn' | 'certify' | 'sign' | 'baseline' | 'pins' | 'history'> & {
    readonly out: string;
  };

/** `merge`: judges the shards of a run as the one run that they are. */
export function mergeCommand(dirs: readonly string[], options: MergeCommandOptions): ExitCode {
  const failOn = failOnOf(options);
  const certificate = certifySettings(options, options.out);
  const run = mergedRun(dirs);
  refuseShardFolder(options.out, dirs);
  const inputs = readRunInputs(options.out, { ...options, ...run.plan });
  const { header, target, plan, evidence, finishedAt, partial } = run;
  const judged = judgeRun(target, plan, evidence, { ...header, finishedAt, partial });
  const redactor = createRedactor([]);
  const folder = claimFolder(options.out);
  const dir = folder.path;
  if (certificate !== undefined) refuseForeign(folder);
  const unlock = lockFolder(dir);
  try {
    folder.clear();
    writeEvidence(dir, run);
    const final = finalReport(judged, inputs, { dir, redactor, failOn });
    // What is certified is all that DIR holds.
    unlock();
    const about = { dir, target: header.target, redactor };
    const { certification, exitCode } = certified(final, about, certificate);
    const colour = wantsColour(options);
    if (certification !== undefined) showCertification(certification, redactor);
    showReport(final.report, { colour, dir, outcome: final.outcome, redactor, failOn });
    return exitCode;
  } finally {
    unlock();
  }
}
