import {
  renderDiffHtml,
  renderDiffJson,
  renderDiffMarkdown,
  renderDiffText,
} from '../../reporters/diff/document.ts';
import { diff } from '../api/reports.ts';
import { type FormatOptions, printAs } from '../files/report-file.ts';

const formats = {
  text: [renderDiffText, '.txt'],
  markdown: [renderDiffMarkdown, '.md'],
  json: [renderDiffJson, '.json'],
  html: [renderDiffHtml, '.html', '.htm'],
} as const;

/** `diff`: what changed from one report to another; exit code 1 on a regression. */
export function diffCommand(before: string, after: string, options: FormatOptions<keyof typeof formats>) {
  const { diff: changes, exitCode } = diff(before, after);
  printAs(formats, 'text', changes, options, () => renderDiffText(changes).split('\n')[0] ?? '');
  return exitCode;
}
