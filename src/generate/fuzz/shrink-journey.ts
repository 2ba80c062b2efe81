import type { WrittenStep } from '../../contract/scenario.schema.ts';
import type { FixtureLibrary } from '../../scenario/fixture-library.ts';
import type { Journey } from '../journey.ts';
import { ModelCallRecorder } from '../mutate/model-call-recorder.ts';
import { SandboxStateGraph, type WorldState } from '../mutate/sandbox-state-graph.ts';
import { createStateKey, type TestModel, worldUser } from '../mutate/test-model.ts';
import type { JourneyDifference } from './compare-journey.ts';
import { createModelFromJourney } from './model-from-journey.ts';
import { possibleJourney } from './model-walk.ts';

/** What shrinking may cost. */
export interface ShrinkOptions {
  /** Journeys that are tried at most. */
  readonly triesMax: number;
  readonly canContinue: () => boolean;
  /** Whether the last step stays, be it one that the model cannot do. */
  readonly keepsLast?: boolean;
  readonly onTry?: (tries: number, steps: number) => void;
}

/** Tells where a journey fails; `null` where it does not. */
export type Check = (journey: Journey) => Promise<JourneyDifference | null>;

/** A shrunk journey: the difference that is left, and how it was found. */
export interface Shrunk {
  readonly difference: JourneyDifference;
  readonly tries: number;
  /** Whether no single step could be left out any more; not so when the tries or the time ended. */
  readonly isMinimal: boolean;
}

/**
 * Makes a journey on which a system differs from the model as short as can be found by trying: stretches of steps are left out,
 * large ones first (delta debugging), and what cannot be done any more is left out with them; then the way to where the
 * difference shows is replaced by the shortest one on the model. Takes the difference, what tells where a journey fails, and the
 * fixtures that it names.
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

  /** Delta debugging: parts as large as half of the steps, then smaller ones, until no single step can go. */
  async #byLeavingOut(): Promise<void> {
    for (let size = Math.ceil(this.#body.length / 2); size >= 1 && this.#mayTry(); size = Math.floor(size / 2)) {
      let at = 0;
      while (at < this.#body.length && this.#mayTry()) {
        const shorter = [...this.#body.toSpliced(at, size), ...this.#kept];
        // The same place again when it could go: what came after stands there now.
        if (!(await this.#stillDiffers(shorter))) at += size;
      }
    }
  }

  /** The last step from where it was done, by a shortest way there on the model. */
  async #byRouting(): Promise<void> {
    const last = this.#steps.at(-1);
    if (last === undefined) return;
    const way = await shortestWay(this.#journey, this.#fixtures);
    if (way !== null && way.length + 1 < this.#steps.length) await this.#stillDiffers([...way, last]);
  }

  /**
   * Journeys that leaving out cannot come to, because they go another way: from the same beginning, every shorter one that leads
   * to another situation on the model and ends with any step, the shortest first.
   */
  async #byShorter(): Promise<void> {
    const world = this.#kept.length > 0 ? null : createModelFromJourney(this.#journey, statesMax);
    if (world === null) return;
    const graph = await SandboxStateGraph.of(world, new ModelCallRecorder(), this.#fixtures);
    const triesAtMost = this.#tries + shorterTriesMax;
    for await (const [state, way] of waysFrom(graph, world)) {
      if (way.length + 1 >= this.#steps.length) return;
      for (const edge of await graph.edgesOf(state)) {
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
    // A step that stays may answer a tab that nothing opens any more: that is no journey, and so no failure.
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

  /** The steps that may be left out, and those that may not. */
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

/** A journey with nothing said of what it leads to. */
export function withoutExpectations(scenario: Journey): Journey {
  const steps = scenario.steps.map((step) => {
    const { expect: _said, ...verb } = step as WrittenStep & { readonly expect?: unknown };
    return verb as WrittenStep;
  });
  return { ...scenario, steps };
}

/** Journeys that are tried at most because they are shorter, and not because something was left out. */
const shorterTriesMax = 80;

/** States that are looked at for a shorter way. */
const statesMax = 3_000;

/** A shortest list of the journey's own steps to where its last step is done; `null` where none was found. */
async function shortestWay(journey: Journey, fixtures: FixtureLibrary): Promise<readonly WrittenStep[] | null> {
  const world = createModelFromJourney(journey, statesMax);
  if (world === null) return null;
  const graph = await SandboxStateGraph.of(world, new ModelCallRecorder(), fixtures);
  const [first] = graph.beginnings;
  if (first === undefined) return null;
  let state: WorldState = first;
  for (const step of journey.steps.slice(0, -1)) state = (await graph.edgeBy(state, step)).to;
  const wanted = createStateKey(world, state.session.situation(worldUser));
  return wayTo(graph, world, wanted);
}

async function wayTo(
  graph: SandboxStateGraph,
  world: TestModel,
  wanted: string,
): Promise<readonly WrittenStep[] | null> {
  for await (const [state, way] of waysFrom(graph, world)) if (state.key === wanted) return way;
  return null;
}

/** Every state of a world with a shortest way to it, the nearest first, as far as the world may be walked. */
export async function* waysFrom(
  graph: SandboxStateGraph,
  world: TestModel,
): AsyncGenerator<readonly [WorldState, readonly WrittenStep[]], void> {
  const ways = new Map<WorldState, readonly WrittenStep[]>(graph.beginnings.map((state) => [state, []]));
  // The map grows while it is walked.
  for (const [state, way] of ways) {
    yield [state, way];
    if (ways.size > world.statesMax) return;
    for (const edge of await graph.edgesOf(state)) {
      if (edge.seen !== null && !ways.has(edge.to)) ways.set(edge.to, [...way, edge.step]);
    }
  }
}
