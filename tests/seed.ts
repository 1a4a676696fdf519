import fc from 'fast-check';
import { beforeEach } from 'vitest';

const isMutated = process.env.STRYKER_MUTATOR_WORKER !== undefined;

/** The generated inputs are the same in every run of the tests; `FUZZ_SEED=N npm test` makes others. */
fc.configureGlobal({ seed: Number(process.env.FUZZ_SEED ?? 20261125) });

// Each test has to run the code of a mutant, so it plans anew.
if (isMutated) {
  const { forgetBuilt } = await import('../suites/plan/plan.ts');
  beforeEach(forgetBuilt);
}
