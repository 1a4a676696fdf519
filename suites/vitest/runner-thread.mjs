// @ts-check
// The thread that vitest runs in. It loads while requests are under way, and a thread of its own keeps that
// from stalling the event loop that reads timed streams; vitest's signal handlers and exit code stay here, too.
// JavaScript, because Node loads a thread's first module itself, also where the tests run from the sources.
import { Writable } from 'node:stream';
import { parentPort, workerData } from 'node:worker_threads';
import { createVitest } from 'vitest/node';
import { createAllureReporter } from './allure-reporter.mjs';

/** @import { TestModule } from 'vitest/node' */
/** @import { RunnerFolder, TestRun } from './runner.ts' */
/** @import { JudgedMeta } from './judged-test.ts' */
/** @import { ReturnedTest } from './compare-with-plan.ts' */

const { root, dir, include } = /** @type {RunnerFolder} */ (workerData);

/** @type {string[]} */
const printed = [];
/** @type {ReturnedTest[]} */
const returned = [];
/** @type {string[]} */
const problems = [];

const sink = () =>
  new Writable({
    write: (chunk, _, done) => {
      printed.push(String(chunk));
      done();
    },
  });

/** @param {TestModule} module */
function collect(module) {
  for (const error of module.errors()) problems.push(`${module.relativeModuleId}: ${error.message}`);
  for (const test of module.children.allTests()) {
    const { caseId, verdict } = /** @type {Partial<JudgedMeta>} */ (test.meta());
    if (caseId !== undefined) returned.push({ caseId, verdict, state: test.result().state });
  }
}

const allure = createAllureReporter();

const vitest = await createVitest(
  'test',
  {
    run: true,
    watch: false,
    config: false,
    root,
    dir,
    include: [include],
    exclude: [],
    pool: 'threads',
    isolate: false,
    maxWorkers: 1,
    testTimeout: 0,
    cache: false,
    reporters: [
      {
        onTestRunEnd: (modules, errors) => {
          modules.forEach(collect);
          for (const error of errors) problems.push(error.message);
        },
      },
      allure.reporter,
    ],
  },
  { logLevel: 'silent', envDir: false },
  { stdout: sink(), stderr: sink() },
);

parentPort?.once('message', async (tests) => {
  vitest.provide('judgedTests', tests);
  try {
    await vitest.start();
  } catch (error) {
    problems.push(`the test runner failed: ${/** @type {Error} */ (error).message}`);
  }
  const run = { returned, problems, allure: allure.results(), printed: printed.join('') };
  parentPort?.postMessage(/** @type {TestRun} */ (run));
});
