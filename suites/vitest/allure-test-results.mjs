// @ts-check
// JavaScript like the thread that it runs in.
import { InMemoryWriter } from 'allure-js-commons/sdk/reporter';
import AllureReporter from 'allure-vitest/reporter';

/** @import { TestResult } from 'allure-js-commons' */
/** @import { File } from '@vitest/runner' */
/** @import { Vitest } from 'vitest/node' */

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
export function allureTestResults(files) {
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
