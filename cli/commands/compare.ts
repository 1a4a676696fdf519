import { UsageError } from '../../fixtures/target/errors.ts';
import { compareReports } from '../../reporters/compare/compare.ts';
import { renderComparisonHtml } from '../../reporters/compare/html.ts';
import { renderComparisonMarkdown } from '../../reporters/compare/markdown.ts';
import { type ExitCode, exitCodes } from '../exit.ts';
import { printOrWrite, formatFor, reportAt } from '../report-file.ts';
import type { CommonOptions } from '../terminal.ts';

/** Formats of a comparison, with the endings of files that ask for them. */
export const compareFormats = { markdown: ['.md'], html: ['.html', '.htm'] } as const;

const renderers = { markdown: renderComparisonMarkdown, html: renderComparisonHtml } as const;

export interface CompareCommandOptions extends CommonOptions {
  readonly format?: keyof typeof compareFormats;
  readonly out?: string;
}

/** `compare`: reports side by side. */
export function compareCommand(paths: readonly string[], options: CompareCommandOptions): ExitCode {
  if (paths.length < 2) throw new UsageError('only one report is named; name two or more');
  const format = formatFor(compareFormats, 'markdown', options);
  const comparison = compareReports(paths.map(reportAt));
  printOrWrite(renderers[format](comparison), options.out, `${paths.length} reports side by side`);
  return exitCodes.conformant;
}
