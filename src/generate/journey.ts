import type { Expectation, ScenarioGiven, Step, WrittenStep } from '../contract/scenario.schema.ts';
import { observableKeys } from '../contract/step-expectations.ts';
import { NudgeLabError } from '../core/errors.ts';
import { buildScenario } from '../scenario/build-scenario.ts';
import type { DriverSession, Observation, ObservedNudgeStatus } from '../scenario/driver.ts';
import { ModelDriver } from '../scenario/drivers/model.driver.ts';
import { FixtureLibrary } from '../scenario/fixture-library.ts';
import type { Scenario } from '../scenario/scenario.ts';
import { DataSource } from '../scenario/scenario-source.ts';
import { answersPrompt } from '../scenario/step-check.ts';
import { StepUsers } from '../scenario/step-users.ts';

/** Start of a scenario: its name, what it covers, and its initial tenant and users. */
interface JourneyHead {
  readonly name: string;
  /** Ids of rules and assumptions. */
  readonly covers: readonly string[];
  readonly tags?: readonly string[];
  /** Ruleset id. Default: `seed`. */
  readonly ruleset?: string;
  /** ISO 8601 instant. Default: 2026-01-05T09:00:00.000Z. */
  readonly clock?: string;
  readonly seed?: number;
  readonly given: ScenarioGiven;
}

/** Steps of a journey in the format of a scenario file, without expectations. */
export interface Journey extends JourneyHead {
  readonly steps: readonly WrittenStep[];
}

/** Step with its expectation, if it has one. */
export type ExpectedStep = WrittenStep & { readonly expect?: Expectation };

/** Scenario as plain data in the format of a scenario file. */
export interface ScenarioData extends JourneyHead {
  /** Rows that fill the `${names}` in the rest of the scenario. */
  readonly examples?: readonly Readonly<Record<string, unknown>>[];
  readonly steps: readonly ExpectedStep[];
}

/**
 * Runs a journey on the model and adds an expectation to each step: page, passed pages, outcome and reason of a
 * sign-in, the page after an action, a status other than 200, and the nudge status of the user if the step can change
 * it. Throws `scenario-invalid` for content that scenarios do not allow, and `journey-impossible` with the number of
 * the impossible step.
 */
export async function expectedScenario(
  journey: Journey,
  fixtures: FixtureLibrary = new FixtureLibrary([]),
): Promise<ScenarioData> {
  const scenario = toScenario(journey, fixtures);
  const walk = new Walk(journey, scenario, await new ModelDriver().open(scenario));
  return { ...journey, steps: await walk.steps() };
}

/**
 * Converts a journey or scenario data to a scenario that any driver can run. Data with examples is rejected because
 * each example is a scenario of its own.
 * @throws `scenario-invalid` if the data is invalid; the error contains the step numbers
 */
export function toScenario(data: Journey | ScenarioData, fixtures: FixtureLibrary = new FixtureLibrary([])): Scenario {
  const source = new DataSource(data.name, data);
  return { ...buildScenario(data.name, source, null, fixtures, new Map()), rows: 1 };
}

class Walk {
  readonly #journey: Journey;
  readonly #scenario: Scenario;
  readonly #session: DriverSession;
  readonly #users = new StepUsers();
  /** Last known nudge status of each user that a step touched. */
  readonly #nudgeStatuses = new Map<string, ObservedNudgeStatus | null>();

  constructor(journey: Journey, scenario: Scenario, session: DriverSession) {
    this.#journey = journey;
    this.#scenario = scenario;
    this.#session = session;
  }

  async steps(): Promise<readonly ExpectedStep[]> {
    for (const { id } of this.#scenario.plan.users) this.#nudgeStatuses.set(id, await this.#session.nudgeStatus(id));
    const steps: ExpectedStep[] = [];
    for (const step of this.#scenario.steps) {
      const written = this.#journey.steps[step.index] as WrittenStep;
      const expect = await this.#createExpectation(step);
      steps.push(Object.keys(expect).length === 0 ? written : { ...written, expect });
    }
    if (steps.some(({ expect }) => expect !== undefined)) return steps;
    throw this.#impossible(steps.length, 'end', 'the journey shows nothing that can be checked; add a sign-in');
  }

  async #createExpectation(step: Step): Promise<Expectation> {
    const observation = await this.#perform(step);
    const userId = this.#users.follow(step);
    return {
      ...toExpectation(step, observation),
      ...(await this.#expectVerdict(step, observation)),
      ...(userId === null ? {} : await this.#getNudgeStatus(step, userId)),
    };
  }

  async #perform(step: Step): Promise<Observation> {
    try {
      return await this.#session.perform(step);
    } catch (error) {
      if (!(error instanceof NudgeLabError)) throw error;
      throw this.#impossible(step.index + 1, step.kind, error.message, error);
    }
  }

  async #expectVerdict(step: Step, { signInId, explained }: Observation): Promise<Expectation> {
    if (step.kind !== 'signIn' && step.kind !== 'explain') return {};
    const verdict = explained ?? (signInId === undefined ? null : await this.#session.verdict(signInId));
    if (verdict === null) return {};
    const { outcome, reason, warnings } = verdict;
    return { outcome, reason, ...(warnings.length === 0 ? {} : { warnings: warnings.map(({ code }) => code) }) };
  }

  /** Returns the full nudge status for a sign-in and its actions, and otherwise only its changes by the step. */
  async #getNudgeStatus(step: Step, userId: string): Promise<Expectation> {
    const before = this.#nudgeStatuses.get(userId) ?? null;
    const after = await this.#session.nudgeStatus(userId);
    this.#nudgeStatuses.set(userId, after);
    if (after === null || step.kind === 'explain') return {};
    const whole = step.kind === 'signIn' || answersPrompt(step);
    const says = (key: keyof ObservedNudgeStatus) => whole || before?.[key] !== after[key];
    const { snoozes, snoozesLeft, nextPromptAt, state } = after;
    const timed = nextPromptAt !== before?.nextPromptAt || (whole && nextPromptAt !== null);
    return {
      ...(says('snoozes') ? { snoozes } : {}),
      ...(says('snoozesLeft') ? { snoozesLeft } : {}),
      ...(timed ? { nextPromptAt } : {}),
      ...(says('state') ? { state } : {}),
    };
  }

  #impossible(number: number, kind: string, message: string, cause?: unknown): NudgeLabError {
    const problems = [{ location: `${this.#journey.name}: step ${number} (${kind})`, message }];
    return new NudgeLabError('journey-impossible', { problems, cause });
  }
}

/** Returns the expectation for the step itself: its final page, and its status if that is significant. */
function toExpectation({ kind }: Step, { page, visitedPages: passed, status }: Observation): Expectation {
  const asks = observableKeys['body']?.includes(kind) === true;
  return {
    ...(page === undefined ? {} : { page }),
    // Only a sign-in without a prompt passes interstitial pages, and an empty list is significant.
    ...(kind === 'signIn' && page === 'not-nudged' && passed !== undefined ? { visitedPages: [...passed] } : {}),
    ...(status === undefined || (status === 200 && !asks) ? {} : { status }),
  };
}
