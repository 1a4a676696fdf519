import { existsSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { renderSummary } from '../../reporters/terminal.ts';
import { judgeRun, planRun } from '../../suites/run/conduct.ts';
import { createRedactor } from '../../suites/wire/redact.ts';
import { writeReport } from '../artefacts.ts';
import { readEvidence } from '../evidence-file.ts';
import { type ExitCode, exitCodeOf } from '../exit.ts';
import { claimFolder } from '../folder.ts';
import { type CommonOptions, print, wantsColor } from '../terminal.ts';

export interface JudgeCommandOptions extends CommonOptions {
  readonly out?: string;
}

/** `judge`: judges recorded evidence again, without a network. */
export function judgeCommand(path: string, options: JudgeCommandOptions): ExitCode {
  const file = existsSync(path) && statSync(path).isDirectory() ? join(path, 'evidence.jsonl') : path;
  const { header, target, evidence, finishedAt, partial } = readEvidence(file);
  const { runId, startedAt, seed, selection } = header;
  const plan = planRun(target, { seed, selection });
  const report = judgeRun(target, plan, evidence, { runId, startedAt, finishedAt, partial, seed, selection });
  // The secrets are gone since the evidence was written.
  const redactor = createRedactor([]);
  const dir = options.out === undefined ? undefined : claimFolder(options.out).path;
  if (dir !== undefined) writeReport(dir, report, redactor);
  print(renderSummary(report, { color: wantsColor(options, process.stdout) }));
  if (dir !== undefined) print(join(dir, 'report.html'));
  return exitCodeOf(report);
}
