import type { LifecycleListener } from 'allure-js-commons/sdk/reporter';

/** Labels that tell of the machine, not of the target. */
const ofTheMachine: readonly string[] = ['host', 'thread', 'package', '_fallbackTestCaseId'];

/** Makes a result the same wherever the suite is installed and from wherever it is started. */
export const allureListener: LifecycleListener = {
  beforeTestResultWrite: (result) => {
    const { testCaseId, description, status } = result;
    if (testCaseId !== undefined) result.fullName = testCaseId;
    if (status === 'skipped' && description !== undefined) result.statusDetails = { message: description };
    result.titlePath = [];
    result.labels = result.labels.filter(({ name }) => !ofTheMachine.includes(name));
  },
};
