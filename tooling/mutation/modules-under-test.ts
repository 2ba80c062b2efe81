import { globSync } from 'node:fs';

/** Part of the source, with the tests that must kill its mutants. */
export interface ModuleUnderTest {
  readonly path: string;
  /** Globs of test files. Tests that need a browser, a database or processes are excluded. */
  readonly tests: readonly string[];
  /**
   * Globs of the test files that run source in worker threads, which coverage does not include. They also run for the
   * mutants that no test covers.
   */
  readonly threadTests: readonly string[];
  /** Globs of source files that these tests cannot reach. The reasons are in docs/mutation-testing.md. */
  readonly omitted: readonly string[];
  /** Minimum score in percent. */
  readonly scoreMin: number;
}

/** Test files of installed packages, and those that need a service or start processes, which would be repeated for each mutant. */
const omittedTests: readonly string[] = [
  'test/**/node_modules/**',
  'test/**/*.{browser,service}.test.ts',
  'test/cli/{exec,process,user-module}.test.ts',
  'test/cli/mcp.long.test.ts',
  'test/journal/crash.long.test.ts',
  'test/server/attacks/no-outgoing-request.long.test.ts',
];

const scoreMin = 85;
const usual = { omitted: [], threadTests: [], scoreMin };

export const modulesUnderTest: readonly ModuleUnderTest[] = [
  { ...usual, path: 'machines/rules', tests: ['test/machines/**/*.test.ts'], scoreMin: 100 },
  {
    ...usual,
    path: 'src/journal',
    tests: ['test/{journal,sandbox,replay}/**/*.test.ts', 'test/server/control-api*.test.ts'],
    omitted: ['src/journal/stores/*postgres*', 'src/journal/stores/structure-thread.ts'],
  },
  { ...usual, path: 'src/sandbox', tests: ['test/{sandbox,journal,server}/**/*.test.ts'] },
  {
    ...usual,
    path: 'src/scenario',
    tests: ['test/scenario/**/*.test.ts', 'test/cli/{run,lint,transcripts}*.test.ts'],
    omitted: ['src/scenario/drivers/browser/**', 'src/scenario/drivers/browser.driver.ts'],
  },
  {
    ...usual,
    path: 'src/replay',
    tests: ['test/replay/**/*.test.ts', 'test/cli/{import,replay,compare,transcripts}*.test.ts'],
  },
  {
    ...usual,
    path: 'src/forecast',
    tests: ['test/forecast/**/*.test.ts', 'test/cli/{forecast,transcripts}*.test.ts'],
    omitted: ['src/forecast/{forecast-thread,partition-kind,queue-forecast,queue-partition}.ts'],
  },
  {
    ...usual,
    path: 'src/report',
    tests: ['test/report/**/*.test.ts', 'test/cli/{compare,forecast,run,transcripts}*.test.ts'],
  },
  {
    ...usual,
    path: 'src/cli',
    tests: ['test/cli/**/*.test.ts', 'test/server/control-api-analyses.long.test.ts'],
    threadTests: ['test/cli/mcp.test.ts', 'test/server/control-api-analyses.long.test.ts'],
    omitted: ['src/cli/main.ts', 'src/cli/queue/**'],
  },
  { ...usual, path: 'src/server', tests: ['test/server/**/*.test.ts'] },
];

/** Lists the test files for the mutants of a module, relative to the repository root. */
export function testFilesFor(root: string, { tests }: Pick<ModuleUnderTest, 'tests'>): readonly string[] {
  return [...globSync(tests, { cwd: root, exclude: omittedTests })].sort();
}
