import { availableParallelism } from 'node:os';
import { defineConfig } from 'vitest/config';
import { LongestFirst } from './test/longest-first.ts';

/** Half of the tests wait for browsers and servers, so two cores run two files at once. */
const maxWorkers = Math.max(2, availableParallelism() - 1);

/**
 * The suffix of a test file says what it needs: a browser, a database or Redis, or more than a few seconds. `npm test` runs the
 * files without a suffix; `npm run test:all` runs everything (`--mode all`). After `npm test`, `npm run test:rest` runs what that
 * left out (`--mode rest`), so both together are `test:all`.
 */
const needsMore = ['test/**/*.browser.test.ts', 'test/**/*.service.test.ts', 'test/**/*.long.test.ts'];

/** Files of the quick tier of which `npm test` checks a seeded part. */
const checkedInPart = ['test/compiled/compiled-evaluator.test.ts'];

/** Files that replace a clock or load a module in another way than users do, and so cannot share a worker with others. */
const isolated = [
  'test/cli/scenario-shelf.test.ts',
  'test/core/clock.test.ts',
  'test/core/sandbox-date.test.ts',
  'test/conventions/package-audit.test.ts',
  'test/journal/lifecycle-policy.test.ts',
  'test/sandbox/lease-manager.test.ts',
];

/** The commands of the documentation: a step of `npm run check`. */
const docCommands = 'test/doc-commands/**/*.test.ts';

/** A test that asserts nothing fails, as does a run that finds no test: nothing passes by doing nothing. */
export default defineConfig(({ mode }) => {
  const tier = mode === 'all' || mode === 'rest' ? 'all' : 'quick';
  const everything = mode === 'rest' ? [...needsMore, ...checkedInPart] : ['test/**/*.test.ts'];
  const later = tier === 'all' ? [] : needsMore;
  return {
    test: {
      projects: [
        {
          extends: true,
          test: {
            name: 'shared',
            include: everything,
            exclude: [...isolated, ...later, docCommands],
            isolate: false,
          },
        },
        ...(mode === 'rest'
          ? []
          : [
              {
                extends: true,
                test: { name: 'isolated', include: isolated, experimental: { viteModuleRunner: true } },
              } as const,
            ]),
        { extends: true, test: { name: 'doc-commands', include: [docCommands] } },
      ],
      provide: { tier },
      // Tests load the sources as users do: with the loader of Node, which strips the types.
      experimental: { viteModuleRunner: false, nodeLoader: false },
      setupFiles: ['test/fixed-seed.ts'],
      globalSetup: ['test/own-temporary-folder.ts', ...(tier === 'all' ? ['test/console/built-console.ts'] : [])],
      sequence: { sequencer: LongestFirst },
      maxWorkers,
      // A busy machine is not a failure; a test that hangs is. Whatever is polled for has the same time everywhere.
      testTimeout: 60_000,
      hookTimeout: 60_000,
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
