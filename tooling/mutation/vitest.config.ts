import { defineConfig } from 'vitest/config';
import { KillersFirst } from './killers-first.ts';

/** Test files of the module under test, from the variable that `tooling/mutation/run-mutants.ts` sets. */
const files = JSON.parse(process.env['NUDGELAB_MUTATION_TESTS'] ?? '[]') as readonly string[];

/**
 * Test files that cannot share a worker with others, because they replace a clock or load a module in a special
 * way.
 */
const isolated = [
  'test/cli/scenario-cache.test.ts',
  'test/journal/lifecycle-policy.test.ts',
  'test/sandbox/lease-manager.test.ts',
];

/**
 * Vitest configuration of `npm run mutation`. It is used in a copy of the repository whose sources contain the
 * mutants. It is separate from vitest.config.ts, whose test order and workers are meant for complete runs.
 * StrykerJS sets the pool, the number of workers and bail.
 */
export default defineConfig({
  test: {
    projects: [
      {
        extends: true,
        test: { name: 'shared', include: files.filter((file) => !isolated.includes(file)), isolate: false },
      },
      {
        extends: true,
        test: {
          name: 'isolated',
          include: files.filter((file) => isolated.includes(file)),
          experimental: { viteModuleRunner: true },
        },
      },
    ],
    provide: { tier: 'quick' },
    experimental: { viteModuleRunner: false, nodeLoader: false },
    setupFiles: ['test/fixed-seed.ts', 'tooling/mutation/active-mutant.ts'],
    globalSetup: ['test/own-temporary-folder.ts'],
    sequence: { sequencer: KillersFirst },
    // A busy machine must not fail the run without a mutant; StrykerJS stops mutants that hang.
    testTimeout: 600_000,
    hookTimeout: 600_000,
    passWithNoTests: true,
    expect: { requireAssertions: true, poll: { timeout: 20_000, interval: 20 } },
    restoreMocks: true,
    unstubEnvs: true,
    unstubGlobals: true,
  },
});
