import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { UsageError } from '../../fixtures/target/errors.ts';
import { withWriteErrors } from './folder.ts';

/** The file of DIR that names the run that writes there, as long as it does. */
const lockName = 'run.lock';

/** A process as the kernel of Linux tells of it: its state, and its start. Empty elsewhere. */
function statOf(pid: number): { readonly state: string; readonly begun: string } {
  try {
    // Behind its name, which may hold anything but ends with the last bracket.
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    return { state: fields[0] ?? '', begun: fields[19] ?? '' };
  } catch {
    return { state: '', begun: '' };
  }
}

/** Names a process for as long as the machine runs: a number alone is given again. */
const processName = (pid: number): string => `${hostname()} ${pid} ${statOf(pid).begun}`;

export function isAlive(pid: number): boolean {
  // It was killed, and is listed only because nobody asked for its exit code.
  if (statOf(pid).state === 'Z') return false;
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

/** Locks of this process. */
const held = new Set<string>();

/** The number of a process that is writing there now; undefined where none is, or none of this machine. */
function writerOf(file: string): number | undefined {
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
  } catch {
    return undefined;
  }
  const pid = Number(text.split(' ')[1]);
  if (!Number.isSafeInteger(pid) || pid <= 0 || text !== processName(pid) || !isAlive(pid)) return undefined;
  return pid === process.pid && !held.has(file) ? undefined : pid;
}

/** Makes sure that no other run is writing to DIR. Throws UsageError where one is. */
export function refuseRunning(dir: string): void {
  const file = join(dir, lockName);
  const pid = writerOf(file);
  if (pid !== undefined)
    throw new UsageError(
      `${dir}: another run is writing to this folder (process ${pid}); wait for its end, or name another folder. If no run is under way, remove ${file}`,
    );
}

/** Marks DIR as written to by this run, and returns what ends that. Throws UsageError where another run is writing there. */
export function lockFolder(dir: string): () => void {
  const file = join(dir, lockName);
  refuseRunning(dir);
  rmSync(file, { force: true });
  withWriteErrors(file, () => writeFileSync(file, processName(process.pid), { flag: 'wx' }));
  held.add(file);
  let isOver = false;
  return () => {
    if (isOver) return;
    isOver = true;
    held.delete(file);
    rmSync(file, { force: true });
  };
}
