// @ts-check
// JavaScript like the thread that it runs in.
import { AssertionError } from 'node:assert';
import { test } from '@vitest/runner';

/** @import { JudgedMeta, JudgedTest } from './judged-test.ts' */

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
export function defineJudgedTests(judgedTests) {
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
