import { AssertionError } from 'node:assert';
import type { Config } from '../../fixtures/target/target.ts';
import { UsageError } from '../../fixtures/target/errors.ts';
import { terminalBlock } from '../../reporters/escape.ts';
import { partOf as partName } from '../../spec/part.ts';
import { suiteNames } from '../../suites/types/suite-names.ts';
import type { RunOptions } from '../options/run-options.ts';
import { askedRuns, resultsOf } from '../api/run.ts';
import { isSuite, keepResult, nameOf, partOf, wantedOf } from './case-test.ts';
import type { CaseTest, Part, Task } from './case-test.ts';
import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';

/** What of vitest is used: the same from version 3 on. */
type Vitest = Pick<typeof import('vitest'), 'beforeAll' | 'describe' | 'test'>;

/** The root of the project whose tests are run, where vitest says it to its workers. */
function workerRoot(): string | undefined {
  const { __vitest_worker__: worker } = globalThis as { __vitest_worker__?: { config?: { root?: unknown } } };
  const root = worker?.config?.root;
  return typeof root === 'string' ? root : undefined;
}

/** The module of the vitest that a folder resolves; undefined where it has none. */
function vitestFrom(folder: string): string | undefined {
  try {
    const manifest = createRequire(join(folder, 'from.js')).resolve('vitest/package.json');
    const { exports } = JSON.parse(readFileSync(manifest, 'utf8')) as {
      exports: { '.': { import: { default: string } } };
    };
    const file = join(dirname(manifest), exports['.'].import.default);
    return existsSync(file) ? file : undefined;
  } catch {
    return undefined;
  }
}

/**
 * The vitest that runs the user's tests. This package has a vitest of its own for the command, which an import
 * would find: tests that are registered with that one are never run.
 * @throws UsageError where the project has none
 */
async function runningVitest(): Promise<Vitest> {
  const folders = [workerRoot(), process.cwd()].filter((folder) => folder !== undefined);
  for (const folder of folders) {
    const file = vitestFrom(folder);
    if (file !== undefined) return (await import(pathToFileURL(file).href)) as Vitest;
  }
  throw new UsageError(
    `no vitest in ${folders.join(' or ')}: install it there (npm install --save-dev vitest), or use the command`,
  );
}

export type { Config, RunOptions };

/** Options of `defineConformance`: those of `run`; what is selected by case is up to the filters of vitest. */
export type ConformanceOptions = Omit<RunOptions, 'case' | 'signal'>;

const { beforeAll, describe, test } = await runningVitest();

const otherName = 'baseline and pins hold';

/** An error whose stack says nothing of this package. */
function failure(text: string, details: { expected?: string; actual?: string } = {}): AssertionError {
  const message = terminalBlock(text);
  const error = new AssertionError({ message, ...details });
  error.stack = message;
  return error;
}

function comeOut(result: CaseTest, skip: (note: string) => void): void {
  if (result.kind === 'skipped') skip(terminalBlock(result.note));
  if (result.kind === 'failed') throw failure(result.message, result);
}

function defineTests(part: Part): void {
  const { settings, cases } = part;
  for (const suite of suiteNames) {
    const ofSuite = cases.filter((entry) => entry.suite === suite);
    if (ofSuite.length === 0) continue;
    describe(suite, () => {
      for (const entry of ofSuite)
        test(nameOf(entry), ({ skip }) => comeOut(part.resultOf(entry), (note) => skip(note)));
    });
  }
  if (settings.baseline !== undefined || settings.pins !== undefined)
    test(otherName, () => {
      if (part.problems.length > 0) throw failure(part.problems.join('\n'));
    });
}

/**
 * Defines one test for each case of a run against a gateway, in the test file that calls it; those of own statements
 * (`extend`) in suites of their own. The requests of the tests that vitest is going to run are sent before the first of
 * them; what a filter leaves out is not sent.
 * @param config path of a config file, from the folder that vitest is started in; or what such a file holds
 * @throws UsageError for a config or an option that is wrong
 */
export function defineConformance(config: string | Config, options: ConformanceOptions = {}): void {
  // The tests are those of these plans, and the runs come later. The user's reporters have the tests.
  const { target, runs } = askedRuns(config, { allure: false, ...options });
  const parts = runs.map((settings) => partOf(target, settings));
  if (parts.every(({ cases }) => cases.length === 0))
    throw new UsageError(`the selection leaves no case to run in profile ${runs[0]?.profile}`);

  async function runCases(suite: Task | undefined): Promise<void> {
    const asked = parts.flatMap((part) => {
      const wanted = wantedOf(part, parts, suite);
      return wanted.length > 0 ? [{ part, wanted, isFiltered: wanted.length < part.cases.length }] : [];
    });
    const names = asked.flatMap(({ part: { settings } }) =>
      settings.extension ? [partName(settings.extension)] : [],
    );
    const filtered = asked.map(({ part: { settings }, wanted, isFiltered }) => ({
      ...settings,
      ...(settings.ownFolders ? { ownFolders: names } : {}),
      selection: { ...settings.selection, ...(isFiltered ? { cases: wanted.map(({ id }) => id) } : {}) },
    }));
    const onWarning = (text: string) => console.warn(terminalBlock(text));
    const results = await resultsOf({ target, runs: filtered }, { onWarning, ...options });
    for (const [at, result] of results.entries()) {
      const ran = asked[at];
      if (ran !== undefined) keepResult(ran.part, result, ran.isFiltered);
    }
  }

  describe(target.name, () => {
    // Vitest 3 gives the suite first, later versions a context before it, whose parameter they would parse.
    beforeAll(function () {
      // biome-ignore lint/complexity/noArguments: of a rest parameter vitest 4 asks for a pattern.
      return runCases([...arguments].find(isSuite));
    }, 0);

    for (const part of parts)
      if (part.title === undefined) defineTests(part);
      else describe(part.title, () => defineTests(part));
  });
}
