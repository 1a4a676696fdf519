import { randomUUID } from 'node:crypto';
import { dirname, extname } from 'node:path';
import { Writable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import type { Reporter, TestModule } from 'vitest/node';
import { packageRoot } from '../../spec/package-root.ts';
import type { Outcome, ShellCase } from './channel.ts';
import { openEngineEnd } from './engine-end.ts';
import type { Returned } from './join.ts';

/** What the runner said when it was done. */
export interface ShellResult {
  readonly returned: readonly Returned[];
  /** What went wrong in the runner itself: a shell that could not be loaded, an error outside a test. */
  readonly problems: readonly string[];
  /** Files of allure-results/ by name, not yet scanned for secrets. */
  readonly allure: ReadonlyMap<string, string>;
  /** What the runner printed; nobody reads it unless something is wrong. */
  readonly printed: string;
}

/** The test runner, which takes cases as they are judged. */
export interface Shells {
  /** Hands a judged case to its test. */
  readonly settle: (outcome: Outcome) => void;
  /** Says that nothing more comes: tests that still wait fail as not run. */
  readonly end: () => void;
  /** Loads and runs it, which takes a while: start the engine first. Never rejects. */
  readonly run: () => Promise<ShellResult>;
}

const here = fileURLToPath(import.meta.url);

/** Signals that the runner would end the process on, at once and before the report is written. */
const signals: readonly (string | symbol)[] = ['SIGINT', 'SIGTERM', 'unhandledRejection'];

/**
 * Keeps the runner's hands off our signals: whoever begins to listen from now on is the runner. It begins
 * before it tells any reporter of itself, so that it has to be caught in the act.
 */
function keepSignals(): () => void {
  const refuse = (signal: string | symbol, listener: (...values: unknown[]) => void): void => {
    // It is told before the listener is there; no signal is taken between this and the microtask.
    if (signals.includes(signal)) queueMicrotask(() => process.off(signal as 'SIGINT', listener));
  };
  process.on('newListener', refuse);
  return () => void process.off('newListener', refuse);
}

/** Collects what comes back. */
function createCollector() {
  const returned: Returned[] = [];
  const problems: string[] = [];
  const collect = (module: TestModule): void => {
    for (const error of module.errors()) problems.push(`${module.relativeModuleId}: ${error.message}`);
    for (const test of module.children.allTests()) {
      const { caseId, verdict } = test.meta();
      if (caseId !== undefined) returned.push({ caseId, verdict, state: test.result().state });
    }
  };
  const reporter: Reporter = {
    onTestRunEnd: (modules, errors) => {
      modules.forEach(collect);
      for (const error of errors) problems.push(error.message);
    },
  };
  return { reporter, returned, problems };
}

async function runVitest(channel: string, cases: readonly ShellCase[]): Promise<ShellResult> {
  const { reporter, returned, problems } = createCollector();
  const printed: string[] = [];
  const sink = () =>
    new Writable({
      write: (chunk, _, done) => {
        printed.push(String(chunk));
        done();
      },
    });
  const exitCode = process.exitCode;
  const giveBack = keepSignals();
  let files = (): ReadonlyMap<string, string> => new Map();
  try {
    const [{ startVitest }, { AllureInMemory }] = await Promise.all([
      import('vitest/node'),
      import('./allure.ts'),
    ]);
    const suites = [...new Set(cases.map(({ suite }) => suite))];
    const allure = new AllureInMemory();
    files = () => allure.files();
    await startVitest(
      'test',
      [],
      {
        run: true,
        watch: false,
        config: false,
        root: packageRoot,
        dir: dirname(here),
        include: suites.map((suite) => `**/${suite}.suite${extname(here)}`),
        exclude: [],
        pool: 'threads',
        isolate: false,
        maxWorkers: 1,
        maxConcurrency: cases.length + 1,
        testTimeout: 0,
        cache: false,
        provide: { conformance: { channel, cases } },
        reporters: [reporter, allure],
      },
      { logLevel: 'silent', envDir: false },
      { stdout: sink(), stderr: sink() },
    );
  } catch (error) {
    problems.push(`the test runner failed: ${(error as Error).message}`);
  }
  giveBack();
  // The runner sets it for failed tests; what a failed case means for the process is not its business.
  process.exitCode = exitCode;
  return { returned, problems, allure: files(), printed: printed.join('') };
}

/** Readies the test runner on the package's own suite shells, one test for each case. */
export function openShells(cases: readonly ShellCase[]): Shells {
  const name = `gateway-conformance-${randomUUID()}`;
  const { settle, end, close } = openEngineEnd(name);
  return { settle, end, run: () => runVitest(name, cases).finally(close) };
}
