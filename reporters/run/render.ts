import { printMarkdown } from '../document/markdown.ts';
import { printTerminal } from '../document/terminal.ts';
import { printPage } from '../html/page.ts';
import type { Report } from '../../suites/types/report.ts';
import { contextOf, detailLevels, mostDetail } from './context.ts';
import { type Additions, reportDocument } from './document.ts';
import { withoutPassedModels } from './models.ts';

/** The judged run as a page, a summary in Markdown, and on a terminal. */

/** Bytes that a page may have: it fits into a mail, and a browser opens it fast. */
const mostBytes = 980_000;

const isSmall = (page: string): boolean => Buffer.byteLength(page) <= mostBytes;

/** The report as one HTML document, shortened until it is small enough; nothing that a target sent can act in it. */
export function renderHtml(report: Report, additions: Additions = {}): string {
  const context = contextOf(withoutPassedModels(report));
  const pageAt = (level: number): string =>
    printPage(reportDocument({ ...context, limits: detailLevels[level] ?? mostDetail }, additions));
  const whole = pageAt(0);
  if (isSmall(whole)) return whole;
  // Between the level that is too much and the one that may do: each page costs as much as all else that is written.
  let [above, below] = [0, detailLevels.length - 1];
  let page = pageAt(below);
  while (isSmall(page) && below - above > 1) {
    const middle = (above + below) >> 1;
    const tried = pageAt(middle);
    if (isSmall(tried)) [below, page] = [middle, tried];
    else above = middle;
  }
  return page;
}

/** The report as a summary in Markdown for a pull request or a step summary; under 60 KB, and it says what was cut. */
export const renderMarkdown = (report: Report, additions: Additions = {}): string =>
  printMarkdown(reportDocument(contextOf(report), additions), {
    bytes: 60_000,
    rest: 'report.html and report.json have all of it.',
  });

export interface SummaryOptions extends Additions {
  readonly colour: boolean;
  /** Columns of the terminal; 100 where it is not known. */
  readonly width?: number | undefined;
  /** Where the report was written; left out where it was not. */
  readonly files?: { readonly html: string; readonly json: string } | undefined;
}

/** What came of a run, to be read in ten seconds; the last line is the path of the HTML report. */
export function renderSummary(
  report: Report,
  { colour, width, files, ...additions }: SummaryOptions,
): string {
  const lines = printTerminal(reportDocument(contextOf(report), additions), colour, width);
  return ['', ...lines, ...(files === undefined ? [] : [`JSON ${files.json}`, files.html])].join('\n');
}
