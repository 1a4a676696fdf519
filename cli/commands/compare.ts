import { renderComparisonHtml, renderComparisonMarkdown } from '../../reporters/compare/document.ts';
import { compare } from '../api/reports.ts';
import { exitCodes } from '../exit.ts';
import { type FormatOptions, printAs } from '../files/report-file.ts';

const formats = {
  markdown: [renderComparisonMarkdown, '.md'],
  html: [renderComparisonHtml, '.html', '.htm'],
} as const;

export function compareCommand(paths: readonly string[], options: FormatOptions<keyof typeof formats>) {
  printAs(formats, 'markdown', compare(paths), options, () => `${paths.length} reports side by side`);
  return exitCodes.conformant;
}
