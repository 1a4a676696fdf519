import { isUtf8 } from 'node:buffer';
import { createHash } from 'node:crypto';
import { lstatSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { pieces, withReadErrors } from '../../fixtures/files/bounded.ts';
import { UsageError } from '../../fixtures/target/errors.ts';
import { isPart } from '../../spec/part.ts';
import { isArtefact } from '../files/folder.ts';
import { isRepeated } from '../files/repeated-folder.ts';
import { certificateFile, type Subject } from '../../reporters/certificate/statement.ts';

/** A DIR of a run holds about a thousand files of a few megabytes; what is far beyond is none. */
const limits = { files: 50_000, depth: 8, fileBytes: 256_000_000, allBytes: 1_000_000_000 } as const;

/** Called with the bytes of each file as it is read, in pieces. */
export type Inspect = (name: string, content: Iterable<Buffer>) => void;

/** The names in a folder, sorted; those that are no text are told. */
function namesIn(folder: string, prefix: string, tell: (problem: string) => void): string[] {
  const entries = withReadErrors(folder, () => readdirSync(folder, { encoding: 'buffer' }));
  const names = entries.flatMap((entry) => {
    if (isUtf8(entry)) return [entry.toString('utf8')];
    // Read as text, two such names are one, and one may be that of another file.
    tell(`${prefix}${entry.toString('latin1')} has a name that is not UTF-8`);
    return [];
  });
  if (entries.length === 0) tell(`${prefix} is an empty folder`);
  return names.sort();
}

/** All in DIR but the certificate, with digests, the names that no run writes, and what has none, a sentence each. Throws UsageError beyond all bounds. */
export function listBundle(dir: string, inspect?: Inspect) {
  const files: Subject[] = [];
  const otherEntries: string[] = [];
  const tell = (problem: string): void => void otherEntries.push(problem);
  let total = 0;
  const file = (path: string, name: string, size: number): void => {
    total += size;
    if (total > limits.allBytes) throw new UsageError(`${dir}: is larger than ${limits.allBytes} bytes`);
    if (files.length >= limits.files) throw new UsageError(`${dir}: holds more than ${limits.files} files`);
    const hash = createHash('sha256');
    for (const piece of pieces(path, limits.fileBytes)) hash.update(piece);
    inspect?.(name, pieces(path, limits.fileBytes));
    files.push({ name, digest: { sha256: hash.digest('hex') } });
  };
  const walk = (folder: string, prefix: string, depth: number): void => {
    if (depth > limits.depth) throw new UsageError(`${folder}: is nested too deeply for a report folder`);
    for (const entry of namesIn(folder, prefix, tell)) {
      const path = join(folder, entry);
      const name = prefix + entry;
      // What is judged apart is a bundle of its own.
      if (name === certificateFile || (depth === 0 && isPart(name))) continue;
      const stat = withReadErrors(path, () => lstatSync(path));
      if (stat.isDirectory()) walk(path, `${name}/`, depth + 1);
      else if (stat.isFile()) withReadErrors(path, () => file(path, name, stat.size));
      else tell(`${name} is neither a file nor a folder`);
    }
  };
  walk(dir, '', 0);
  const isOfSeveral = isRepeated(dir);
  const foreign = files.flatMap(({ name }) => (isArtefact(name, isOfSeveral) ? [] : [name]));
  return { files, foreign, otherEntries };
}
