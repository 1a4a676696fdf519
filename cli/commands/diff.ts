import {
  renderDiffHtml,
  renderDiffJson,
  renderDiffMarkdown,
  renderDiffText,
} from '../../reporters/diff/document.ts';
import { diff } from '../api/reports.ts';
import type { ExitCode } from '../exit.ts';
import { printOrWrite, formatFor } from '../files/report-file.ts';
import type { CommonOptions } from '../output/terminal.ts';

export const diffFormats = {
  text: ['.txt'],
  markdown: ['.md'],
  json: ['.json'],
  html: ['.html', '.htm'],
} as const;

const renderers = {
  text: renderDiffText,
  markdown: renderDiffMarkdown,
  json: renderDiffJson,
  html: renderDiffHtml,
} as const;

export interface DiffCommandOptions extends CommonOptions {
  readonly format?: keyof typeof diffFormats;
  readonly out?: string;
}

/** `diff`: what changed from one report to another; exit code 1 on a regression. */
export function diffCommand(before: string, after: string, options: DiffCommandOptions): ExitCode {
  const { diff: changes, exitCode } = diff(before, after);
  const format = formatFor(diffFormats, 'text', options);
  const [headline = ''] = renderDiffText(changes).split('\n');
  printOrWrite(renderers[format](changes), options.out, headline);
  return exitCode;
}
