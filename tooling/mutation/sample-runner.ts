/**
 * StrykerJS plugin with a Vitest runner that runs only the mutants of the sample. It first runs the tests that
 * cover a mutant. StrykerJS itself selects mutants only by file ranges, and runs all tests for code that is
 * executed while a module loads.
 */
import { relative } from 'node:path';
import {
  commonTokens,
  declareFactoryPlugin,
  type Injector,
  type PluginContext,
  PluginKind,
  tokens,
} from '@stryker-mutator/api/plugin';
import type {
  DryRunOptions,
  DryRunResult,
  MutantRunOptions,
  MutantRunResult,
  TestRunner,
  TestRunnerCapabilities,
} from '@stryker-mutator/api/test-runner';
import { strykerValidationSchema, strykerPlugins as vitestPlugins } from '@stryker-mutator/vitest-runner';
import { isModuleLevel } from './module-level.ts';
import { mutantKey } from './mutants.ts';

export { strykerValidationSchema };

/**
 * Environment variable with the sample as JSON, which `tooling/mutation/run-mutants.ts` sets. The sample consists of
 * the mutant keys and the folder that they are relative to.
 */
export const sampleVariable = 'NUDGELAB_MUTATION_SAMPLE';

/** Name of the runner in the StrykerJS options. */
export const sampleRunner = 'sample';

/** Maximum time of the covering tests that run first, as a share of the time of all tests. */
const coveringShare = 0.25;

/** Id that no mutant has, which makes the runner test the original source. */
const noMutant = 'none';

class SampleRunner implements TestRunner {
  readonly #vitest: TestRunner;
  readonly #root: string;
  readonly #keys: ReadonlySet<string>;
  #covering = new Map<string, readonly string[]>();

  constructor(vitest: TestRunner) {
    this.#vitest = vitest;
    const { root, keys } = JSON.parse(process.env[sampleVariable] ?? '{}') as { root: string; keys: string[] };
    this.#root = root;
    this.#keys = new Set(keys);
  }

  capabilities(): Promise<TestRunnerCapabilities> | TestRunnerCapabilities {
    return this.#vitest.capabilities();
  }

  async init(): Promise<void> {
    await this.#vitest.init?.();
  }

  async dryRun(options: DryRunOptions): Promise<DryRunResult> {
    const result = await this.#vitest.dryRun(options);
    this.#covering = coveringTests(result);
    return result;
  }

  async mutantRun(options: MutantRunOptions): Promise<MutantRunResult> {
    const { activeMutant, testFilter } = options;
    const key = mutantKey(relative(this.#root, activeMutant.fileName), activeMutant);
    if (!this.#keys.has(key)) return { status: 'survived', nrOfTests: 0 } as MutantRunResult;
    const covering = this.#covering.get(activeMutant.id);
    if (testFilter === undefined && covering !== undefined) {
      const result = await this.#checkedRun({ ...options, testFilter: [...covering] });
      if (result.status !== 'survived') return result;
    }
    const result = await this.#checkedRun(options);
    if (result.status !== 'survived' || testFilter === undefined || !isModuleLevel(activeMutant)) return result;
    return this.#runAll(options);
  }

  /**
   * Runs the tests of a mutant. A kill by selected tests counts only if they pass without the mutant: a test that
   * depends on another test of its file fails if that one is not selected.
   */
  async #checkedRun(options: MutantRunOptions): Promise<MutantRunResult> {
    const result = await this.#vitest.mutantRun(options);
    if (result.status !== 'killed' || options.testFilter === undefined) return result;
    const killers = new Set([result.killedBy].flat().map((id) => testFileIn(id)));
    const control = await this.#vitest.mutantRun({
      ...options,
      activeMutant: { ...options.activeMutant, id: noMutant },
      testFilter: options.testFilter.filter((id) => killers.has(testFileIn(id))),
    });
    return control.status === 'survived' ? result : this.#runAll(options);
  }

  #runAll({ testFilter: _selected, ...options }: MutantRunOptions): Promise<MutantRunResult> {
    return this.#vitest.mutantRun({ ...options, mutantActivation: 'static', reloadEnvironment: true });
  }

  async dispose(): Promise<void> {
    await this.#vitest.dispose?.();
  }
}

function testFileIn(testId: string): string {
  return testId.split('#', 1)[0] ?? '';
}

/** Selects the fastest tests that cover each mutant, by mutant number. */
function coveringTests(result: DryRunResult): Map<string, readonly string[]> {
  const covering = new Map<string, string[]>();
  if (result.status !== 'complete') return covering;
  const tests = result.tests.toSorted((a, b) => a.timeSpentMs - b.timeSpentMs);
  const shareMs = coveringShare * tests.reduce((sum, { timeSpentMs }) => sum + timeSpentMs, 0);
  const spentMs = new Map<string, number>();
  for (const { id, timeSpentMs } of tests) {
    for (const mutant of Object.keys(result.mutantCoverage?.perTest[id] ?? {})) {
      const spent = (spentMs.get(mutant) ?? 0) + timeSpentMs;
      if (spent > shareMs) continue;
      spentMs.set(mutant, spent);
      const ids = covering.get(mutant);
      if (ids === undefined) covering.set(mutant, [id]);
      else ids.push(id);
    }
  }
  return covering;
}

function createSampleRunner(injector: Injector<PluginContext>): TestRunner {
  const [vitest] = vitestPlugins;
  if (vitest === undefined) throw new RangeError('The runner for Vitest declares no plugin.');
  return new SampleRunner(injector.injectFunction(vitest.factory) as TestRunner);
}
createSampleRunner.inject = tokens(commonTokens.injector);

export const strykerPlugins = [declareFactoryPlugin(PluginKind.TestRunner, sampleRunner, createSampleRunner)];
