import { globSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { defineConfig } from 'vitest/config';

/** Half of the tests wait for browsers and servers, so that two cores carry two files at once. */
const maxWorkers = Math.max(2, availableParallelism() - 1);

/**
 * Tests of what keeps nothing between calls share their modules, whose loading takes longer than most of them. Apart stand those
 * that put something else in the place of a clock, and those with a browser.
 */
const sharing = globSync(
  [
    'test/{cli,compiled,contract,core,generate,machines,replay,report,sandbox}/**/*.test.ts',
    'test/authenticators/*.test.ts',
  ],
  {
    cwd: import.meta.dirname,
    exclude: [
      'test/cli/scenario-shelf.test.ts',
      'test/core/clock.test.ts',
      'test/core/sandbox-date.test.ts',
      'test/sandbox/lease-desk.test.ts',
      'test/**/*in-browser.test.ts',
    ],
  },
);

/** The commands of the documentation: a step of `npm run check`. */
const reader = 'test/reader/**/*.test.ts';

/** A test that asserts nothing fails, as does a run that finds no test: nothing passes by doing nothing. */
export default defineConfig({
  test: {
    projects: [
      { extends: true, test: { name: 'sharing', include: sharing, isolate: false } },
      { extends: true, test: { name: 'apart', include: ['test/**/*.test.ts'], exclude: [...sharing, reader] } },
      { extends: true, test: { name: 'reader', include: [reader] } },
    ],
    setupFiles: ['test/fixed-seed.ts'],
    globalSetup: ['test/own-temporary-folder.ts'],
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
