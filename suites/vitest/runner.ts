import { Worker } from 'node:worker_threads';
import type { TestResult } from 'allure-js-commons';
import { packageFile } from '../../spec/package-root.ts';
import { errorMessage } from '../../spec/text.ts';
import type { JudgedTest } from './judged-test.ts';
import { groupBy } from '../../spec/group-by.ts';
import type { ReportCase, Verdict } from '../types/report.ts';

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

export interface ReturnedTest {
  readonly caseId: string;
  readonly verdict: Verdict | undefined;
  readonly state: 'passed' | 'failed' | 'skipped' | 'pending';
}

/** As in JUnit and CTRF: observations and readings of a conflict can't fail. */
const states: Readonly<Record<Verdict, ReturnedTest['state']>> = {
  pass: 'passed',
  observed: 'passed',
  conflict: 'passed',
  fail: 'failed',
  inconclusive: 'skipped',
  untested: 'skipped',
};

/** What became of one planned case, where it isn't what it should be. */
function problemOf(
  id: string,
  outcome: ReportCase | undefined,
  tests: readonly ReturnedTest[],
): string | undefined {
  const [test] = tests;
  if (!outcome) return `${id}: was not judged`;
  if (!test) return `${id}: did not come back from the test runner`;
  if (tests.length > 1) return `${id}: came back ${tests.length} times`;
  if (test.verdict !== outcome.verdict || test.state !== states[outcome.verdict]) {
    return `${id}: was judged ${outcome.verdict} and came back ${test.state}`;
  }
  return undefined;
}

/** Where planned, judged and returned cases disagree, a line each. A vanished case must never look like a pass. */
export function joinCases(
  planned: readonly { readonly id: string }[],
  judged: ReadonlyMap<string, ReportCase>,
  returned: readonly ReturnedTest[],
): readonly string[] {
  const byId = groupBy(returned, ({ caseId }) => caseId);
  return planned.flatMap(({ id }) => problemOf(id, judged.get(id), byId.get(id) ?? []) ?? []);
}
