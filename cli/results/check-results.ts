import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { readText } from '../../fixtures/files/bounded.ts';
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
import { isArtefact } from '../files/folder.ts';
import { isRepeated } from '../files/repeated-folder.ts';
import { readReport } from '../run/rejudge.ts';
import { readResultsFolder, type ResultFolder } from './results-folder.ts';

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
  const { files, otherEntries } = listBundle(bundle);
  const isOfSeveral = isRepeated(bundle);
  const [other] = otherEntries;
  if (other !== undefined)
    throw new UsageError(`${bundle}: ${other}; a list of results holds the files of a run and no links`);
  return files
    .filter(({ name }) => !isArtefact(name, isOfSeveral))
    .map(({ name }) => `it was edited: ${name} is no file of a run`);
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
