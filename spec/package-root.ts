import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { once } from './once.ts';

function findRoot(folder: string): string {
  if (existsSync(join(folder, 'package.json'))) return folder;
  const parent = dirname(folder);
  if (parent === folder) throw new Error('no package.json above the sources');
  return findRoot(parent);
}

/** The folder of this package: the checkout, or where it is installed. */
export const packageRoot = findRoot(dirname(fileURLToPath(import.meta.url)));

/** A data file of this package, the same from the sources and from dist/. */
export const packageFile = (path: string): string => join(packageRoot, path);

interface PackageInfo {
  readonly name: string;
  readonly version: string;
}

export const packageInfo = once((): PackageInfo => {
  const { name, version } = JSON.parse(readFileSync(packageFile('package.json'), 'utf8')) as PackageInfo;
  return { name, version };
});

/** `sha256:` and the hex digest of a file of this package, byte for byte. */
export const fileDigest = (path: string): string =>
  `sha256:${createHash('sha256')
    .update(readFileSync(packageFile(path)))
    .digest('hex')}`;
