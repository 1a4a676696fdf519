import { join } from 'node:path';
import { terminalLine } from '../../reporters/escape.ts';
import { renderSummary } from '../../reporters/terminal.ts';
import { judge } from '../api/judge.ts';
import type { JudgeOptions } from '../api/options.ts';
import type { ExitCode } from '../exit.ts';
import { type CommonOptions, print, summaryOptions, wantsColour } from '../terminal.ts';

/** `judge`: judges recorded evidence again, without a network. */
export function judgeCommand(
  path: string,
  { color, debug: _debug, ...options }: JudgeOptions & CommonOptions,
): ExitCode {
  const { report, exitCode, notes, dir } = judge(path, options);
  const files = dir && { html: join(dir, 'report.html'), json: join(dir, 'report.json') };
  const colour = wantsColour({ color }, process.stdout);
  if (notes.length > 0) print(`${notes.map(terminalLine).join('\n')}\n`);
  print(renderSummary(report, { ...summaryOptions({ colour }), ...(files ? { files } : {}) }));
  return exitCode;
}
