import { existsSync, lstatSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { withReadErrors } from '../../fixtures/files/bounded.ts';
import { loadLinks } from '../../fixtures/results/links.ts';
import { UsageError } from '../../fixtures/target/errors.ts';

/** A result as its folder names it: `VERSION/PRODUCT/RELEASE/`. */
export interface ResultFolder {
  readonly statements: string;
  readonly product: string;
  readonly release: string;
  readonly path: string;
  /** The report folder, unmodified. */
  readonly bundle: string;
  readonly readme: string;
  /** The public key of the product, where it publishes one. */
  readonly key?: string;
}

const linksFile = 'links.yaml';
const keyFile = 'key.pub.pem';
const [bundleName, readmeName] = ['bundle', 'README.md'];

const isVersion = (name: string): boolean => /^[1-9]\d{0,4}$/.test(name);
/** No name hides, leads out, or is another one where case does not count. */
const isName = (name: string): boolean => /^[a-z0-9][a-z0-9._-]{0,63}$/.test(name) && !/\.$|\.\./.test(name);

/** What a folder of the list may hold. */
interface Shape {
  readonly files: readonly string[];
  readonly isFolder: (name: string) => boolean;
  /** In words: what its folders are called. */
  readonly folders: string;
}

const shapes: Readonly<Record<'root' | 'version' | 'product' | 'release', Shape>> = {
  root: {
    files: [linksFile, readmeName],
    isFolder: isVersion,
    folders: 'a version of the statements, such as 1',
  },
  version: { files: [], isFolder: isName, folders: 'a product, in small letters, digits, dots and dashes' },
  product: {
    files: [keyFile],
    isFolder: isName,
    folders: 'a release, in small letters, digits, dots and dashes',
  },
  release: {
    files: [readmeName],
    isFolder: (name) => name === bundleName,
    folders: `\`${bundleName}\`: one release has one`,
  },
};

/** The folders in a folder of the list. Throws UsageError for a link, a device, and a name that has no place there. */
function foldersIn(path: string, { files, isFolder, folders }: Shape): readonly string[] {
  const entries = withReadErrors(path, () => readdirSync(path).sort());
  return entries.filter((name) => {
    const entry = join(path, name);
    const stat = lstatSync(entry);
    if (!stat.isFile() && !stat.isDirectory())
      throw new UsageError(`${entry}: is neither a file nor a folder; a list of results holds no links`);
    if (stat.isFile() ? files.includes(name) : isFolder(name)) return stat.isDirectory();
    const wanted = [...files, ...(stat.isFile() ? [] : [`a folder for ${folders}`])].join(', ');
    throw new UsageError(
      `${entry}: has no place here; what may lie here is ${wanted || `a folder for ${folders}`}`,
    );
  });
}

function resultIn(path: string, [statements, product, release]: readonly string[]): ResultFolder {
  const folders = foldersIn(path, shapes.release);
  const readme = join(path, readmeName);
  if (!folders.includes(bundleName))
    throw new UsageError(`${path}: holds no ${bundleName}/; put the report folder there`);
  if (!existsSync(readme))
    throw new UsageError(`${path}: holds no ${readmeName}; write one, with the consent of the owner`);
  const key = join(path, '..', keyFile);
  return {
    statements: statements ?? '',
    product: product ?? '',
    release: release ?? '',
    path,
    bundle: join(path, bundleName),
    readme,
    ...(existsSync(key) ? { key } : {}),
  };
}

/** What lies in a folder of results, by its names. Throws UsageError for strange names, links, a release without its files. */
export function readResultsFolder(dir: string) {
  if (!lstatSync(dir, { throwIfNoEntry: false })?.isDirectory())
    throw new UsageError(`${dir}: is no folder; name the folder of results`);
  const results = foldersIn(dir, shapes.root).flatMap((version) =>
    foldersIn(join(dir, version), shapes.version).flatMap((product) =>
      foldersIn(join(dir, version, product), shapes.product).map((release) =>
        resultIn(join(dir, version, product, release), [version, product, release]),
      ),
    ),
  );
  if (results.length === 0)
    throw new UsageError(`${dir}: holds no result; put one into VERSION/PRODUCT/RELEASE/ below it`);
  const links = join(dir, linksFile);
  const products = [...new Set(results.map(({ product }) => product))];
  return { results, links: existsSync(links) ? loadLinks(links, products) : [] };
}
