import { closeSync, existsSync, openSync, readSync, statSync } from 'node:fs';

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
