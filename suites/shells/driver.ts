import { randomUUID } from 'node:crypto';
import { dirname, extname } from 'node:path';
import { Writable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import { BroadcastChannel } from 'node:worker_threads';
import type { Reporter, TestModule, Vitest } from 'vitest/node';
import { packageRoot } from '../../spec/package-root.ts';
import type { SuiteName } from '../model/report.ts';
import type { Outcome, ShellCase, ShellMessage } from './channel.ts';
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

/** The engine's end of the channel: keeps what is known, sends what has been asked for. */
function openEngineEnd(name: string) {
  const channel = new BroadcastChannel(name);
  const known = new Map<SuiteName, Outcome[]>();
  const asked = new Set<SuiteName>();
  let ended = false;
  const say = (message: ShellMessage): void => channel.postMessage(message);
  channel.onmessage = (event) => {
    const message = (event as { data: ShellMessage }).data;
    if (message.kind !== 'ask') return;
    asked.add(message.suite);
    say({ kind: 'outcomes', outcomes: known.get(message.suite) ?? [] });
    if (ended) say({ kind: 'end' });
  };
  return {
    settle: (outcome: Outcome): void => {
      const { suite } = outcome.case;
      const sofar = known.get(suite);
      if (sofar) sofar.push(outcome);
      else known.set(suite, [outcome]);
      if (asked.has(suite)) say({ kind: 'outcomes', outcomes: [outcome] });
    },
    end: (): void => {
      ended = true;
      say({ kind: 'end' });
    },
    close: (): void => channel.close(),
  };
}

/** Collects what comes back, and keeps the runner's hands off our signals. */
function createCollector() {
  const returned: Returned[] = [];
  const problems: string[] = [];
  const signals = ['SIGINT', 'SIGTERM', 'unhandledRejection'] as const;
  const listeners = (signal: (typeof signals)[number]) => process.listeners(signal as 'SIGINT');
  const ours = new Set<unknown>();
  const collect = (module: TestModule): void => {
    for (const error of module.errors()) problems.push(`${module.relativeModuleId}: ${error.message}`);
    for (const test of module.children.allTests()) {
      const { caseId, verdict } = test.meta();
      if (caseId !== undefined) returned.push({ caseId, verdict, state: test.result().state });
    }
  };
  const reporter: Reporter = {
    onInit: (_vitest: Vitest) => {
      // The runner would exit the process on the first signal, before the report is written.
      for (const signal of signals) {
        for (const listener of listeners(signal)) if (!ours.has(listener)) process.off(signal, listener);
      }
    },
    onTestRunEnd: (modules, errors) => {
      modules.forEach(collect);
      for (const error of errors) problems.push(error.message);
    },
  };
  /** To be called just before the runner is started: whoever listens by then is not the runner. */
  const start = (): void => {
    for (const signal of signals) for (const listener of listeners(signal)) ours.add(listener);
  };
  return { reporter, returned, problems, start };
}

async function runVitest(channel: string, cases: readonly ShellCase[]): Promise<ShellResult> {
  const { reporter, returned, problems, start } = createCollector();
  const printed: string[] = [];
  const sink = () =>
    new Writable({
      write: (chunk, _, done) => {
        printed.push(String(chunk));
        done();
      },
    });
  const exitCode = process.exitCode;
  let files = (): ReadonlyMap<string, string> => new Map();
  try {
    const [{ startVitest }, { AllureInMemory }] = await Promise.all([
      import('vitest/node'),
      import('./allure.ts'),
    ]);
    const suites = [...new Set(cases.map(({ suite }) => suite))];
    const allure = new AllureInMemory();
    files = () => allure.files();
    start();
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
