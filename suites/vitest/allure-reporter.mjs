// @ts-check
// JavaScript like the thread that it runs in.
import { InMemoryWriter } from 'allure-js-commons/sdk/reporter';
import AllureReporter from 'allure-vitest/reporter';

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
 * The reporter of allure-vitest, which keeps its results to itself: they are scanned for secrets before they are
 * written. Each test brings its labels in its meta, so that its worker needs none of the set-up of allure-vitest.
 */
export function createAllureReporter() {
  const reporter = new AllureReporter({ listeners: [withoutMachine] });
  const writer = new InMemoryWriter();
  const onInit = reporter.onInit.bind(reporter);
  // These are private in its types, and the only way to its writer and past its set-up.
  const inner = /** @type {Record<string, unknown> & { allureReporterRuntime?: { writer: unknown } }} */ (
    /** @type {unknown} */ (reporter)
  );
  inner.registerSetupFile = () => {};
  inner.enableConcurrencySupport = () => {};
  reporter.onInit = (vitest) => {
    onInit(vitest);
    if (!inner.allureReporterRuntime) throw new Error('allure-vitest has no runtime to take a writer');
    inner.allureReporterRuntime.writer = writer;
  };
  return { reporter, results: () => writer.tests };
}
