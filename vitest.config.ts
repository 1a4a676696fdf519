import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['{spec,suites,fixtures,reporters,cli,detection,tests}/**/*.test.ts'],
    pool: 'threads',
    isolate: false,
    maxWorkers: 2,
    // Most of a paced or a busy gateway's run is waiting.
    maxConcurrency: 8,
    testTimeout: 30_000,
  },
});
