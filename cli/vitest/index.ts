import { AssertionError } from 'node:assert';
import { loadTarget } from '../../fixtures/target/config.ts';
import type { Config } from '../../fixtures/target/config-value.ts';
import { UsageError } from '../../fixtures/target/errors.ts';
import { terminalBlock } from '../../reporters/escape.ts';
import { byId } from '../../reporters/report-queries.ts';
import { reads } from '../../suites/checks/registry.ts';
import type { Case } from '../../suites/types/case.ts';
import { suiteNames } from '../../suites/types/suite-names.ts';
import { planRun } from '../../suites/plan/plan-run.ts';
import { requestOf, type RunOptions } from '../api/options.ts';
import { runExtended } from '../api/run.ts';
import { settingsOf } from '../run/run-settings.ts';
import { type CaseTest, caseTests, otherProblems } from './case-test.ts';
import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';

/** What of vitest is used: the same from version 3 on. */
type Vitest = Pick<typeof import('vitest'), 'beforeAll' | 'describe' | 'test'>;

/** The root of the project whose tests are run, where vitest says it to its workers. */
function workerRoot(): string | undefined {
  const { __vitest_worker__: worker } = globalThis as {
    __vitest_worker__?: { config?: { root?: unknown } };
  };
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

/** A task of vitest, as much of it as is used: a suite has tasks of its own. */
interface Task {
  readonly name: string;
  readonly mode: string;
  readonly tasks?: readonly Task[];
}

const isSuite = (given: unknown): given is Task =>
  typeof given === 'object' && given !== null && 'tasks' in given;

/** Names of the tests below a task that the filters leave. */
const namesToRun = (task: Task): readonly string[] =>
  task.tasks !== undefined ? task.tasks.flatMap(namesToRun) : task.mode === 'run' ? [task.name] : [];

/** The id comes last: a filter by it finds one case. */
const nameOf = ({ title, id }: Pick<Case, 'title' | 'id'>): string => `${title} (${id})`;

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

/**
 * Defines one test for each case of a run against a gateway, in the test file that calls it. The requests of the tests
 * that vitest is going to run are sent before the first of them; what a filter leaves out is not sent.
 * @param config path of a config file, from the folder that vitest is started in; or what such a file holds
 * @throws UsageError for a config or an option that is wrong
 */
export function defineConformance(config: string | Config, options: ConformanceOptions = {}): void {
  // The tests are those of this plan, and the run comes later: both have the same seed.
  const settings = settingsOf(requestOf(options));
  const target = loadTarget(config, options.env ?? process.env);
  const plan = planRun(target, settings);
  if (plan.cases.length === 0)
    throw new UsageError(`the selection leaves no case to run in profile ${settings.profile}`);

  describe(target.name, () => {
    let resultOf: (entry: Case) => CaseTest;
    let problems: readonly string[] = [];

    async function runCases(suite: Task | undefined): Promise<void> {
      const wanted = new Set(suite === undefined ? plan.cases.map(nameOf) : namesToRun(suite));
      const cases = plan.cases.filter((entry) => wanted.has(nameOf(entry)));
      if (cases.length === 0) return;
      const isFiltered = cases.length < plan.cases.length;
      const { report, baseline } = await runExtended(
        config,
        {
          onWarning: (text) => console.warn(terminalBlock(text)),
          // The user's reporters have the tests.
          allure: false,
          ...options,
          seed: settings.seed,
          ...(isFiltered ? { case: cases.map(({ id }) => id) } : {}),
        },
        undefined,
      );
      const [judged, testOf] = [byId(report.cases), caseTests(report, { baseline, failOn: settings.failOn })];
      problems = otherProblems(report, baseline);
      resultOf = ({ id, check }) => {
        const outcome = judged.get(id);
        if (outcome === undefined) throw new Error(`internal error: ${id} was not judged`);
        // It judges the replies that others ask for.
        const isLeftOut = isFiltered && outcome.verdict === 'inconclusive' && reads(check).length === 0;
        return isLeftOut ? { kind: 'skipped', note: 'the filter leaves out what it reads' } : testOf(outcome);
      };
    }

    // Vitest 3 gives the suite first, later versions a context before it, whose parameter they would parse.
    beforeAll(function () {
      // biome-ignore lint/complexity/noArguments: of a rest parameter vitest 4 asks for a pattern.
      return runCases([...arguments].find(isSuite));
    }, 0);

    for (const suite of suiteNames) {
      const cases = plan.cases.filter((entry) => entry.suite === suite);
      if (cases.length === 0) continue;
      describe(suite, () => {
        for (const entry of cases)
          test(nameOf(entry), ({ skip }) => comeOut(resultOf(entry), (note) => skip(note)));
      });
    }
    if (settings.baseline !== undefined || settings.pins !== undefined)
      test(otherName, () => {
        if (problems.length > 0) throw failure(problems.join('\n'));
      });
  });
}
