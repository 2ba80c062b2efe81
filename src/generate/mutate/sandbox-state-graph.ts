import type { Step, WrittenStep } from '../../contract/scenario.schema.ts';
import { NudgeLabError } from '../../core/errors.ts';
import type { SandboxModel } from '../../sandbox/sandbox.ts';
import { ModelDriver, type ModelSession } from '../../scenario/drivers/model.driver.ts';
import { FixtureLibrary } from '../../scenario/fixture-library.ts';
import { type Journey, toScenario } from '../journey.ts';
import type { ModelCallRecorder } from './model-call-recorder.ts';
import { createStateKey, modelUser, stepsAt, type TestModel } from './test-model.ts';

/** Result of a step from one session. */
export interface Outcome {
  /** Result that a user observes: page, verdict, count and status; `null` if the step is impossible. */
  readonly seen: string | null;
  readonly session: ModelSession;
}

/** State of a test model, computed on the original model. */
export interface ModelState {
  readonly number: number;
  readonly session: ModelSession;
  readonly key: string;
  /** Number of the initial state from which it was first reached. */
  readonly given: number;
  readonly from: ModelState | null;
  readonly by: WrittenStep | null;
}

/** Step of a test model, computed on the original model. */
export interface ModelEdge {
  readonly step: WrittenStep;
  readonly seen: string | null;
  readonly to: ModelState;
  /** Numbers of the model calls that the step made. */
  readonly calls: ReadonlySet<number>;
}

/**
 * Graph of a test model's states on the original model, with each step executed once and cached. Every step runs in the
 * same sandbox as scenarios, so no rule is implemented twice.
 */
export class SandboxStateGraph {
  readonly testModel: TestModel;
  readonly #book: ModelCallRecorder;
  readonly #fixtures: FixtureLibrary;
  readonly #states: ModelState[] = [];
  readonly #byKey = new Map<string, ModelState>();
  readonly #edges = new Map<ModelState, readonly ModelEdge[]>();
  readonly #further = new Map<ModelState, Map<string, ModelEdge>>();
  readonly #parsed = new Map<string, Step>();

  private constructor(testModel: TestModel, book: ModelCallRecorder, fixtures: FixtureLibrary) {
    this.#fixtures = fixtures;
    this.testModel = testModel;
    this.#book = book;
  }

  /**
   * Creates the graph for a test model. The recorder receives all model calls; the fixtures are those of the initial
   * states.
   */
  static async of(
    testModel: TestModel,
    book: ModelCallRecorder,
    fixtures = new FixtureLibrary([]),
  ): Promise<SandboxStateGraph> {
    const graph = new SandboxStateGraph(testModel, book, fixtures);
    for (const [given, beginning] of testModel.given.entries()) {
      const step = { signIn: { user: modelUser } } as WrittenStep;
      const scenario = toScenario({ ...createHead(testModel), given: beginning, steps: [step] }, fixtures);
      const opened = await new ModelDriver(book.model).open(scenario);
      graph.#getState(opened.fork(book.model), { given, from: null, by: null });
    }
    return graph;
  }

  /** Initial states, which cost nothing to reach. */
  get beginnings(): readonly ModelState[] {
    return this.#states.filter(({ from }) => from === null);
  }

  /** `true` if the state limit is exceeded. */
  get isFull(): boolean {
    return this.#states.length >= this.testModel.statesMax;
  }

  /** Lists every possible step in a state. */
  async listEdges(state: ModelState): Promise<readonly ModelEdge[]> {
    const known = this.#edges.get(state);
    if (known !== undefined) return known;
    const edges: ModelEdge[] = [];
    for (const step of stepsAt(this.testModel, [state.session.situation(modelUser)]))
      edges.push(await this.#walk(state, step));
    this.#edges.set(state, edges);
    return edges;
  }

  /** Executes one step in a state; the step need not be in the list of `listEdges`. */
  async edgeBy(state: ModelState, step: WrittenStep): Promise<ModelEdge> {
    const key = JSON.stringify(step);
    const known = (await this.listEdges(state)).find((edge) => JSON.stringify(edge.step) === key);
    if (known !== undefined) return known;
    const further = this.#further.get(state) ?? new Map<string, ModelEdge>();
    this.#further.set(state, further);
    const edge = further.get(key) ?? (await this.#walk(state, step));
    further.set(key, edge);
    return edge;
  }

  /** Executes a step from a session on a model and returns the result. */
  async perform(from: ModelSession, step: WrittenStep, model: SandboxModel): Promise<Outcome> {
    const session = from.fork(model);
    try {
      const { page, visitedPages: passed, outcome, status, body, signInId } = await session.perform(this.#parse(step));
      const asksVerdict = 'signIn' in step && signInId !== undefined;
      const verdict = asksVerdict ? await session.verdict(signInId) : null;
      const { snoozes, snoozesLeft } = await session.nudgeStatus(modelUser);
      const seen = JSON.stringify([
        page,
        passed,
        outcome,
        status,
        verdict?.outcome,
        verdict?.reason,
        snoozes,
        snoozesLeft,
        body,
      ]);
      return { seen, session };
    } catch (error) {
      if (error instanceof NudgeLabError || error instanceof RangeError || error instanceof TypeError) {
        return { seen: null, session };
      }
      throw error;
    }
  }

  async #walk(state: ModelState, step: WrittenStep): Promise<ModelEdge> {
    const calls = this.#book.begin();
    const { seen, session } = await this.perform(state.session, step, this.#book.model);
    const to = seen === null ? state : this.#getState(session, { given: state.given, from: state, by: step });
    return { step, seen, to, calls };
  }

  #getState(session: ModelSession, reached: Pick<ModelState, 'given' | 'from' | 'by'>): ModelState {
    const key = createStateKey(this.testModel, session.situation(modelUser));
    const known = this.#byKey.get(key);
    if (known !== undefined) return known;
    const state: ModelState = { number: this.#states.length, session, key, ...reached };
    this.#states.push(state);
    this.#byKey.set(key, state);
    return state;
  }

  #parse(step: WrittenStep): Step {
    const key = JSON.stringify(step);
    const known = this.#parsed.get(key);
    if (known !== undefined) return known;
    const given = this.testModel.given[0] ?? { tenant: {} };
    const begun = this.testModel.tabs.map((as) => ({ signIn: { user: modelUser, as } }));
    const { steps } = toScenario(
      { ...createHead(this.testModel), given, steps: [...begun, step] as WrittenStep[] },
      this.#fixtures,
    );
    const parsed = steps.at(-1) as Step;
    this.#parsed.set(key, parsed);
    return parsed;
  }
}

/** Returns the head of every journey in a test model, without its initial data. */
function createHead({ name, ruleset }: TestModel): Pick<Journey, 'name' | 'covers' | 'ruleset'> {
  return { name, covers: [], ...(ruleset === undefined ? {} : { ruleset }) };
}
