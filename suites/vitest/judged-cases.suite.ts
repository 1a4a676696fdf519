import { AssertionError } from 'node:assert';
import { inject, test } from 'vitest';
import type { JudgedMeta, JudgedTest } from './judged-test.ts';

/** What allure-vitest reads of a test: its ids are those of the case, and a skipped one says why. */
const allureMetadata = ({ caseId, verdict, message, labels }: JudgedTest) => ({
  type: 'metadata',
  data: {
    testCaseId: caseId,
    historyId: caseId,
    labels,
    ...(verdict === 'pass' || verdict === 'fail' ? {} : { description: message }),
  },
});

// One test for each judged case. It judges nothing: it comes out as the case did.
for (const judged of inject('judgedTests')) {
  const { caseId, title, verdict, message } = judged;
  test(title, ({ task, skip }) => {
    const meta: JudgedMeta = { caseId, verdict };
    Object.assign(task.meta, meta, { allureRuntimeMessages: [allureMetadata(judged)] });
    if (verdict === 'pass') return;
    if (verdict !== 'fail') skip(message);
    const error = new AssertionError({ message });
    // A stack of ours says nothing about the target, and names folders of this machine.
    error.stack = message;
    throw error;
  });
}
