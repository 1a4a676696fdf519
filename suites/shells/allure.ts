import { InMemoryWriter, type LifecycleListener } from 'allure-js-commons/sdk/reporter';
import AllureReporter from 'allure-vitest/reporter';
import type { Vitest } from 'vitest/node';

/** Labels that tell of the machine, not of the target. */
const ofTheMachine: readonly string[] = ['host', 'thread', 'package', '_fallbackTestCaseId'];

/** Makes a result the same wherever the suite is installed and from wherever it is started. */
const neutral: LifecycleListener = {
  beforeTestResultWrite: (result) => {
    const { testCaseId, description, status } = result;
    if (testCaseId !== undefined) result.fullName = testCaseId;
    if (status === 'skipped' && description !== undefined) result.statusDetails = { message: description };
    result.titlePath = [];
    result.labels = result.labels.filter(({ name }) => !ofTheMachine.includes(name));
  },
};

/**
 * The reporter of allure-vitest, which keeps its files to itself: they are scanned for secrets
 * before they are written, and its own writer would flush each of hundreds of them to the disk.
 */
export class AllureInMemory extends AllureReporter {
  readonly #memory = new InMemoryWriter();

  constructor() {
    super({ listeners: [neutral] });
  }

  override onInit(vitest: Vitest): void {
    super.onInit(vitest);
    // Private in its types, and the only way to its writer.
    const { allureReporterRuntime: runtime } = this as unknown as {
      allureReporterRuntime?: { writer: unknown };
    };
    if (!runtime) throw new Error('allure-vitest has no runtime to take a writer');
    runtime.writer = this.#memory;
  }

  /** Names and texts of what goes into allure-results/. */
  files(): ReadonlyMap<string, string> {
    const { tests, attachments } = this.#memory;
    return new Map([
      ...tests.map((result): [string, string] => [`${result.uuid}-result.json`, JSON.stringify(result)]),
      ...Object.entries(attachments).map(([name, content]): [string, string] => [
        name,
        content.toString('utf8'),
      ]),
    ]);
  }
}
