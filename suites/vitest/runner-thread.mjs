// @ts-check
// The thread that the tests of judged cases run in: the runner of vitest keeps its state in its module, and a run may
// itself be called from a test. It is `@vitest/runner` alone, for vitest loads Vite with it, which nothing here needs.
// JavaScript, because Node loads a thread's first module itself, also where the tests run from the sources.
import { parentPort } from 'node:worker_threads';
import { startTests } from '@vitest/runner';
import { allureTestResults } from './allure-test-results.mjs';
import { defineJudgedTests } from './judged-cases.suite.mjs';

/** @import { File, Task, VitestRunner } from '@vitest/runner' */
/** @import { TestRun } from './runner.ts' */
/** @import { JudgedMeta, JudgedTest } from './judged-test.ts' */
/** @import { ReturnedTest } from './compare-with-plan.ts' */

/** @type {VitestRunner['config']} */
const config = {
  root: import.meta.dirname,
  setupFiles: [],
  name: undefined,
  passWithNoTests: true,
  testNamePattern: undefined,
  allowOnly: true,
  sequence: { seed: 0, hooks: 'stack', setupFiles: 'list' },
  chaiConfig: undefined,
  maxConcurrency: 1,
  testTimeout: 0,
  hookTimeout: 0,
  retry: 0,
  includeTaskLocation: false,
  tags: [],
  tagsFilter: undefined,
  strictTags: false,
};

/** @type {Readonly<Record<string, ReturnedTest['state']>>} */
const states = { pass: 'passed', fail: 'failed', skip: 'skipped' };

/**
 * The tests below a task.
 * @param {Task} task
 * @returns {readonly ReturnedTest[]}
 */
function returnedBy(task) {
  if (task.type === 'suite') return task.tasks.flatMap(returnedBy);
  const { caseId, verdict } = /** @type {Partial<JudgedMeta>} */ (task.meta);
  return caseId === undefined
    ? []
    : [{ caseId, verdict, state: states[task.result?.state ?? ''] ?? 'pending' }];
}

/**
 * @param {readonly JudgedTest[]} judged
 * @returns {Promise<TestRun>}
 */
async function runTests(judged) {
  /** @type {readonly File[]} */
  const files = await startTests(['judged-cases'], { config, importFile: () => defineJudgedTests(judged) });
  return {
    returned: files.flatMap(returnedBy),
    problems: files.flatMap(({ result }) => (result?.errors ?? []).map(({ message }) => message)),
    allure: allureTestResults(files),
  };
}

parentPort?.once('message', async (tests) => {
  parentPort?.postMessage(await runTests(tests));
});
