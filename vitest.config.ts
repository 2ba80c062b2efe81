import { availableParallelism } from 'node:os';
import { defineConfig } from 'vitest/config';

/** Half of the tests wait for browsers and servers, so that two cores carry two files at once. */
const maxWorkers = Math.max(2, availableParallelism() - 1);

/** A test that asserts nothing fails, as does a run that finds no test: nothing passes by doing nothing. */
export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    setupFiles: ['test/fixed-seed.ts'],
    maxWorkers,
    // A machine with other work on it is no failure: a test that hangs is one all the same.
    testTimeout: 30_000,
    hookTimeout: 60_000,
    passWithNoTests: false,
    allowOnly: false,
    expect: { requireAssertions: true },
    restoreMocks: true,
    unstubEnvs: true,
    unstubGlobals: true,
    coverage: { provider: 'v8', include: ['src/**/*.ts', 'machines/**/*.ts'], reporter: ['text-summary', 'html'] },
  },
});
