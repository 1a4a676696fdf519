import { renderComparisonHtml, renderComparisonMarkdown } from '../../reporters/compare/document.ts';
import { compare } from '../api/reports.ts';
import { type ExitCode, exitCodes } from '../exit.ts';
import { printOrWrite, formatFor } from '../files/report-file.ts';
import type { CommonOptions } from '../output/terminal.ts';

/** Formats of a comparison, with the endings of files that ask for them. */
export const compareFormats = { markdown: ['.md'], html: ['.html', '.htm'] } as const;

const renderers = { markdown: renderComparisonMarkdown, html: renderComparisonHtml } as const;

export interface CompareCommandOptions extends CommonOptions {
  readonly format?: keyof typeof compareFormats;
  readonly out?: string;
}

export function compareCommand(paths: readonly string[], options: CompareCommandOptions): ExitCode {
  const format = formatFor(compareFormats, 'markdown', options);
  printOrWrite(renderers[format](compare(paths)), options.out, `${paths.length} reports side by side`);
  return exitCodes.conformant;
}
