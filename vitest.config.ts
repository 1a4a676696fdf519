import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['{spec,suites,fixtures,reporters,cli,tests}/**/*.test.ts'],
    pool: 'threads',
    isolate: false,
    testTimeout: 30_000,
  },
});
