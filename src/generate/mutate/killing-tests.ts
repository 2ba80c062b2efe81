import type { Expectation } from '../../contract/scenario.schema.ts';
import type { Observation } from '../../scenario/driver.ts';
import { ModelDriver, type ModelSession } from '../../scenario/drivers/model.driver.ts';
import { expectedScenario, type Journey, type ScenarioData, toScenario } from '../journey.ts';
import { comparedFacts } from './fact-axes.ts';
import { EvaluatorComparison } from './facts-difference.ts';
import { factsJourney } from './facts-journey.ts';
import { ModelCallRecorder } from './model-call-recorder.ts';
import { findModelDifference } from './model-difference.ts';
import type { ModelMutant } from './model-mutant.ts';
import { type Kill, MutationSuite } from './mutation-suite.ts';
import { SandboxStateGraph } from './sandbox-state-graph.ts';
import { openPromptGoals } from './suite-models.ts';
import { modelUser, type TestModel } from './test-model.ts';
import { testModels } from './test-models.ts';

/** Result for a mutant that no scenario kills. */
export type Remainder =
  /** Shortest journey that kills the mutant or, if the search found none, a purpose-built one; and its kill. */
  | { readonly kind: 'survived'; readonly scenario: ScenarioData; readonly kill: Kill }
  | { readonly kind: 'equivalent' }
  | { readonly kind: 'undecided'; readonly message: string };

/** Decides whether mutants differ from the model, and finds a shortest journey for each difference. */
export class KillingTests {
  readonly #pairsMax: number;
  readonly #book = new ModelCallRecorder();
  readonly #graphs = new Map<TestModel, SandboxStateGraph>();
  #evaluators: EvaluatorComparison | null = null;

  /** Creates the decision procedure. `pairsMax` limits the number of differing state pairs in one search. */
  constructor(pairsMax: number) {
    this.#pairsMax = pairsMax;
  }

  /** Decides one mutant. Every reported journey has been run on the model and on the mutant. */
  async of(mutant: ModelMutant): Promise<Remainder> {
    return isAboutGates(mutant) ? this.#byFacts(mutant) : this.#byModels(mutant);
  }

  async #byFacts(mutant: ModelMutant): Promise<Remainder> {
    this.#evaluators ??= new EvaluatorComparison(comparedFacts());
    const difference = this.#evaluators.difference(mutant);
    if (difference === null) return { kind: 'equivalent' };
    if (difference === 'undecided') {
      return { kind: 'undecided', message: 'Too many combinations of facts need to be checked.' };
    }
    return this.#checked(mutant, factsJourney(this.#evaluators.space, difference, createHead(mutant)));
  }

  async #byModels(mutant: ModelMutant): Promise<Remainder> {
    let shortest: Journey | null = null;
    let undecided: string | null = null;
    for (const testModel of listTestModels(mutant)) {
      const limits = { stepsMax: shortest?.steps.length ?? stepsMax, pairsMax: this.#pairsMax };
      const found = await findModelDifference(await this.#getGraph(testModel), this.#book, mutant, limits);
      if (found.kind === 'undecided') {
        undecided ??= `No difference from the original model was found in "${testModel.name}" within ${found.depth} steps; the limit of ${found.pairs} state pairs was reached.`;
      }
      if (found.kind !== 'different') continue;
      const given = testModel.given[found.given] ?? { tenant: {} };
      if (found.steps.length < (shortest?.steps.length ?? stepsMax)) {
        const { ruleset } = testModel;
        shortest = { ...createHead(mutant), ...(ruleset === undefined ? {} : { ruleset }), given, steps: found.steps };
      }
    }
    if (shortest !== null) return this.#checked(mutant, shortest);
    return undecided === null ? { kind: 'equivalent' } : this.#byGoals(mutant, undecided);
  }

  /**
   * Tries purpose-built journeys, which need not be the shortest, for accumulated effects that are beyond any search.
   */
  async #byGoals(mutant: ModelMutant, undecided: string): Promise<Remainder> {
    for (const goal of openPromptGoals) {
      const remainder = await this.#checked(mutant, { ...createHead(mutant), given: goal.given, steps: goal.steps });
      if (remainder.kind === 'survived') return remainder;
    }
    return { kind: 'undecided', message: undecided };
  }

  async #checked(mutant: ModelMutant, journey: Journey): Promise<Remainder> {
    const scenario = await withCountAtEnd(journey);
    const suite = await MutationSuite.of([toScenario(scenario)]);
    const kill = await suite.kill(mutant);
    if (kill !== null) return { kind: 'survived', scenario, kill };
    return {
      kind: 'undecided',
      message: 'A journey that should distinguish the mutant from the model does not, so its status stays undecided.',
    };
  }

  async #getGraph(testModel: TestModel): Promise<SandboxStateGraph> {
    const graph = this.#graphs.get(testModel) ?? (await SandboxStateGraph.of(testModel, this.#book));
    this.#graphs.set(testModel, graph);
    return graph;
  }
}

/** Maximum journey length of a search; every model is fully explored long before. */
const stepsMax = 1_000;

function isAboutGates({ gateOf, part, operator, id }: ModelMutant): boolean {
  if (gateOf !== undefined || operator === 'gate-removed' || operator === 'gates-swapped') return true;
  return operator === 'cell-flipped' || (part === 'ruleset' && id.includes(' profiles:'));
}

/** Lists the models for a mutant. The data of a ruleset is read by that ruleset only. */
function listTestModels({ part, place }: ModelMutant): readonly TestModel[] {
  if (part !== 'ruleset') return testModels[part];
  return testModels[part].filter(({ ruleset = 'seed' }) => place === `ruleset ${ruleset}`);
}

function createHead({ id }: ModelMutant): Pick<Journey, 'name' | 'covers' | 'tags'> {
  return { name: `Kills ${id}`.slice(0, nameCharactersMax), covers: [], tags: ['generated', 'mutant'] };
}

const nameCharactersMax = 250;

/**
 * Creates a scenario from a journey and adds all results after its last step to the expectations: the count, or the
 * policy.
 */
async function withCountAtEnd(journey: Journey): Promise<ScenarioData> {
  const scenario = await expectedScenario(journey);
  const session = await new ModelDriver().open(toScenario(journey));
  let observed: Observation = {};
  for (const step of toScenario(journey).steps) observed = await session.perform(step);
  const last = scenario.steps.at(-1);
  if (last === undefined) return scenario;
  const seen = 'getPolicy' in last || 'patchPolicy' in last ? policySeen(observed) : await countSeen(session, scenario);
  return { ...scenario, steps: [...scenario.steps.slice(0, -1), { ...last, expect: { ...last.expect, ...seen } }] };
}

async function countSeen(session: ModelSession, { given }: ScenarioData): Promise<Expectation> {
  if (!Object.hasOwn(given.users ?? {}, modelUser)) return {};
  const { snoozes, snoozesLeft } = await session.nudgeStatus(modelUser);
  return { snoozes, snoozesLeft };
}

/** Returns the campaign as an expectation from a policy API response; a rejection is represented by its status. */
function policySeen({ body }: Observation): Expectation {
  const { registrationEnforcement } = (body ?? {}) as { readonly registrationEnforcement?: unknown };
  return registrationEnforcement === undefined ? {} : { body: { registrationEnforcement } };
}
