import { defineConfig } from 'vitest/config';

/** A test that asserts nothing fails, as does a run that finds no test: nothing passes by doing nothing. */
export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    passWithNoTests: false,
    allowOnly: false,
    expect: { requireAssertions: true },
    restoreMocks: true,
    unstubEnvs: true,
    unstubGlobals: true,
    coverage: { provider: 'v8', include: ['src/**/*.ts', 'machines/**/*.ts'], reporter: ['text-summary', 'html'] },
  },
});
