import { rmSync } from 'node:fs';
import { join, relative } from 'node:path';
import type { LogLevel, MutantResult } from '@stryker-mutator/api/core';
import { Stryker } from '@stryker-mutator/core';
import { type ModuleUnderTest, testFilesFor } from './modules-under-test.ts';
import { type ListedMutant, type MutantOutcome, mutantKey } from './mutants.ts';
import { sampleRunner, sampleVariable } from './sample-runner.ts';

const statuses: Readonly<Record<string, MutantOutcome['status']>> = {
  Killed: 'killed',
  Timeout: 'timed-out',
  RuntimeError: 'broken',
  Survived: 'survived',
  NoCoverage: 'not-covered',
};

/**
 * Time limit for the tests of a mutant: a multiple of their usual time, and an additional number of milliseconds.
 * It is generous because slow tests on a busy machine must not count as a timeout. Most infinite loops end earlier
 * through a limit on the number of times they reach the mutant.
 */
const timeoutFactor = 5;
const timeoutMs = 120_000;
const dryRunMinutes = 20;

/**
 * Runs mutants against the tests of their module, one at a time, in a copy of the repository that is deleted
 * afterwards. `root` is the repository root. Returns a result for each mutant. Throws if a test fails without a
 * mutant.
 */
export async function runMutants(
  root: string,
  module: ModuleUnderTest,
  mutants: readonly ListedMutant[],
): Promise<readonly MutantOutcome[]> {
  const outcomes = await runOnce(root, testFilesFor(root, module), mutants, 'perTest');
  const repeated = [
    ...(await repeat(root, { tests: module.threadTests }, outcomes, 'not-covered')),
    ...(await repeat(root, module, outcomes, 'timed-out')),
  ];
  const repeatedOutcomes = new Map(repeated.map((outcome) => [outcome.mutant.key, outcome]));
  return outcomes.map((outcome) => repeatedOutcomes.get(outcome.mutant.key) ?? outcome);
}

/**
 * Runs the mutants with one of two doubtful statuses again, with all tests instead of those that cover the mutant.
 * Coverage does not include worker threads, and selected tests on a busy machine can exceed their time limit although
 * nothing hangs.
 */
async function repeat(
  root: string,
  module: Pick<ModuleUnderTest, 'tests'>,
  outcomes: readonly MutantOutcome[],
  doubtful: 'not-covered' | 'timed-out',
): Promise<readonly MutantOutcome[]> {
  const mutants = outcomes.filter(({ status }) => status === doubtful).map(({ mutant }) => mutant);
  const files = testFilesFor(root, module);
  if (mutants.length === 0 || files.length === 0) return [];
  const repeated = await runOnce(root, files, mutants, 'off');
  return repeated.filter(({ status }) => !(doubtful === 'not-covered' && status === 'survived'));
}

async function runOnce(
  root: string,
  testFiles: readonly string[],
  mutants: readonly ListedMutant[],
  coverageAnalysis: 'off' | 'perTest',
): Promise<readonly MutantOutcome[]> {
  process.env['NUDGELAB_MUTATION_TESTS'] = JSON.stringify(testFiles);
  process.env[sampleVariable] = JSON.stringify({ root, keys: mutants.map(({ key }) => key) });
  const copy = join('.mutation', String(process.pid));
  process.once('exit', () => rmSync(join(root, copy), { recursive: true, force: true }));
  const running: Promise<readonly MutantResult[]> = new Stryker({
    mutate: [...new Set(mutants.map(({ range }) => range))],
    testRunner: sampleRunner,
    plugins: [join(import.meta.dirname, 'sample-runner.ts')],
    vitest: { configFile: 'tooling/mutation/vitest.config.ts', related: false, pool: 'forks' },
    coverageAnalysis,
    concurrency: 1,
    timeoutMS: timeoutMs,
    timeoutFactor,
    dryRunTimeoutMinutes: dryRunMinutes,
    disableTypeChecks: false,
    // StrykerJS rewrites a tsconfig with the TypeScript API, which version 7 no longer has.
    tsconfigFile: 'none.json',
    tempDirName: copy,
    cleanTempDir: 'always',
    ignorePatterns: ['.git', '.mutation', 'bench', 'coverage', 'dist', 'nudgelab-report', '.nudgelab', 'my-suite'],
    reporters: ['progress-append-only'],
    warnings: { slow: false, unknownOptions: true, preprocessorErrors: true, unserializableOptions: true },
    logLevel: 'warn' as LogLevel,
  }).runMutationTest();
  const results = await running;
  const statusByKey = new Map(results.map((result) => [reportedKey(root, result), statuses[result.status]]));
  return mutants.map((mutant) => {
    const status = statusByKey.get(mutant.key);
    if (status === undefined) throw new RangeError(`StrykerJS did not report a status for ${mutant.key}.`);
    return { mutant, status };
  });
}

/**
 * Returns the key of a mutant in a report. Reports count lines and columns from 1, and the instrumenter counts from
 * 0.
 */
function reportedKey(root: string, { fileName, location, mutatorName, replacement }: MutantResult): string {
  const [start, end] = [location.start, location.end].map(({ line, column }) => ({
    line: line - 1,
    column: column - 1,
  }));
  if (start === undefined || end === undefined) throw new RangeError(`A mutant of ${fileName} has no location.`);
  return mutantKey(relative(root, fileName), { location: { start, end }, mutatorName, replacement: replacement ?? '' });
}
