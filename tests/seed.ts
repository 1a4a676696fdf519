import fc from 'fast-check';

/** The generated inputs are the same in every run of the tests; `FUZZ_SEED=N npm test` makes others. */
fc.configureGlobal({ seed: Number(process.env.FUZZ_SEED ?? 20261125) });
