import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { load } from 'js-yaml';
import { packageFile } from './package-root.ts';

/** Calls the function at the first use and keeps what it gave. */
export function once<T>(make: () => T): () => T {
  let kept: { readonly value: T } | undefined;
  return () => {
    kept ??= { value: make() };
    return kept.value;
  };
}

/**
 * The value that a YAML file of this package holds. Throws where it is not YAML. js-yaml reads the register four
 * times as fast as yaml does, which stays for the files of others: it keeps their line numbers.
 */
export const yamlFile = (path: string): unknown => load(readFileSync(packageFile(path), 'utf8'));

/** `sha256:` and the hex digest of a file of this package, byte for byte. */
export const fileDigest = (path: string): string =>
  `sha256:${createHash('sha256')
    .update(readFileSync(packageFile(path)))
    .digest('hex')}`;
