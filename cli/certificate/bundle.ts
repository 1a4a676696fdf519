import { createHash } from 'node:crypto';
import { lstatSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { UsageError } from '../../fixtures/target/errors.ts';
import { certificateFile, type Subject } from '../../reporters/certificate/statement.ts';

/** A DIR of a run holds about a thousand files of a few megabytes; what is far beyond is none. */
const limits = { files: 50_000, depth: 8, fileBytes: 256_000_000, allBytes: 2_000_000_000 } as const;

/** What DIR holds besides the certificate. */
export interface Bundle {
  readonly files: readonly Subject[];
  /** Links and devices: nothing that a digest could be of. */
  readonly otherEntries: readonly string[];
}

/** Called with the bytes of each file as it is read. */
export type Inspect = (name: string, content: Buffer) => void;

function withReadErrors<T>(path: string, read: () => T): T {
  try {
    return read();
  } catch (error) {
    if (error instanceof UsageError) throw error;
    throw new UsageError(
      `${path}: can't be read (${(error as NodeJS.ErrnoException).code ?? String(error)})`,
    );
  }
}

/**
 * Everything in DIR but the certificate, files with their digests.
 * @throws UsageError where something can't be read, or is beyond all bounds
 */
export function listBundle(dir: string, inspect: Inspect = () => undefined): Bundle {
  const files: Subject[] = [];
  const otherEntries: string[] = [];
  let total = 0;
  const file = (path: string, name: string, size: number): void => {
    total += size;
    if (size > limits.fileBytes) throw new UsageError(`${path}: is larger than ${limits.fileBytes} bytes`);
    if (total > limits.allBytes) throw new UsageError(`${dir}: is larger than ${limits.allBytes} bytes`);
    if (files.length >= limits.files) throw new UsageError(`${dir}: holds more than ${limits.files} files`);
    const content = readFileSync(path);
    inspect(name, content);
    const sha256 = createHash('sha256').update(content).digest('hex');
    files.push({ name, digest: { sha256 } });
  };
  const walk = (folder: string, prefix: string, depth: number): void => {
    if (depth > limits.depth) throw new UsageError(`${folder}: is nested too deeply for a report folder`);
    for (const entry of withReadErrors(folder, () => readdirSync(folder)).sort()) {
      const path = join(folder, entry);
      const name = prefix + entry;
      if (name === certificateFile) continue;
      const stat = withReadErrors(path, () => lstatSync(path));
      if (stat.isDirectory()) walk(path, `${name}/`, depth + 1);
      else if (stat.isFile()) withReadErrors(path, () => file(path, name, stat.size));
      else otherEntries.push(name);
    }
  };
  walk(dir, '', 0);
  return { files, otherEntries };
}

/**
 * The text of a file that others wrote.
 * @throws UsageError where it can't be read, is no regular file, or is too long
 */
export function readBounded(path: string): string {
  return withReadErrors(path, () => {
    const stat = lstatSync(path);
    if (!stat.isFile()) throw new UsageError(`${path}: is no regular file`);
    if (stat.size > limits.fileBytes)
      throw new UsageError(`${path}: is larger than ${limits.fileBytes} bytes`);
    return readFileSync(path, 'utf8');
  });
}
