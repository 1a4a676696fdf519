import { Worker } from 'node:worker_threads';
import { packageFile } from '../../spec/package-root.ts';
import { errorMessage } from '../../spec/text.ts';
import type { TestResult } from 'allure-js-commons';
import type { ReturnedTest } from './compare-with-plan.ts';
import type { JudgedTest } from './judged-test.ts';

/** What the runner said when it was done. */
export interface TestRun {
  readonly returned: readonly ReturnedTest[];
  /** The result of each test, as allure-vitest reports it. */
  readonly allure: readonly TestResult[];
  /** What went wrong in the runner itself: an error outside a test. */
  readonly problems: readonly string[];
}

/** The runner of vitest in a thread of its own. */
export type TestRunner = ReturnType<typeof startTestRunner>;

export function startTestRunner() {
  const thread = new Worker(packageFile('suites/vitest/runner-thread.mjs'));
  const ended = new Promise<TestRun>((resolve) => {
    const failed = (why: string): void =>
      resolve({ returned: [], allure: [], problems: [`the test runner failed: ${why}`] });
    thread.once('message', resolve);
    thread.once('error', (error) => failed(errorMessage(error)));
    thread.once('exit', () => failed('its thread ended early'));
  });
  return {
    /** Runs one test for each judged case, once. Never rejects. */
    run: (tests: readonly JudgedTest[]): Promise<TestRun> => {
      thread.postMessage(tests);
      return ended;
    },
    /** Ends the thread, whatever it does. */
    close: async (): Promise<void> => void (await thread.terminate()),
  };
}
