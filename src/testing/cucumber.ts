import './supported-node.ts';
import { NudgeLabError } from '../core/errors.ts';
import { mergePatch } from '../core/merge-patch.ts';
import { parseStep } from '../scenario/build-scenario.ts';
import type { DriverSession, Observation } from '../scenario/driver.ts';
import { ModelDriver } from '../scenario/drivers/model.driver.ts';
import { listMismatches } from '../scenario/expect.ts';
import { parseExpectation, parseGiven, sentencePatterns, stepOfSentence } from '../scenario/gherkin-phrases.ts';
import { DataSource } from '../scenario/scenario-source.ts';
import { StepUsers } from '../scenario/step-users.ts';
import { planTestSandbox, type SandboxSetup } from './given.ts';
import type { PlannedTestSandbox } from './test-sandbox.ts';

type Definition = (this: object, sentence: string) => Promise<void> | void;
type Define = (pattern: RegExp, definition: Definition) => unknown;

/** Functions of Cucumber that define steps. */
export interface StepRegistry {
  readonly Given: Define;
  readonly When: Define;
  readonly Then: Define;
}

/** Running scenario of a feature. */
class FeatureRun {
  #given: Readonly<Record<string, unknown>> = {};
  #session: DriverSession | null = null;
  #planned: PlannedTestSandbox | null = null;
  #seen: Observation = {};
  readonly #users = new StepUsers();
  #signInId: string | null = null;

  /** Adds a sentence to the initial state. */
  begin(sentence: string): void {
    this.#given = mergePatch(this.#given, parseGiven(sentence) ?? {}, 'keep') as Readonly<Record<string, unknown>>;
  }

  /** Performs a step. */
  async act(sentence: string): Promise<void> {
    this.#planned ??= planTestSandbox(this.#given as SandboxSetup);
    this.#session ??= await new ModelDriver().open(this.#planned);
    const step = parseStep(stepOfSentence(sentence), 0, new DataSource(sentence, null), this.#planned.fixtures);
    this.#seen = await this.#session.perform(step);
    this.#users.follow(step);
    this.#signInId = this.#seen.signInId ?? this.#signInId;
  }

  /** Checks the result of the last step against a sentence. */
  async check(sentence: string): Promise<void> {
    const session = this.#session;
    if (session === null) throw new NudgeLabError('prompt-not-open', { message: 'No step has run yet.' });
    const { explained } = this.#seen;
    const userId = this.#users.current;
    const mismatches = listMismatches(parseExpectation(sentence) ?? {}, {
      observation: this.#seen,
      verdict: explained ?? (this.#signInId === null ? null : await session.verdict(this.#signInId)),
      nudgeStatus: userId === null ? null : await session.nudgeStatus(userId),
    });
    if (mismatches.length === 0) return;
    const texts = mismatches.map(({ key, expected, actual }) => {
      return `${key} is ${JSON.stringify(actual)}, but ${JSON.stringify(expected)} was expected`;
    });
    throw new Error(texts.join('; '));
  }
}

/**
 * Defines the steps for the feature files of `nudgelab generate --format gherkin`. Each scenario runs on a sandbox in this
 * process. The parameter contains the functions `Given`, `When` and `Then` of Cucumber.
 *
 * ```js
 * import { Given, Then, When } from '@cucumber/cucumber';
 * import { defineSteps } from 'nudgelab/cucumber';
 *
 * defineSteps({ Given, When, Then });
 * ```
 */
export function defineSteps({ Given, When, Then }: StepRegistry): void {
  const runs = new WeakMap<object, FeatureRun>();
  const getRun = (scenario: object): FeatureRun => {
    const run = runs.get(scenario) ?? new FeatureRun();
    runs.set(scenario, run);
    return run;
  };
  const define = (
    registry: Define,
    patterns: readonly RegExp[],
    work: (run: FeatureRun, text: string) => Promise<void> | void,
  ) => {
    for (const pattern of patterns) {
      // Cucumber counts the parameters of a function and passes its World object as `this`.
      registry(pattern, function (sentence) {
        return work(getRun(this), sentence);
      });
    }
  };
  define(Given, sentencePatterns.Given, (run, text) => run.begin(text));
  define(When, sentencePatterns.When, (run, text) => run.act(text));
  define(Then, sentencePatterns.Then, (run, text) => run.check(text));
}
