import { existsSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { renderSummary } from '../../reporters/terminal.ts';
import { judgeRun } from '../../suites/judge/report.ts';
import { planRun } from '../../suites/run/conduct.ts';
import { createRedactor } from '../../suites/wire/redact.ts';
import { writeReport } from '../artefacts.ts';
import { readEvidence } from '../evidence-file.ts';
import { type ExitCode, exitCodeOf } from '../exit.ts';
import { claimFolder } from '../folder.ts';
import { type CommonOptions, print, summaryOptions, wantsColour } from '../terminal.ts';

export interface JudgeCommandOptions extends CommonOptions {
  readonly out?: string;
}

/** `judge`: judges recorded evidence again, without a network. */
export function judgeCommand(path: string, options: JudgeCommandOptions): ExitCode {
  const file = existsSync(path) && statSync(path).isDirectory() ? join(path, 'evidence.jsonl') : path;
  const { header, target, evidence, finishedAt, partial } = readEvidence(file);
  const report = judgeRun(target, planRun(target, header), evidence, { ...header, finishedAt, partial });
  // The secrets are gone since the evidence was written.
  const redactor = createRedactor([]);
  const dir = options.out === undefined ? undefined : claimFolder(options.out).path;
  if (dir !== undefined) writeReport(dir, report, redactor);
  const files = dir && { html: join(dir, 'report.html'), json: join(dir, 'report.json') };
  const colour = wantsColour(options, process.stdout);
  print(renderSummary(report, { ...summaryOptions({ colour }), ...(files ? { files } : {}) }));
  return exitCodeOf(report);
}
