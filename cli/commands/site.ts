import {
  existsSync,
  mkdirSync,
  statSync,
  writeFileSync,
  lstatSync,
  readdirSync,
  renameSync,
  rmSync,
} from 'node:fs';
import { dirname, join, basename, relative, resolve } from 'node:path';
import { UsageError } from '../../fixtures/target/errors.ts';
import { renderVerifyPage } from '../../reporters/verify-page/page.ts';
import { renderSite, requirementPages } from '../../reporters/site/page.ts';
import { renderFeed } from '../../reporters/site/history-part.ts';
import { fileNameOf, pageOf, seriesOf, type SiteRun, withoutEvidence } from '../../reporters/site/runs.ts';
import { jsonText, isObject } from '../../spec/json.ts';
import { suiteInfo } from '../../spec/requirements.ts';
import { count } from '../../spec/text.ts';
import type { Report } from '../../suites/types/report.ts';
import { reportPage } from '../files/artefacts.ts';
import { type ExitCode, exitCodes } from '../exit.ts';
import { withWriteErrors, otherFolderHint } from '../files/folder.ts';
import { checkResults } from '../results/check-results.ts';
import { readRenderContext, today } from '../files/render-context.ts';
import { reportAt } from '../files/report-file.ts';
import { print } from '../output/terminal.ts';
import { codeOf, resultsText } from './results.ts';
import { jsonIn, mostReportBytes, readBytes, usualJson } from '../../fixtures/files/bounded.ts';
import { isAlive } from '../files/run-lock.ts';

export const siteFile = 'site.json';

/** Who made it; a folder without this is not ours. */
export const siteGenerator = 'inference-gateway-conformance site';

/** Files under a folder, by their names from it; links and devices count. */
const filesIn = (folder: string, root = folder): string[] =>
  readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    return entry.isDirectory() ? filesIn(path, root) : [relative(root, path)];
  });

/** The files that an earlier `site` says it wrote; none where there is no such list. */
function ownFiles(path: string): ReadonlySet<string> {
  const file = join(path, siteFile);
  if (!existsSync(file)) return new Set();
  try {
    const list = jsonIn({ file }, readBytes(file, mostReportBytes), usualJson).value;
    if (!isObject(list) || list.generator !== siteGenerator || !Array.isArray(list.files)) return new Set();
    return new Set(list.files.filter((name) => typeof name === 'string'));
  } catch {
    return new Set();
  }
}

/** Makes sure that a folder is new, empty or only a site of this suite. Throws UsageError where it is not. */
export function checkSiteFolder(out: string): void {
  const path = resolve(out);
  const stat = lstatSync(path, { throwIfNoEntry: false });
  if (stat === undefined) return;
  if (!stat.isDirectory()) throw new UsageError(`--out ${out}: is no folder; ${otherFolderHint}`);
  const own = ownFiles(path);
  const [foreign] = filesIn(path).filter((name) => !own.has(name));
  if (foreign !== undefined)
    throw new UsageError(`--out ${out}: holds ${foreign}, which \`site\` did not write; ${otherFolderHint}`);
}

/** A folder beside that of a site while one is written: with a dot, for web servers don't serve such names. */
const besideOf = (path: string, pid: number, kind: 'tmp' | 'old'): string =>
  join(dirname(path), `.${basename(path)}.${pid}.${kind}`);

/** Removes what killed processes left beside the folder of a site. */
function sweep(path: string): void {
  for (const name of readdirSync(dirname(path))) {
    const [, pid, kind] = /\.(\d+)\.(tmp|old)$/.exec(name) ?? [];
    const file = besideOf(path, Number(pid), kind === 'tmp' ? 'tmp' : 'old');
    if (basename(file) === name && !isAlive(Number(pid))) rmSync(file, { recursive: true, force: true });
  }
}

/** Writes a folder whole or not at all, in the place of what was there. Throws UsageError, and what `fill` throws. */
export function replaceFolder(out: string, fill: (draft: string) => void): void {
  const path = resolve(out);
  const [draft, old] = [besideOf(path, process.pid, 'tmp'), besideOf(path, process.pid, 'old')];
  rmSync(draft, { recursive: true, force: true });
  try {
    withWriteErrors(path, () => mkdirSync(draft, { recursive: true }));
    fill(draft);
    withWriteErrors(path, () => {
      if (existsSync(path)) renameSync(path, old);
      try {
        renameSync(draft, path);
      } catch (error) {
        if (existsSync(old)) renameSync(old, path);
        throw error;
      }
    });
    rmSync(old, { recursive: true, force: true });
    sweep(path);
  } finally {
    rmSync(draft, { recursive: true, force: true });
  }
}

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
