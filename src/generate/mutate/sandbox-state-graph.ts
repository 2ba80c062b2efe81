import type { Step, WrittenStep } from '../../contract/scenario.schema.ts';
import { NudgeLabError } from '../../core/errors.ts';
import type { SandboxModel } from '../../sandbox/sandbox.ts';
import { ModelDriver, type ModelSession } from '../../scenario/drivers/model.driver.ts';
import { FixtureLibrary } from '../../scenario/fixture-library.ts';
import { type Journey, toScenario } from '../journey.ts';
import type { ModelCallRecorder } from './model-call-recorder.ts';
import { createStateKey, stepsAt, type TestModel, worldUser } from './test-model.ts';

/** What a step leads to, from one session. */
export interface Outcome {
  /** What a user sees of it: page, verdict, count and status; `null` where the step cannot be done. */
  readonly seen: string | null;
  readonly session: ModelSession;
}

/** A state of the world on the model itself. */
export interface WorldState {
  readonly number: number;
  readonly session: ModelSession;
  readonly key: string;
  /** Number of the beginning that it was first reached from. */
  readonly given: number;
  readonly from: WorldState | null;
  readonly by: WrittenStep | null;
}

/** A step of the world on the model itself. */
export interface WorldEdge {
  readonly step: WrittenStep;
  readonly seen: string | null;
  readonly to: WorldState;
  /** Numbers of what the model was asked for it. */
  readonly asked: ReadonlySet<number>;
}

/**
 * The states of a world on the model itself, each step walked once and remembered. Every step goes through the sandbox that
 * scenarios run on, so that no rule of it is stated a second time.
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

  /** Takes the world, the book in which is noted what the model is asked, and the fixtures that the beginnings name. */
  static async of(
    world: TestModel,
    book: ModelCallRecorder,
    fixtures = new FixtureLibrary([]),
  ): Promise<SandboxStateGraph> {
    const graph = new SandboxStateGraph(world, book, fixtures);
    for (const [given, beginning] of world.given.entries()) {
      const step = { signIn: { user: worldUser } } as WrittenStep;
      const scenario = toScenario({ ...headOf(world), given: beginning, steps: [step] }, fixtures);
      const opened = await new ModelDriver(book.model).open(scenario);
      graph.#stateOf(opened.fork(book.model), { given, from: null, by: null });
    }
    return graph;
  }

  /** The states that cost nothing to be in. */
  get beginnings(): readonly WorldState[] {
    return this.#states.filter(({ from }) => from === null);
  }

  /** Whether there are more states than may be walked. */
  get isFull(): boolean {
    return this.#states.length >= this.world.statesMax;
  }

  /** Every step that can be done in a state. */
  async edgesOf(state: WorldState): Promise<readonly WorldEdge[]> {
    const known = this.#edges.get(state);
    if (known !== undefined) return known;
    const edges: WorldEdge[] = [];
    for (const step of stepsAt(this.world, [state.session.situation(worldUser)]))
      edges.push(await this.#walk(state, step));
    this.#edges.set(state, edges);
    return edges;
  }

  /** One step of a state that need not be among those above. */
  async edgeBy(state: WorldState, step: WrittenStep): Promise<WorldEdge> {
    const key = JSON.stringify(step);
    const known = (await this.edgesOf(state)).find((edge) => JSON.stringify(edge.step) === key);
    if (known !== undefined) return known;
    const further = this.#further.get(state) ?? new Map<string, WorldEdge>();
    this.#further.set(state, further);
    const edge = further.get(key) ?? (await this.#walk(state, step));
    further.set(key, edge);
    return edge;
  }

  /** What a step leads to from a session, on a model. */
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
    const to = seen === null ? state : this.#stateOf(session, { given: state.given, from: state, by: step });
    return { step, seen, to, asked };
  }

  #stateOf(session: ModelSession, reached: Pick<WorldState, 'given' | 'from' | 'by'>): WorldState {
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
      { ...headOf(this.world), given, steps: [...begun, step] as WrittenStep[] },
      this.#fixtures,
    );
    const parsed = steps.at(-1) as Step;
    this.#parsed.set(key, parsed);
    return parsed;
  }
}

/** What every journey of a world begins with, but for what is given. */
function headOf({ name, ruleset }: TestModel): Pick<Journey, 'name' | 'covers' | 'ruleset'> {
  return { name, covers: [], ...(ruleset === undefined ? {} : { ruleset }) };
}
