import type { WrittenStep } from '../../contract/scenario.schema.ts';
import type { FixtureLibrary } from '../../scenario/fixture-library.ts';
import type { Journey } from '../journey.ts';
import { ModelCallRecorder } from '../mutate/model-call-recorder.ts';
import { type ModelState, SandboxStateGraph } from '../mutate/sandbox-state-graph.ts';
import { createStateKey, modelUser, type TestModel } from '../mutate/test-model.ts';
import type { JourneyDifference } from './compare-journey.ts';
import { createModelFromJourney } from './model-from-journey.ts';
import { possibleJourney } from './model-walk.ts';

/** Limits for shrinking. */
export interface ShrinkOptions {
  /** Maximum number of journeys to try. */
  readonly triesMax: number;
  readonly canContinue: () => boolean;
  /** `true` to keep the last step even if the model cannot perform it. */
  readonly keepsLast?: boolean;
  readonly onTry?: (tries: number, steps: number) => void;
}

/** Finds the failure of a journey; `null` if it passes. */
export type Check = (journey: Journey) => Promise<JourneyDifference | null>;

/** Shrunk journey with the remaining difference and how it was found. */
export interface Shrunk {
  readonly difference: JourneyDifference;
  readonly tries: number;
  /** `true` if no single step can be removed; `false` if the limit of tries or time ended the search. */
  readonly isMinimal: boolean;
}

/**
 * Shrinks a journey on which a system differs from the model. It removes ranges of steps, large ones first (delta
 * debugging), together with steps that become impossible. Then it replaces the path to the difference by the shortest
 * path on the model.
 */
export async function shrinkJourney(
  difference: JourneyDifference,
  check: Check,
  fixtures: FixtureLibrary,
  options: ShrinkOptions,
): Promise<Shrunk> {
  return new Shrinker(difference, check, fixtures, options).run();
}

class Shrinker {
  readonly #check: Check;
  readonly #fixtures: FixtureLibrary;
  readonly #options: ShrinkOptions;
  #best: JourneyDifference;
  #tries = 0;
  readonly #tried = new Set<string>();

  constructor(difference: JourneyDifference, check: Check, fixtures: FixtureLibrary, options: ShrinkOptions) {
    this.#best = difference;
    this.#check = check;
    this.#fixtures = fixtures;
    this.#options = options;
  }

