import { SandboxModel } from '../../sandbox/sandbox.ts';
import type { CoverageEvidenceSink } from '../../scenario/coverage.ts';
import { ModelDriver } from '../../scenario/drivers/model.driver.ts';
import { runScenario } from '../../scenario/run-scenario.ts';
import type { Scenario } from '../../scenario/scenario.ts';
import { ModelCallRecorder } from './model-call-recorder.ts';
import type { ModelMutant } from './model-mutant.ts';
import { asSeen, type DetectionChannel } from './state-projection.ts';

/** First detection of a mutant by a suite. */
export interface Kill {
  /** Id of the scenario. */
  readonly scenario: string;
  /** Number of the step, from 1, its name, and its line in the file. */
  readonly step: number;
  readonly kind: string;
  readonly line: number;
  /** Observed differences: page, verdict, count, status, API response, or a step that was impossible. */
  readonly through: readonly DetectionChannel[];
  readonly expected: unknown;
  readonly actual: unknown;
}

interface Run {
  readonly scenario: Scenario;
  /** Numbers of the recorded model calls. */
  readonly calls: ReadonlySet<number>;
}

/** Suite with one recorded run on the model, so each mutant runs only the scenarios that can detect it. */
export class MutationSuite {
  /** Scenarios that fail on the original model and therefore cannot detect mutants. */
  readonly failing: readonly string[];
  /** Scenarios that need another driver than the model, so they cannot detect mutants either. */
  readonly skipped: readonly string[];
  readonly #runs: readonly Run[];
  readonly #book: ModelCallRecorder;

  private constructor(
    book: ModelCallRecorder,
    runs: readonly Run[],
    others: { readonly failing: readonly string[]; readonly skipped: readonly string[] },
  ) {
    this.#book = book;
    this.#runs = runs;
    this.failing = others.failing;
    this.skipped = others.skipped;
  }

  /**
   * Runs scenarios on the model, with the expectations that a user can observe. `coverage` receives the evidence of
   * each run.
   */
  static async of(
    scenarios: readonly Scenario[],
    coverage: CoverageEvidenceSink | null = null,
  ): Promise<MutationSuite> {
    const book = new ModelCallRecorder();
    const driver = new ModelDriver(book.model);
    const runs: Run[] = [];
    const failing: string[] = [];
    const skipped: string[] = [];
    for (const scenario of scenarios.map(asSeen)) {
      const calls = book.begin();
      const { status } = await runScenario(scenario, driver, coverage);
      if (status === 'passed') runs.push({ scenario, calls });
      else (status === 'skipped' ? skipped : failing).push(scenario.id);
    }
    return new MutationSuite(book, runs, { failing, skipped });
  }

  /** Number of scenarios that pass on the model. */
  get size(): number {
    return this.#runs.length;
  }

  /**
   * Finds the first detection of a mutant; `null` if no scenario detects it. Scenarios that cover its rules run first.
   */
  async kill(mutant: ModelMutant): Promise<Kill | null> {
    const driver = new ModelDriver(new SandboxModel(mutant.parts));
    for (const { scenario } of this.#candidates(mutant)) {
      const { steps, status } = await runScenario(scenario, driver, null);
      if (status === 'passed') continue;
      const at = steps.findIndex((step) => step.status === 'failed');
      const step = steps[at];
      const mismatches = step?.mismatches ?? [];
      return {
        scenario: scenario.id,
        step: at + 1,
        kind: step?.kind ?? 'open',
        line: step?.line ?? 1,
        through: [...new Set(mismatches.map(({ key }) => key))],
        expected: mismatches[0]?.expected ?? null,
        actual: mismatches[0]?.actual ?? null,
      };
    }
    return null;
  }

  /** Lists the ids of all scenarios that detect a mutant. */
  async killers(mutant: ModelMutant): Promise<readonly string[]> {
    const driver = new ModelDriver(new SandboxModel(mutant.parts));
    const killers: string[] = [];
    for (const { scenario } of this.#candidates(mutant)) {
      const { status } = await runScenario(scenario, driver, null);
      if (status !== 'passed') killers.push(scenario.id);
    }
    return killers;
  }

  #candidates(mutant: ModelMutant): readonly Run[] {
    const otherwise = this.#book.answeredOtherwise(mutant);
    const able = otherwise === null ? this.#runs : this.#runs.filter(({ calls }) => !calls.isDisjointFrom(otherwise));
    const about = new Set(mutant.rules);
    const covers = ({ scenario }: Run) => (scenario.covers.some((id) => about.has(id)) ? 0 : 1);
    return able.toSorted((a, b) => covers(a) - covers(b) || a.scenario.steps.length - b.scenario.steps.length);
  }
}
