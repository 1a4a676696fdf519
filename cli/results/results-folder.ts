import { existsSync, lstatSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { withReadErrors } from '../../fixtures/files/bounded.ts';
import { loadLinks } from '../../fixtures/results/links.ts';
import { UsageError } from '../../fixtures/target/errors.ts';

const linksFile = 'links.yaml';
const keyFile = 'key.pub.pem';
const [bundleName, readmeName] = ['bundle', 'README.md'];

const isVersion = (name: string): boolean => /^[1-9]\d{0,4}$/.test(name);
/** No name hides, leads out, or is another one where case does not count. */
const isName = (name: string): boolean => /^[a-z0-9][a-z0-9._-]{0,63}$/.test(name) && !/\.$|\.\./.test(name);

/** What a folder of the list may hold: files, and folders, with what these are called. */
const shapes = {
  root: {
    files: [linksFile, readmeName],
    isFolder: isVersion,
    folders: 'a version of the statements, such as 1',
  },
  version: {
    files: [] as string[],
    isFolder: isName,
    folders: 'a product, in small letters, digits, dots and dashes',
  },
  product: {
    files: [keyFile],
    isFolder: isName,
    folders: 'a release, in small letters, digits, dots and dashes',
  },
  release: {
    files: [readmeName],
    isFolder: (name: string) => name === bundleName,
    folders: `\`${bundleName}\`: one release has one`,
  },
};
type Shape = (typeof shapes)[keyof typeof shapes];

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

/** A result as its folder names it: `VERSION/PRODUCT/RELEASE/`. */
function resultIn(path: string, [statements = '', product = '', release = '']: readonly string[]) {
  const folders = foldersIn(path, shapes.release);
  const readme = join(path, readmeName);
  if (!folders.includes(bundleName))
    throw new UsageError(`${path}: holds no ${bundleName}/; put the report folder there`);
  if (!existsSync(readme))
    throw new UsageError(`${path}: holds no ${readmeName}; write one, with the consent of the owner`);
  const key = join(path, '..', keyFile);
  return {
    ...{ statements, product, release, path, readme },
    /** The report folder, unmodified. */
    bundle: join(path, bundleName),
    /** The public key of the product, where it publishes one. */
    ...(existsSync(key) ? { key } : {}),
  };
}
export type ResultFolder = Readonly<ReturnType<typeof resultIn>>;

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