  async run(): Promise<Shrunk> {
    await this.#byLeavingOut();
    await this.#byRouting();
    await this.#byLeavingOut();
    await this.#byShorter();
    return { difference: this.#best, tries: this.#tries, isMinimal: this.#mayTry() };
  }

  /** Removes ranges of steps by delta debugging: first half of the steps, then smaller ranges, down to single steps. */
  async #byLeavingOut(): Promise<void> {
    for (let size = Math.ceil(this.#body.length / 2); size >= 1 && this.#mayTry(); size = Math.floor(size / 2)) {
      let at = 0;
      while (at < this.#body.length && this.#mayTry()) {
        const shorter = [...this.#body.toSpliced(at, size), ...this.#kept];
        // After a removal, the same index refers to the next step.
        if (!(await this.#stillDiffers(shorter))) at += size;
      }
    }
  }

  /** Reaches the state before the last step by a shortest path on the model. */
  async #byRouting(): Promise<void> {
    const last = this.#steps.at(-1);
    if (last === undefined) return;
    const way = await shortestWay(this.#journey, this.#fixtures);
    if (way !== null && way.length + 1 < this.#steps.length) await this.#stillDiffers([...way, last]);
  }

  /**
   * Tries journeys with other paths, which removal cannot find: from the same initial state, every shorter path to a
   * different model state, followed by any step, shortest first.
   */
  async #byShorter(): Promise<void> {
    const testModel = this.#kept.length > 0 ? null : createModelFromJourney(this.#journey, statesMax);
    if (testModel === null) return;
    const graph = await SandboxStateGraph.of(testModel, new ModelCallRecorder(), this.#fixtures);
    const triesAtMost = this.#tries + shorterTriesMax;
    for await (const [state, way] of waysFrom(graph, testModel)) {
      if (way.length + 1 >= this.#steps.length) return;
      for (const edge of await graph.listEdges(state)) {
        if (!this.#mayTry() || this.#tries >= triesAtMost) return;
        if (edge.seen !== null && (await this.#stillDiffers([...way, edge.step]))) return;
      }
    }
  }

  async #stillDiffers(steps: readonly WrittenStep[]): Promise<boolean> {
    if (steps.length === 0) return false;
    const kept = this.#kept;
    const body = steps.slice(0, steps.length - kept.length);
    const possible = await possibleJourney({ ...this.#journey, steps: body }, this.#fixtures);
    const journey = { ...possible, steps: [...possible.steps, ...kept] };
    const key = JSON.stringify(journey.steps);
    if (journey.steps.length === 0 || journey.steps.length >= this.#steps.length || this.#tried.has(key)) return false;
    if (!journey.steps.some((step) => 'signIn' in step || 'explain' in step)) return false;
    this.#tried.add(key);
    this.#tries += 1;
    this.#options.onTry?.(this.#tries, this.#steps.length);
    // The fixed last step can act on a tab that no step opens any more. That is not a journey, and so not a failure.
    const found = await this.#check(journey).catch(() => null);
    if (found === null || found.step === 0) return false;
    this.#best = found;
    return true;
  }

  #mayTry(): boolean {
    return this.#tries < this.#options.triesMax && this.#options.canContinue();
  }

  get #steps(): readonly WrittenStep[] {
    return this.#journey.steps;
  }

  /** Steps that can be removed, without the fixed ones. */
  get #body(): readonly WrittenStep[] {
    return this.#steps.slice(0, this.#steps.length - this.#kept.length);
  }

  get #kept(): readonly WrittenStep[] {
    return this.#options.keepsLast === true ? this.#steps.slice(-1) : [];
  }

  get #journey(): Journey {
    return withoutExpectations(this.#best.scenario);
  }
}

/** Returns a journey without its expectations. */
export function withoutExpectations(scenario: Journey): Journey {
  const steps = scenario.steps.map((step) => {
    const { expect: _said, ...verb } = step as WrittenStep & { readonly expect?: unknown };
    return verb as WrittenStep;
  });
  return { ...scenario, steps };
}

/** Maximum number of journeys tried for being shorter, apart from those found by removal. */
const shorterTriesMax = 80;

/** Maximum number of states searched for a shorter path. */
const statesMax = 3_000;

/** Finds a shortest sequence of the journey's own steps to the state before its last step; `null` if none is found. */
async function shortestWay(journey: Journey, fixtures: FixtureLibrary): Promise<readonly WrittenStep[] | null> {
  const testModel = createModelFromJourney(journey, statesMax);
  if (testModel === null) return null;
  const graph = await SandboxStateGraph.of(testModel, new ModelCallRecorder(), fixtures);
  const [first] = graph.beginnings;
  if (first === undefined) return null;
  let state: ModelState = first;
  for (const step of journey.steps.slice(0, -1)) state = (await graph.edgeBy(state, step)).to;
  const wanted = createStateKey(testModel, state.session.situation(modelUser));
  return wayTo(graph, testModel, wanted);
}

async function wayTo(
  graph: SandboxStateGraph,
  testModel: TestModel,
  wanted: string,
): Promise<readonly WrittenStep[] | null> {
  for await (const [state, way] of waysFrom(graph, testModel)) if (state.key === wanted) return way;
  return null;
}

/** Yields every state of a model with a shortest path to it, nearest first, up to the state limit. */
export async function* waysFrom(
  graph: SandboxStateGraph,
  testModel: TestModel,
): AsyncGenerator<readonly [ModelState, readonly WrittenStep[]], void> {
  const ways = new Map<ModelState, readonly WrittenStep[]>(graph.beginnings.map((state) => [state, []]));
  // The loop also visits the entries that it adds to the map.
  for (const [state, way] of ways) {
    yield [state, way];
    if (ways.size > testModel.statesMax) return;
    for (const edge of await graph.listEdges(state)) {
      if (edge.seen !== null && !ways.has(edge.to)) ways.set(edge.to, [...way, edge.step]);
    }
  }
}
