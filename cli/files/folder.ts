import { randomUUID } from 'node:crypto';
import fs from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { isPart } from '../../spec/part.ts';
import { UsageError } from '../../fixtures/target/errors.ts';
import { fileStart, clearRuns, hasOthersBesideRuns, runsName } from './repeated-folder.ts';

/** What a run leaves in DIR (contract "DIR"). */
export const artefacts: readonly string[] = [
  'report.json',
  'report.html',
  'report.md',
  'junit.xml',
  'report.sarif',
  'ctrf-report.json',
  'badge.svg',
  'badge.json',
  'evidence.jsonl',
  'allure-results',
];

/** What a run also writes where a certificate is asked for, or a baseline or a history is given. */
const optionalArtefacts = ['certificate.json', 'target.json', 'render-context.json'] as const;

/** Whether it is an artefact, or a draft of one that a killed run left. */
const isRunsOwn = (name: string): boolean =>
  [...artefacts, ...optionalArtefacts].some(
    (own) => name === own || (name.startsWith(`${own}.`) && name.endsWith('.tmp')),
  );

/** Whether a run writes a file of that name into DIR, or appends to it; `isOfSeveral` where DIR is of several runs. */
export const isArtefact = (name: string, isOfSeveral = false): boolean =>
  [...artefacts, ...optionalArtefacts, 'history.jsonl'].includes(name) ||
  /^allure-results\/[\da-f-]{36}-(?:result|attachment)\.json$/.test(name) ||
  (isOfSeveral && /^runs\/[1-9]\d{0,2}\/[^/]+$/.test(name) && artefacts.includes(basename(name)));

/** Whether two paths name the same folder; one that is not there has its own path alone. */
export function isSameFolder(one: string, other: string): boolean {
  const real = (path: string): string => {
    try {
      return fs.realpathSync(path);
    } catch {
      return resolve(path);
    }
  };
  return real(one) === real(other);
}

export const otherFolderHint = 'name another folder with --out DIR';

/** Made by us: its evidence begins with our header, or where that is gone its report is ours. */
function isEarlierRun(path: string): boolean {
  return ['evidence.jsonl', 'report.json'].some((name) => {
    const start = fileStart(join(path, name), 4096);
    // An empty one was opened by a run this moment.
    return start === '' || start?.includes('inference-gateway-conformance');
  });
}

/** Does what writes a file. Throws UsageError, with the way out, where it can't be written, or the disk is full. */
export function withWriteErrors<Result>(file: string, write: () => Result, wayOut = otherFolderHint): Result {
  try {
    return write();
  } catch (error) {
    const { code, syscall } = error as NodeJS.ErrnoException;
    if (code === undefined || syscall === undefined) throw error;
    const full = code === 'ENOSPC' || code === 'EDQUOT' ? 'the disk is full: make room, or ' : '';
    throw new UsageError(`${file}: can't be written (${code}); ${full}${wayOut}`);
  }
}

/** Writes a file whole or not at all. Throws as `withWriteErrors` does. */
export function writeWhole(file: string, content: string, wayOut?: string): void {
  const draft = `${file}.${process.pid}.tmp`;
  const replace = (): void => {
    try {
      fs.writeFileSync(draft, content);
      fs.renameSync(draft, file);
    } finally {
      fs.rmSync(draft, { force: true });
    }
  };
  withWriteErrors(file, replace, wayOut);
}

/** Makes a folder and what is missing above it, and returns the topmost one made. */
function makeFolders(path: string): string | undefined {
  if (fs.existsSync(path)) {
    if (fs.statSync(path).isDirectory()) return undefined;
    throw Object.assign(new Error(path), { code: 'ENOTDIR' });
  }
  // One by one: Node's own recursive mkdir never ends where a file system answers ENOENT, as /proc does.
  const above = makeFolders(dirname(path));
  fs.mkdirSync(path);
  return above ?? path;
}

/** Makes the folder and a file in it; what could not be made is a usage error. */
function ensureWritable(path: string): string | undefined {
  try {
    const made = makeFolders(path);
    const file = join(path, `.probe-${randomUUID()}`);
    fs.closeSync(fs.openSync(file, 'wx'));
    fs.rmSync(file);
    return made;
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code ?? 'unknown error';
    if (code === 'ENOTDIR') throw new UsageError(`--out ${path}: a file has this name; ${otherFolderHint}`);
    throw new UsageError(`--out ${path}: can't be written (${code}); ${otherFolderHint}`);
  }
}

/** Makes sure that DIR can be written, and that this suite wrote what would be overwritten. Throws UsageError where not. */
export function claimFolder(dir: string) {
  const path = resolve(dir);
  const made = ensureWritable(path);
  const foreign =
    made === undefined && !isEarlierRun(path)
      ? [...artefacts, ...optionalArtefacts].filter((name) => fs.existsSync(join(path, name)))
      : [];
  if (foreign.length > 0) {
    throw new UsageError(
      `--out ${path}: holds ${foreign.join(', ')} that this suite did not write; ${otherFolderHint}`,
    );
  }
  return {
    path,
    /**
     * Removes what an earlier run left, but its evidence: a run that goes on needs it until that of the new one replaces
     * it. What the gateway states itself is cleared for a new run alone.
     */
    clear: (isNewRun = false): void => {
      clearRuns(path);
      for (const name of fs.readdirSync(path).filter(isPart))
        if (isNewRun && isEarlierRun(join(path, name)))
          fs.rmSync(join(path, name), { recursive: true, force: true });
      for (const name of fs.readdirSync(path).filter((each) => isRunsOwn(each) && each !== 'evidence.jsonl'))
        fs.rmSync(join(path, name), { recursive: true, force: true });
    },
    /** What lies there that no run writes and `clear` leaves. */
    foreign: (): readonly string[] => {
      const own = ['history.jsonl', ...(hasOthersBesideRuns(path) ? [] : [runsName])];
      return fs.readdirSync(path).filter((name) => !isRunsOwn(name) && !isPart(name) && !own.includes(name));
    },
    /** Takes the folder away again where claiming it made it. */
    release: (): void => {
      if (made === undefined) return;
      for (let at = path; at.length >= made.length && fs.readdirSync(at).length === 0; at = dirname(at))
        fs.rmdirSync(at);
    },
  };
}
export type Folder = ReturnType<typeof claimFolder>;

export const existsAlready = (file: string, wayOut: string): UsageError =>
  new UsageError(`${file} exists already and is left as it is; ${wayOut}`);

/** Writes a file where there is none. Throws UsageError, with the way out, where there is one, or it can't be written. */
export function writeNewFile(file: string, content: string, wayOut: string, mode = 0o666): void {
  try {
    fs.writeFileSync(file, content, { flag: 'wx', mode });
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'EEXIST') throw existsAlready(file, wayOut);
    throw new UsageError(`${file}: can't be written (${code}); ${wayOut}`);
  }
}
