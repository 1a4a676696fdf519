import { spawn } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { configYaml, targetFor } from '../../fixtures/gateway/describe.ts';
import { defaultConsole } from '../../fixtures/gateway/console.ts';
import { packageFile } from '../../spec/package-root.ts';

/** How a run of the command against a hostile target ended. */
export interface Judged {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly stdout: string;
  readonly stderr: string;
  /** Wall clock of the process, in milliseconds. */
  readonly ms: number;
  /** The most memory that the process held, in megabytes; 0 where the system does not tell. */
  readonly peakMb: number;
  /** The CPU time that the process took, in milliseconds; 0 where the system does not tell. */
  readonly cpuMs: number;
  /** DIR of the run. */
  readonly dir: string;
}

export const settings = defaultConsole();
const declared = Object.values(targetFor(settings, '').tokens);
/** The values that no file and no line may hold. */
export const secrets = declared.map(({ value }) => value);
const env = Object.fromEntries(declared.map(({ value, variable }) => [variable, value]));

/** What hangs is killed, in milliseconds: other tests may leave a run a quarter of a core meanwhile. */
export const hangingMs = 600_000;

const folders: string[] = [];

/** Removes what the runs so far left. */
export const sweep = (): void => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true });
};

/** What the system tells of a process; empty where it does not. */
function told(pid: number | undefined, file: string): string {
  try {
    return readFileSync(`/proc/${pid}/${file}`, 'utf8');
  } catch {
    return '';
  }
}

/** The most memory that a process has held, in megabytes; 0 where the system does not tell. */
export const peakOf = (pid: number | undefined): number =>
  Number(/VmHWM:\s+(\d+)/.exec(told(pid, 'status'))?.[1] ?? 0) / 1024;

/** The CPU time that a process has taken, in milliseconds: the system counts in hundredths; 0 where it does not tell. */
export function cpuOf(pid: number | undefined): number {
  const fields = told(pid, 'stat')
    .replace(/^.*\) /s, '')
    .split(' ');
  return (Number(fields[11] ?? 0) + Number(fields[12] ?? 0)) * 10;
}

export interface RunningJudge {
  readonly pid: number;
  readonly dir: string;
  readonly kill: (signal: NodeJS.Signals) => void;
  readonly ended: Promise<Judged>;
}

/** Starts `run` as a process of its own. It is killed, and so fails its test, where it takes longer than `withinMs`. */
export function startJudging(url: string, args: readonly string[], withinMs: number): RunningJudge {
  const folder = mkdtempSync(join(tmpdir(), 'hostile-'));
  folders.push(folder);
  const dir = join(folder, 'out');
  const config = join(folder, 'target.yaml');
  writeFileSync(config, configYaml(settings, url));
  const { FORCE_COLOR: _force, NO_COLOR: _no, ...rest } = process.env;
  const started = performance.now();
  const child = spawn(
    process.execPath,
    [packageFile('cli/bin.mjs'), 'run', '--config', config, '--out', dir, ...args],
    { env: { ...rest, ...env }, stdio: ['ignore', 'pipe', 'pipe'], timeout: withinMs, killSignal: 'SIGKILL' },
  );
  let [stdout, stderr, peakMb, cpuMs] = ['', '', 0, 0];
  child.stdout.on('data', (chunk: Buffer) => {
    stdout += chunk.toString();
  });
  child.stderr.on('data', (chunk: Buffer) => {
    stderr += chunk.toString();
  });
  const look = setInterval(() => {
    peakMb = Math.max(peakMb, peakOf(child.pid));
    cpuMs = Math.max(cpuMs, cpuOf(child.pid));
  }, 20);
  const ended = new Promise<Judged>((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (code, signal) => {
      clearInterval(look);
      resolve({ code, signal, stdout, stderr, ms: performance.now() - started, peakMb, cpuMs, dir });
    });
  });
  return { pid: child.pid ?? 0, dir, kill: (signal) => void child.kill(signal), ended };
}

/** Judges a target with `run` and waits for its end. */
export const judging = (url: string, args: readonly string[], withinMs: number): Promise<Judged> =>
  startJudging(url, args, withinMs).ended;

/** Every file below a folder, by path. */
export const filesIn = (dir: string): ReadonlyMap<string, Buffer> =>
  new Map(
    readdirSync(dir, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name))
      .map((path) => [path, readFileSync(path)]),
  );
