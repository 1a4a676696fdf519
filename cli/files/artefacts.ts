import { mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { renderBadge, renderBadgeEndpoint } from '../../reporters/badge.ts';
import { expectedFailures } from '../../reporters/baseline/expected-failures.ts';
import { renderCtrf } from '../../reporters/ctrf.ts';
import { renderJunit } from '../../reporters/junit.ts';
import { renderHtml, renderMarkdown } from '../../reporters/run/document.ts';
import { renderSarif } from '../../reporters/sarif/sarif.ts';
import { validateReport } from '../../reporters/schema/validate.ts';
import { jsonText } from '../../spec/json.ts';
import type { Report } from '../../suites/types/report.ts';
import type { AllureFiles } from '../../suites/vitest/allure-files.ts';
import type { Redactor } from '../../suites/wire/redaction/redact.ts';
import { type RenderContext, renderContextFile, renderContextText, outcomeOf } from './render-context.ts';
import { withWriteErrors, writeWhole } from './folder.ts';

/** What was made of a report without tokens, without a token in it. Throws where one would remain. */
function cleaned(name: string, content: string, redactor: Redactor): string {
  const clean = redactor.rendered(content);
  // Text that comes back as it was has been searched just now.
  const leaks = clean === content ? [] : redactor.leaks(clean);
  if (leaks.length > 0)
    throw new Error(`${name} would hold the token ${leaks.join(', ')}; it was not written`);
  return clean;
}

/** Writes a file whole or not at all. */
function writeClean(file: string, content: string, redactor: Redactor): void {
  writeWhole(file, cleaned(file, content, redactor));
}

export function reportPage(report: Report, context: RenderContext = {}): string {
  const { history, certificate, own } = context;
  return renderHtml(report, { history, certificate, own, outcome: outcomeOf(report, context) });
}

/** The files of DIR that are made from report.json and the render context alone, by name; each is made when it is asked for. */
export function renderings(report: Report, context: RenderContext = {}): ReadonlyMap<string, () => string> {
  const outcome = outcomeOf(report, context);
  const known = expectedFailures(report, outcome);
  return new Map([
    ['report.html', () => reportPage(report, context)],
    ['report.md', () => renderMarkdown(report, { outcome })],
    ['junit.xml', () => renderJunit(report, known)],
    ['report.sarif', () => renderSarif(report, known)],
    ['ctrf-report.json', () => renderCtrf(report, known)],
    ['badge.svg', () => renderBadge(report)],
    ['badge.json', () => renderBadgeEndpoint(report)],
  ]);
}

/** The report as it is. Throws Error where it is not what its schema says. */
export function validReport(report: Report): Report {
  const [complaint] = validateReport(report);
  if (complaint !== undefined) throw new Error(`the report is not valid: ${complaint}`);
  return report;
}

/** The report without tokens, which every rendering is made of. Throws Error where it is not what its schema says. */
export function cleanReport(report: Report, redactor: Redactor): Report {
  const text = jsonText(report);
  const cleanText = redactor.rendered(text);
  return validReport(cleanText === text ? report : (JSON.parse(cleanText) as Report));
}

/** Writes a report of `cleanReport` and its renderings into DIR. Throws Error where a token would be in a file. */
export function writeReport(dir: string, report: Report, redactor: Redactor, context: RenderContext = {}) {
  writeClean(join(dir, 'report.json'), jsonText(report), redactor);
  const contextText = redactor.text(renderContextText(context));
  if (contextText !== '') writeClean(join(dir, renderContextFile), contextText, redactor);
  else rmSync(join(dir, renderContextFile), { force: true });
  for (const [name, render] of renderings(
    report,
    contextText === '' ? {} : (JSON.parse(contextText) as RenderContext),
  ))
    writeClean(join(dir, name), render(), redactor);
}

/** Writes allure-results/: the whole folder or nothing. Throws where a token would be in a file. */
export function writeAllure(dir: string, files: AllureFiles, redactor: Redactor): void {
  const folder = join(dir, 'allure-results');
  const draft = `${folder}.${process.pid}.tmp`;
  try {
    withWriteErrors(folder, () => {
      mkdirSync(draft);
      for (const [name, content] of files) writeFileSync(join(draft, name), cleaned(name, content, redactor));
    });
    rmSync(folder, { recursive: true, force: true });
    renameSync(draft, folder);
  } finally {
    rmSync(draft, { recursive: true, force: true });
  }
}
