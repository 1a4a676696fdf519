import { existsSync, lstatSync, mkdirSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { basename, dirname, join, relative, resolve } from 'node:path';
import { UsageError } from '../../fixtures/target/errors.ts';
import { isObject } from '../../spec/json.ts';
import { jsonIn, mostReportBytes, readBytes, usualJson } from '../../fixtures/files/bounded.ts';
import { isAlive } from './run-lock.ts';
import { otherFolderHint, withWriteErrors } from './folder.ts';

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
