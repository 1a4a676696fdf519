import { writeFileSync } from 'node:fs';
import { UsageError } from '../../fixtures/target/errors.ts';

export const existsAlready = (file: string, wayOut: string): UsageError =>
  new UsageError(`${file} exists already and is left as it is; ${wayOut}`);

/** Writes a file where there is none. Throws UsageError, with the way out, where there is one, or it can't be written. */
export function writeNewFile(file: string, content: string, wayOut: string, mode = 0o666): void {
  try {
    writeFileSync(file, content, { flag: 'wx', mode });
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'EEXIST') throw existsAlready(file, wayOut);
    throw new UsageError(`${file}: can't be written (${code}); ${wayOut}`);
  }
}
