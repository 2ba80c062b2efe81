import { globSync, readFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { matchesGlob } from 'node:path';
import { defineConfig } from 'vitest/config';
import { LongestFirst } from './test/longest-first.ts';

/**
 * Number of workers. About half of the tests wait for browsers and servers, so two files run at once even on two
 * cores.
 */
const maxWorkers = Math.max(2, availableParallelism() - 1);

/**
 * Globs of test files with special requirements. The suffix of a file names its requirement: a browser, a service
 * such as a database or Redis, or more than a few seconds. `npm test` runs the files without a suffix, and `npm run
 * test:all` runs everything (`--mode all`). `npm run test:rest` runs everything that `npm test` omitted (`--mode
 * rest`), so both together are equivalent to `test:all`.
 */
const needsMore = ['test/**/*.browser.test.ts', 'test/**/*.service.test.ts', 'test/**/*.long.test.ts'];

/** Glob of installed packages: those of folders below `test/` contain tests of their own (decision 098). */
const packages = '**/node_modules/**';

/** Files of the quick tier in which `npm test` checks only a seeded part: those that ask for the tier. */
const checkedInPart = globSync('test/**/*.test.ts', { exclude: [...needsMore, packages] }).filter((file) =>
  readFileSync(file, 'utf8').includes("/tier.ts'"),
);

/**
 * Test files that cannot share a worker with others, because they replace a clock or load a module in a special
 * way.
 */
const isolated = [
  'test/cli/cached-modules.long.test.ts',
  'test/cli/scenario-cache.test.ts',
  'test/core/clock.test.ts',
  'test/core/sandbox-date.test.ts',
  'test/conventions/package-entries.long.test.ts',
  'test/journal/lifecycle-policy.test.ts',
  'test/sandbox/lease-manager.test.ts',
];

/** Glob of the tests for the commands in the documentation, which are a step of `npm run check`. */
const docCommands = 'test/doc-commands/**/*.test.ts';

/**
 * Vitest configuration. A test without assertions fails, and so does a run without tests, because an empty run must
 * not pass.
 */
export default defineConfig(({ mode }) => {
  const tier = mode === 'all' || mode === 'rest' ? 'all' : 'quick';
  const everything = mode === 'rest' ? [...needsMore, ...checkedInPart] : ['test/**/*.test.ts'];
  const later = tier === 'all' ? [] : needsMore;
  const isolatedHere = isolated.filter(
    (file) => mode === 'all' || needsMore.some((glob) => matchesGlob(file, glob)) === (mode === 'rest'),
  );
  return {
    test: {
      projects: [
        {
          extends: true,
          test: {
            name: 'shared',
            include: everything,
            exclude: [...isolated, ...later, docCommands, packages],
            isolate: false,
          },
        },
        {
          extends: true,
          test: { name: 'isolated', include: isolatedHere, experimental: { viteModuleRunner: true } },
        },
        { extends: true, test: { name: 'doc-commands', include: [docCommands] } },
      ],
      provide: { tier },
      // Tests load the sources as users do, with the Node.js loader that strips types.
      experimental: { viteModuleRunner: false, nodeLoader: false },
      setupFiles: ['test/fixed-seed.ts', 'test/reused-keys.ts'],
      globalSetup: ['test/own-temporary-folder.ts', ...(tier === 'all' ? ['test/console/built-console.ts'] : [])],
      sequence: { sequencer: LongestFirst },
      maxWorkers,
      // The timeouts are long because a busy machine must not cause a failure. Only a test that hangs fails. All polling
      // uses the same timeout.
      testTimeout: tier === 'all' ? 240_000 : 60_000,
      hookTimeout: tier === 'all' ? 240_000 : 60_000,
      expect: { requireAssertions: true, poll: { timeout: 20_000, interval: 20 } },
      passWithNoTests: false,
      allowOnly: false,
      restoreMocks: true,
      unstubEnvs: true,
      unstubGlobals: true,
      coverage: { provider: 'v8', include: ['src/**/*.ts', 'machines/**/*.ts'], reporter: ['text-summary', 'html'] },
    },
  };
});
