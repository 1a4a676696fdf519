import { existsSync, lstatSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { readText, withReadErrors } from '../../fixtures/files/bounded.ts';
import { UsageError } from '../../fixtures/target/errors.ts';
import { present } from '../../spec/present.ts';
import { certificateFile } from '../../reporters/certificate/statement.ts';
import { ownerProblems, ownerWords } from '../../reporters/results/owner-words.ts';
import { selectedAxes } from '../../reporters/scope-limits.ts';
import { withoutEvidence } from '../../reporters/site/runs.ts';
import { asksAllThatCanFail } from '../../suites/types/profile.ts';
import type { Report } from '../../suites/types/report.ts';
import { verify } from '../api/verify.ts';
import { listBundle } from '../certificate/bundle.ts';
import { readReport } from '../run/rejudge.ts';
import { loadLinks } from '../../fixtures/results/links.ts';

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
    statements,
    product,
    release,
    path,
    readme,
    /** The report folder, unmodified. */
    bundle: join(path, bundleName),
    /** The public key of the product, where it publishes one. */
    ...(existsSync(key) ? { key } : {}),
  };
}
export type ResultFolder = Readonly<ReturnType<typeof resultIn>>;

/** What lies in a folder of results, by its names. Throws UsageError for strange names, links, a release without its files. */
function readResultsFolder(dir: string) {
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

/** Bytes of a README. */
const longestReadme = 100_000;

/** Of what a run of a part, or one that was stopped, shows too little. */
const partialProblems = (report: Report): readonly string[] => {
  const selected = selectedAxes(report).map(([axis]) => axis);
  return present([
    report.run.partial && 'it is partial: the run was stopped',
    selected.length > 0 && `it is partial: only some ${selected.join(' and ')} were asked`,
    !asksAllThatCanFail(report.scope) && 'it is partial: its profile leaves out what can fail',
  ]);
};

/** What of a bundle no run writes. @throws UsageError for a link or a device */
function foreignFiles(bundle: string): readonly string[] {
  const { foreign, otherEntries } = listBundle(bundle);
  const [other] = otherEntries;
  if (other !== undefined)
    throw new UsageError(`${bundle}: ${other}; a list of results holds the files of a run and no links`);
  return foreign.map((name) => `it was edited: ${name} is no file of a run`);
}

/** @throws UsageError where the report is of other statements than its folder says */
function checkVersion({ statements: folder, path }: ResultFolder, { suite }: Report): void {
  const { statements = '1', version } = suite;
  if (statements !== folder)
    throw new UsageError(
      `${path}: was judged by version ${statements} of the statements (suite ${version}), and lies in ${folder}/; move it to ${statements}/`,
    );
}

/** A result is listed, refused, or judged by another version of the suite, which alone can tell. */
function checkOne(result: ResultFolder, today: string) {
  const owner = ownerWords(readText(result.readme, longestReadme));
  const foreign = foreignFiles(result.bundle);
  const { report } = readReport(result.bundle);
  checkVersion(result, report);
  // There is no certificate of what is not conformant.
  const hasKey = result.key !== undefined && existsSync(join(result.bundle, certificateFile));
  const { outcome, verification } = verify(result.bundle, hasKey ? { key: result.key } : {});
  const edited = verification.steps.flatMap(({ problems }) =>
    problems.map((problem) => `it was edited: ${problem}`),
  );
  const problems = [...foreign, ...edited, ...partialProblems(report), ...ownerProblems(owner, today)];
  const isUndecided = problems.length === 0 && outcome === 'undecided';
  const open = `suite ${report.suite.version} judged, and only that version can judge again: check it with that one`;
  return {
    ...result,
    outcome:
      problems.length > 0 ? ('refused' as const) : isUndecided ? ('undecided' as const) : ('listed' as const),
    problems: isUndecided ? [open] : problems,
    report: withoutEvidence(report),
    ...owner,
    isSigned: verification.signed === 'valid',
  };
}
export type CheckedResult = ReturnType<typeof checkOne>;

/** @throws UsageError where the same run is listed twice */
function refuseTwins(results: readonly CheckedResult[]): void {
  const seen = new Map<string, string>();
  for (const { report, path } of results) {
    const earlier = seen.get(report.run.id);
    if (earlier !== undefined)
      throw new UsageError(
        `${path}: is the same run as ${earlier}, ${report.run.id}; one run is one release`,
      );
    seen.set(report.run.id, path);
  }
}

/** Verifies each bundle of a folder of results, its evidence judged again. Throws UsageError for what can't be read. */
export function checkResults(dir: string, today: string) {
  const { results, links } = readResultsFolder(dir);
  const checked = results.map((result) => checkOne(result, today));
  refuseTwins(checked);
  return { results: checked, links };
}

/** `1/acme/2.3`. */
export const resultName = ({ statements, product, release }: ResultFolder): string =>
  join(statements, product, release);
