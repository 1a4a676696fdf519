import { terminalLine } from '../../reporters/escape.ts';
import { judge } from '../api/judge.ts';
import type { JudgeOptions } from '../options/run-options.ts';
import type { ExitCode } from '../exit.ts';
import { summaryText } from '../output/show-report.ts';
import { type CommonOptions, print, wantsColour } from '../output/terminal.ts';

/** `judge`: judges recorded evidence again, without a network. */
export function judgeCommand(
  path: string,
  { color, debug: _debug, ...options }: JudgeOptions & CommonOptions,
): ExitCode {
  const { report, exitCode, notes, dir } = judge(path, options);
  const colour = wantsColour({ color });
  if (notes.length > 0) print(`${notes.map(terminalLine).join('\n')}\n`);
  print(summaryText(report, { colour, dir }));
  return exitCode;
}
