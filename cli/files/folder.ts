import { randomUUID } from 'node:crypto';
import {
  closeSync,
  existsSync,
  mkdirSync,
  openSync,
  readdirSync,
  realpathSync,
  renameSync,
  rmdirSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
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
      return realpathSync(path);
    } catch {
      return resolve(path);
    }
  };
  return real(one) === real(other);
}

export interface Folder {
  readonly path: string;
  /**
   * Removes what an earlier run left, and a killed one; a report must not be mixed with the evidence of another run.
   * The evidence itself stays until that of the new run replaces it: a run that goes on needs it. What the gateway states
   * itself is cleared for a new run alone.
   */
  readonly clear: (isNewRun?: boolean) => void;
  /** What lies there that no run writes and `clear` leaves. */
  readonly foreign: () => readonly string[];
  /** Takes the folder away again where claiming it made it. */
  readonly release: () => void;
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
      writeFileSync(draft, content);
      renameSync(draft, file);
    } finally {
      rmSync(draft, { force: true });
    }
  };
  withWriteErrors(file, replace, wayOut);
}

/** Makes a folder and what is missing above it, and returns the topmost one made. */
function makeFolders(path: string): string | undefined {
  if (existsSync(path)) {
    if (statSync(path).isDirectory()) return undefined;
    throw Object.assign(new Error(path), { code: 'ENOTDIR' });
  }
  // One by one: Node's own recursive mkdir never ends where a file system answers ENOENT, as /proc does.
  const above = makeFolders(dirname(path));
  mkdirSync(path);
  return above ?? path;
}

/** Makes the folder and a file in it; what could not be made is a usage error. */
function ensureWritable(path: string): string | undefined {
  try {
    const made = makeFolders(path);
    const file = join(path, `.probe-${randomUUID()}`);
    closeSync(openSync(file, 'wx'));
    rmSync(file);
    return made;
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code ?? 'unknown error';
    if (code === 'ENOTDIR') throw new UsageError(`--out ${path}: a file has this name; ${otherFolderHint}`);
    throw new UsageError(`--out ${path}: can't be written (${code}); ${otherFolderHint}`);
  }
}

/** Makes sure that DIR can be written, and that this suite wrote what would be overwritten. Throws UsageError where not. */
export function claimFolder(dir: string): Folder {
  const path = resolve(dir);
  const made = ensureWritable(path);
  const foreign =
    made === undefined && !isEarlierRun(path)
      ? [...artefacts, ...optionalArtefacts].filter((name) => existsSync(join(path, name)))
      : [];
  if (foreign.length > 0) {
    throw new UsageError(
      `--out ${path}: holds ${foreign.join(', ')} that this suite did not write; ${otherFolderHint}`,
    );
  }
  return {
    path,
    clear: (isNewRun = false) => {
      clearRuns(path);
      for (const name of readdirSync(path).filter(isPart))
        if (isNewRun && isEarlierRun(join(path, name)))
          rmSync(join(path, name), { recursive: true, force: true });
      for (const name of readdirSync(path).filter((each) => isRunsOwn(each) && each !== 'evidence.jsonl'))
        rmSync(join(path, name), { recursive: true, force: true });
    },
    foreign: () => {
      const own = ['history.jsonl', ...(hasOthersBesideRuns(path) ? [] : [runsName])];
      return readdirSync(path).filter((name) => !isRunsOwn(name) && !isPart(name) && !own.includes(name));
    },
    release: () => {
      if (made === undefined) return;
      for (let at = path; at.length >= made.length && readdirSync(at).length === 0; at = dirname(at))
        rmdirSync(at);
    },
  };
}
