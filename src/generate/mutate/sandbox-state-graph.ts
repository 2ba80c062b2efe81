import type { Step, WrittenStep } from '../../contract/scenario.schema.ts';
import { NudgeLabError } from '../../core/errors.ts';
import type { SandboxModel } from '../../sandbox/sandbox.ts';
import { ModelDriver, type ModelSession } from '../../scenario/drivers/model.driver.ts';
import { FixtureLibrary } from '../../scenario/fixture-library.ts';
import { type Journey, toScenario } from '../journey.ts';
import type { ModelCallRecorder } from './model-call-recorder.ts';
import { createStateKey, stepsAt, type TestModel, worldUser } from './test-model.ts';

/** Result of a step from one session. */
export interface Outcome {
  /** Result that a user observes: page, verdict, count and status; `null` if the step is impossible. */
  readonly seen: string | null;
  readonly session: ModelSession;
}

/** State of a test model, computed on the original model. */
export interface WorldState {
  readonly number: number;
  readonly session: ModelSession;
  readonly key: string;
  /** Number of the initial state from which it was first reached. */
  readonly given: number;
  readonly from: WorldState | null;
  readonly by: WrittenStep | null;
}

/** Step of a test model, computed on the original model. */
export interface WorldEdge {
  readonly step: WrittenStep;
  readonly seen: string | null;
  readonly to: WorldState;
  /** Numbers of the model calls that the step made. */
  readonly asked: ReadonlySet<number>;
}

/**
 * Graph of a test model's states on the original model, with each step executed once and cached. Every step runs in the
 * same sandbox as scenarios, so no rule is implemented twice.
 */
export class SandboxStateGraph {
  readonly world: TestModel;
  readonly #book: ModelCallRecorder;
  readonly #fixtures: FixtureLibrary;
  readonly #states: WorldState[] = [];
  readonly #byKey = new Map<string, WorldState>();
  readonly #edges = new Map<WorldState, readonly WorldEdge[]>();
  readonly #further = new Map<WorldState, Map<string, WorldEdge>>();
  readonly #parsed = new Map<string, Step>();

  private constructor(world: TestModel, book: ModelCallRecorder, fixtures: FixtureLibrary) {
    this.#fixtures = fixtures;
    this.world = world;
    this.#book = book;
  }

  /**
   * Creates the graph for a test model. The recorder receives all model calls; the fixtures are those of the initial
   * states.
   */
  static async of(
    world: TestModel,
    book: ModelCallRecorder,
    fixtures = new FixtureLibrary([]),
  ): Promise<SandboxStateGraph> {
    const graph = new SandboxStateGraph(world, book, fixtures);
    for (const [given, beginning] of world.given.entries()) {
      const step = { signIn: { user: worldUser } } as WrittenStep;
      const scenario = toScenario({ ...createHead(world), given: beginning, steps: [step] }, fixtures);
      const opened = await new ModelDriver(book.model).open(scenario);
      graph.#getState(opened.fork(book.model), { given, from: null, by: null });
    }
    return graph;
  }

  /** Initial states, which cost nothing to reach. */
  get beginnings(): readonly WorldState[] {
    return this.#states.filter(({ from }) => from === null);
  }

  /** `true` if the state limit is exceeded. */
  get isFull(): boolean {
    return this.#states.length >= this.world.statesMax;
  }

  /** Lists every possible step in a state. */
  async listEdges(state: WorldState): Promise<readonly WorldEdge[]> {
    const known = this.#edges.get(state);
    if (known !== undefined) return known;
    const edges: WorldEdge[] = [];
    for (const step of stepsAt(this.world, [state.session.situation(worldUser)]))
      edges.push(await this.#walk(state, step));
    this.#edges.set(state, edges);
    return edges;
  }

  /** Executes one step in a state; the step need not be in the list of `edgesOf`. */
  async edgeBy(state: WorldState, step: WrittenStep): Promise<WorldEdge> {
    const key = JSON.stringify(step);
    const known = (await this.listEdges(state)).find((edge) => JSON.stringify(edge.step) === key);
    if (known !== undefined) return known;
    const further = this.#further.get(state) ?? new Map<string, WorldEdge>();
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
      const { snoozes, snoozesLeft } = await session.nudgeStatus(worldUser);
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

  async #walk(state: WorldState, step: WrittenStep): Promise<WorldEdge> {
    const asked = this.#book.begin();
    const { seen, session } = await this.perform(state.session, step, this.#book.model);
    const to = seen === null ? state : this.#getState(session, { given: state.given, from: state, by: step });
    return { step, seen, to, asked };
  }

  #getState(session: ModelSession, reached: Pick<WorldState, 'given' | 'from' | 'by'>): WorldState {
    const key = createStateKey(this.world, session.situation(worldUser));
    const known = this.#byKey.get(key);
    if (known !== undefined) return known;
    const state: WorldState = { number: this.#states.length, session, key, ...reached };
    this.#states.push(state);
    this.#byKey.set(key, state);
    return state;
  }

  #parse(step: WrittenStep): Step {
    const key = JSON.stringify(step);
    const known = this.#parsed.get(key);
    if (known !== undefined) return known;
    const given = this.world.given[0] ?? { tenant: {} };
    const begun = this.world.tabs.map((as) => ({ signIn: { user: worldUser, as } }));
    const { steps } = toScenario(
      { ...createHead(this.world), given, steps: [...begun, step] as WrittenStep[] },
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
