import { existsSync, mkdirSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { UsageError } from '../../fixtures/target/errors.ts';
import { renderVerifyPage } from '../../reporters/verify-page/page.ts';
import { renderSite, requirementPages } from '../../reporters/site/page.ts';
import { renderFeed } from '../../reporters/site/feed.ts';
import { fileNameOf, pageOf, seriesOf, type SiteRun, withoutEvidence } from '../../reporters/site/runs.ts';
import { jsonText } from '../../spec/json.ts';
import { suiteInfo } from '../../spec/requirements.ts';
import { count } from '../../spec/text.ts';
import type { Report } from '../../suites/types/report.ts';
import { reportPage } from '../files/artefacts.ts';
import { type ExitCode, exitCodes } from '../exit.ts';
import { withWriteErrors } from '../files/folder.ts';
import { checkResults } from '../results/check-results.ts';
import { readRenderContext, today } from '../files/render-context.ts';
import { reportAt } from '../files/report-file.ts';
import { checkSiteFolder, replaceFolder, siteFile, siteGenerator } from '../files/site-folder.ts';
import { print } from '../output/terminal.ts';
import { codeOf, resultsText } from './results.ts';

function reportOf(dir: string): Report {
  if (existsSync(dir) && statSync(dir).isDirectory() && !existsSync(join(dir, 'report.json')))
    throw new UsageError(`${dir}: holds no report.json; name a DIR that \`run\` wrote`);
  return reportAt(dir);
}

function write(folder: string, name: string, content: string): void {
  const file = join(folder, name);
  withWriteErrors(file, () => {
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, content);
  });
}

/** Writes the page of each run, one report in memory at a time, and gives what the index needs of them. */
function writeRuns(dirs: readonly string[], draft: string): SiteRun[] {
  const origins = new Map<string, string>();
  return dirs.map((dir) => {
    const report = reportOf(dir);
    const run = { report: withoutEvidence(report), folder: fileNameOf(report.run.id) };
    const earlier = origins.get(run.folder);
    if (earlier !== undefined)
      throw new UsageError(`${dir}: is the same run as ${earlier}, ${report.run.id}; name each run once`);
    origins.set(run.folder, dir);
    // The certificate stays behind, and nothing here was verified.
    const { certificate: _, ...context } = readRenderContext(dir)?.context ?? {};
    write(draft, pageOf(run), reportPage(report, context));
    return run;
  });
}

/** The site as a machine reads it, and as a later `site` knows its own files. */
function siteList(runs: readonly SiteRun[], others: Iterable<string>): string {
  const { name, version } = suiteInfo();
  const list = {
    generator: siteGenerator,
    suite: { name, version },
    files: [siteFile, ...others, ...runs.map(pageOf)],
    runs: runs.map((run) => ({
      id: run.report.run.id,
      target: run.report.target,
      startedAt: run.report.run.startedAt,
      verdict: run.report.verdict,
      page: pageOf(run),
    })),
  };
  return jsonText(list);
}

/** `site`: a static site of many runs, or of a folder of results; nothing is written where one of them can't be read. */
export function siteCommand(
  named: readonly string[],
  { out, results: list }: { readonly out: string; readonly results?: string },
): ExitCode {
  if (named.length > 0 === (list !== undefined))
    throw new UsageError(
      'name the DIRs that runs wrote, or a folder of results with --results, and not both',
    );
  checkSiteFolder(out);
  const checked = list === undefined ? undefined : checkResults(list, today());
  if (checked?.results.some(({ outcome }) => outcome === 'refused')) {
    print(resultsText(checked.results));
    return codeOf(checked.results);
  }
  const dirs = checked?.results.map(({ bundle }) => bundle) ?? named;
  replaceFolder(out, (draft) => {
    const runs = writeRuns(dirs, draft);
    const pages = new Map(runs.map((run) => [run.report.run.id, pageOf(run)]));
    const series = seriesOf(runs);
    const files = new Map([
      ['index.html', () => renderSite(runs, checked && { ...checked, pages })],
      ['verify.html', renderVerifyPage],
      ['feed.xml', () => renderFeed(series)],
      ...requirementPages(series),
    ]);
    for (const [name, render] of files) write(draft, name, render());
    write(draft, siteFile, siteList(runs, files.keys()));
  });
  print(`${count(dirs.length, 'run')}\n${join(out, 'index.html')}`);
  return exitCodes.conformant;
}
