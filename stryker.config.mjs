// Mutates one area at a time, `suites/checks` unless the environment names another: AREA=suites/judge npm run mutation
const area = process.env.AREA ?? 'suites/checks';

export default {
  mutate: [`${area}/**/*.ts`, '!**/*.test.ts', '!**/*.fixture.ts'],
  testRunner: 'vitest',
  // The tests beside the code: what other tests would notice besides is no credit to these.
  // A browser or a page of 1 MB for every mutant is too much; a pattern with `!` before it takes nothing out here.
  testFiles: [`${area}/**/!(*browser|html).test.ts`],
  vitest: { related: false },
  plugins: ['@stryker-mutator/vitest-runner'],
  // Wording is free to change.
  mutator: { excludedMutations: ['StringLiteral'] },
  // What is computed once, when a module loads, would need a process of its own for each mutant.
  ignoreStatic: true,
  // Stryker would rewrite it by an interface that TypeScript 7 no longer has; nothing in it needs to be.
  tsconfigFile: 'none',
  concurrency: 2,
  timeoutMS: 10_000,
  reporters: ['clear-text', 'html', 'json'],
  clearTextReporter: { logTests: false, reportTests: false, allowColor: false, skipFull: true },
  htmlReporter: { fileName: 'coverage/mutation.html' },
  jsonReporter: { fileName: 'coverage/mutation.json' },
  ignorePatterns: ['dist', '.dist-*', 'report', 'coverage', 'docs'],
};
