import { existsSync, readdirSync, rmdirSync, rmSync, closeSync, openSync, readSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { UsageError } from '../../fixtures/target/errors.ts';

/** The text that a file begins with, of at most so many bytes; undefined where there is no such file. */
export function fileStart(file: string, bytes: number): string | undefined {
  if (!existsSync(file) || !statSync(file).isFile()) return undefined;
  const descriptor = openSync(file, 'r');
  try {
    const start = Buffer.alloc(bytes);
    return start.toString('utf8', 0, readSync(descriptor, start));
  } finally {
    closeSync(descriptor);
  }
}

/** The folder in DIR that holds those of several runs. */
export const runsName = 'runs';

export const runFolder = (dir: string, run: number): string => join(dir, runsName, String(run));

/** Bytes of evidence in which its header ends, however many models and cases it names. */
export const longestHeader = 1_000_000;

/** Whether a folder holds a run that is one of several: its evidence says so. */
function isRepetition(folder: string): boolean {
  const [line = ''] = fileStart(join(folder, 'evidence.jsonl'), longestHeader)?.split('\n', 1) ?? [];
  return /"repeat":\{"run":\d+,"of":\d+\}/.test(line);
}

/** The numbers of the folders in DIR/runs, in order. */
function numbersIn(dir: string): readonly number[] {
  const folder = join(dir, runsName);
  if (!existsSync(folder)) return [];
  return readdirSync(folder)
    .filter((name) => /^[1-9]\d{0,2}$/.test(name))
    .map(Number)
    .sort((one, other) => one - other);
}

export const runsIn = (dir: string): readonly number[] =>
  numbersIn(dir).filter((run) => isRepetition(runFolder(dir, run)));

/** Whether DIR is the report of several runs, whose evidence lies in their own folders. */
export const isRepeated = (dir: string): boolean =>
  runsIn(dir).length > 0 && !existsSync(join(dir, 'evidence.jsonl'));

/** Whether anything lies in DIR/runs that is none of its runs. */
export const hasOthersBesideRuns = (dir: string): boolean =>
  existsSync(join(dir, runsName)) && readdirSync(join(dir, runsName)).length > runsIn(dir).length;

/** Makes sure that no folder that the runs would be written to is another's. Throws UsageError where one is. */
export function refuseOtherRuns(dir: string): void {
  const other = numbersIn(dir).find((run) => !isRepetition(runFolder(dir, run)));
  if (other !== undefined)
    throw new UsageError(
      `--out ${dir}: --repeat writes to ${join(dir, runsName)}, and ${runFolder(dir, other)} is not one of its runs; name another folder with --out DIR`,
    );
}

/** Removes the runs of `--repeat` that DIR holds, and nothing else. */
export function clearRuns(dir: string): void {
  for (const run of runsIn(dir)) rmSync(runFolder(dir, run), { recursive: true, force: true });
  const folder = join(dir, runsName);
  if (existsSync(folder) && readdirSync(folder).length === 0) rmdirSync(folder);
}
