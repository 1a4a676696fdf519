// @ts-check
// The thread that the tests of judged cases run in: the runner of vitest keeps its state in its module, and a run may
// itself be called from a test. It is `@vitest/runner` alone, for vitest loads Vite with it, which nothing here needs.
// JavaScript, because Node loads a thread's first module itself, also where the tests run from the sources.
import { AssertionError } from 'node:assert';
import { parentPort } from 'node:worker_threads';
import { startTests, test } from '@vitest/runner';
import { InMemoryWriter } from 'allure-js-commons/sdk/reporter';
import AllureReporter from 'allure-vitest/reporter';

/** @import { TestResult } from 'allure-js-commons' */
/** @import { File, Task, VitestRunner } from '@vitest/runner' */
/** @import { Vitest } from 'vitest/node' */
/** @import { TestRun } from './runner.ts' */
/** @import { JudgedMeta, JudgedTest } from './judged-test.ts' */
/** @import { ReturnedTest } from './runner.ts' */

/**
 * What allure-vitest reads of a test: its ids are those of the case, and a skipped one says why.
 * @param {JudgedTest} judged
 */
const allureMetadata = ({ caseId, verdict, message, labels }) => ({
  type: 'metadata',
  data: {
    testCaseId: caseId,
    historyId: caseId,
    labels,
    ...(verdict === 'pass' || verdict === 'fail' ? {} : { description: message }),
  },
});

/**
 * Defines one test for each judged case. It judges nothing: it comes out as the case did.
 * @param {readonly JudgedTest[]} judgedTests
 */
function defineJudgedTests(judgedTests) {
  for (const judged of judgedTests) {
    const { caseId, title, verdict, message } = judged;
    test(title, ({ task, skip }) => {
      const meta = /** @type {JudgedMeta} */ ({ caseId, verdict });
      Object.assign(task.meta, meta, { allureRuntimeMessages: [allureMetadata(judged)] });
      // Observations and readings of a conflict can't fail: they passed.
      if (verdict === 'pass' || verdict === 'observed' || verdict === 'conflict') return;
      if (verdict !== 'fail') skip(message);
      const error = new AssertionError({ message });
      // A stack of ours says nothing about the target, and names folders of this machine.
      error.stack = message;
      throw error;
    });
  }
}

/** Labels that tell of the machine, not of the target. */
const machineLabels = ['host', 'thread', 'package', '_fallbackTestCaseId'];

/**
 * Makes a result the same wherever the suite is installed and from wherever it is started.
 * @type {import('allure-js-commons/sdk/reporter').LifecycleListener}
 */
const withoutMachine = {
  beforeTestResultWrite: (result) => {
    const { testCaseId, description, status } = result;
    if (testCaseId !== undefined) result.fullName = testCaseId;
    if (status === 'skipped' && description !== undefined) result.statusDetails = { message: description };
    result.titlePath = [];
    result.labels = result.labels.filter(({ name }) => !machineLabels.includes(name));
  },
};

/**
 * What allure-vitest reports of finished tests. The results are kept in memory: they are scanned for secrets before
 * they are written. Each test brings its labels in its meta, so none of the set-up of allure-vitest is needed.
 * @param {readonly File[]} files
 * @returns {readonly TestResult[]}
 */
function allureTestResults(files) {
  const reporter = new AllureReporter({ listeners: [withoutMachine] });
  reporter.onInit(/** @type {Vitest} */ ({ projects: /** @type {unknown} */ ([]) }));
  // Private in its types, and the only way to its writer.
  const inner = /** @type {{ allureReporterRuntime?: { writer: unknown } }} */ (
    /** @type {unknown} */ (reporter)
  );
  if (!inner.allureReporterRuntime) throw new Error('allure-vitest has no runtime to take a writer');
  const writer = new InMemoryWriter();
  inner.allureReporterRuntime.writer = writer;
  for (const file of files) reporter.handleTask(file);
  return writer.tests;
}

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
