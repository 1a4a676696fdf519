import { errorMessage } from '../../spec/text.ts';
import { dirname, extname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Worker } from 'node:worker_threads';
import { packageRoot } from '../../spec/package-root.ts';
import type { TestResult } from 'allure-js-commons';
import type { ReturnedTest } from './compare-with-plan.ts';
import type { JudgedTest } from './judged-test.ts';

/** What the runner said when it was done. */
export interface TestRun {
  readonly returned: readonly ReturnedTest[];
  /** The result of each test, as allure-vitest reports it. */
  readonly allure: readonly TestResult[];
  /** What went wrong in the runner itself: a suite file that could not be loaded, an error outside a test. */
  readonly problems: readonly string[];
  /** What the runner printed; nobody reads it unless something is wrong. */
  readonly printed: string;
}

/** Where the runner finds its suite file. */
export interface RunnerFolder {
  readonly root: string;
  readonly dir: string;
  /** Pattern of the suite file below `dir`. */
  readonly include: string;
}

/** Vitest in a thread of its own. */
export interface TestRunner {
  /** Runs one test for each judged case, once. Never rejects. */
  readonly run: (tests: readonly JudgedTest[]) => Promise<TestRun>;
  /** Ends the thread, whatever it does. */
  readonly close: () => Promise<void>;
}

const here = fileURLToPath(import.meta.url);

const folder: RunnerFolder = {
  root: packageRoot,
  dir: dirname(here),
  include: `**/judged-cases.suite${extname(here)}`,
};

/** Begins to load vitest, which takes a while: start it before the requests. */
export function startTestRunner(): TestRunner {
  const thread = new Worker(new URL('./runner-thread.mjs', import.meta.url), {
    workerData: folder,
    stdout: true,
    stderr: true,
  });
  const printed: string[] = [];
  for (const stream of [thread.stdout, thread.stderr]) {
    stream.on('data', (piece) => printed.push(String(piece)));
  }
  const ended = new Promise<TestRun>((resolve) => {
    const failed = (why: string): void =>
      resolve({ returned: [], allure: [], problems: [`the test runner failed: ${why}`], printed: '' });
    thread.once('message', resolve);
    thread.once('error', (error) => failed(errorMessage(error)));
    thread.once('exit', () => failed('its thread ended early'));
  });
  return {
    run: async (tests) => {
      thread.postMessage(tests);
      const run = await ended;
      return { ...run, printed: `${run.printed}${printed.join('')}` };
    },
    close: async () => void (await thread.terminate()),
  };
}
