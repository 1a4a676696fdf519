import { defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** The slowest first: begun last, they would leave the other core idle. */
class SlowFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const isSlow = ({ moduleId }: TestSpecification): boolean =>
      /\/detection\/|\/cli\/|\/suites\/run\/|browser\.test|\/docs\.test/.test(moduleId);
    const sorted = await super.sort(files);
    return [...sorted.filter(isSlow), ...sorted.filter((file) => !isSlow(file))];
  }
}

/** As the command has it (`cli/bin.mjs`). */
const optimizedLater =
  Number.parseInt(process.versions.v8, 10) < 12
    ? '--interrupt-budget=1000000'
    : '--invocation-count-for-turbofan=45000';
const isMutated = process.env.STRYKER_MUTATOR_WORKER !== undefined;

export default defineConfig({
  test: {
    include: ['{spec,suites,fixtures,reporters,cli,detection,tests}/**/*.test.ts'],
    globalSetup: ['scripts/report-types.mjs'],
    setupFiles: ['tests/seed.ts'],
    // A test may change the folder of its process, which a thread can't.
    pool: 'forks',
    isolate: false,
    // As Node does: the default export of a CommonJS module is all of it.
    deps: { interopDefault: false },
    // A run makes much that is gone at once: with more room for it V8 collects less often. Most code runs a few times:
    // to optimize it early costs more than it saves. Stryker runs the tests in threads, which don't take the flags.
    execArgv: isMutated ? [] : ['--max-semi-space-size=64', optimizedLater],
    // One more than CI has cores: much of a test is waiting for a slow target.
    maxWorkers: 3,
    // Half of a run is waiting: more at once would be slower each, and no faster together.
    maxConcurrency: 6,
    sequence: { sequencer: SlowFirst },
    testTimeout: 120_000,
    hookTimeout: 120_000,
  },
});
