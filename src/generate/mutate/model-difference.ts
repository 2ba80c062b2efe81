import type { WrittenStep } from '../../contract/scenario.schema.ts';
import { SandboxModel } from '../../sandbox/sandbox.ts';
import type { ModelSession } from '../../scenario/drivers/model.driver.ts';
import type { ModelCallRecorder } from './model-call-recorder.ts';
import type { ModelMutant } from './model-mutant.ts';
import type { ModelEdge, ModelState, SandboxStateGraph } from './sandbox-state-graph.ts';
import { createStateKey, modelUser, stepsAt } from './test-model.ts';

/** Result of comparing a mutant with the model. */
export type ModelDifference =
  /** Shortest list of steps whose last one shows a difference, and the initial state that it starts from. */
  | { readonly kind: 'different'; readonly given: number; readonly steps: readonly WrittenStep[] }
  | { readonly kind: 'equivalent'; readonly pairs: number }
  | { readonly kind: 'undecided'; readonly pairs: number; readonly depth: number };

/** Limits of a search. */
export interface SearchLimits {
  /** Maximum number of steps, if a journey of that length is already known. */
  readonly stepsMax: number;
  /** Maximum number of differing state pairs. */
  readonly pairsMax: number;
}

/** States of the model and a mutant in parallel; `mutant` is `null` if both are the same. */
interface Pair {
  readonly state: ModelState;
  readonly mutant: ModelSession | null;
  readonly given: number;
  readonly from: Pair | null;
  readonly by: WrittenStep | null;
  readonly depth: number;
}

/**
 * Searches the product of the model and a mutant, breadth-first, for a step with a different result. While both are in
 * the same state, a step is skipped if the mutant returns the same results for all its recorded calls.
 */
export async function findModelDifference(
  graph: SandboxStateGraph,
  book: ModelCallRecorder,
  mutant: ModelMutant,
  limits: SearchLimits,
): Promise<ModelDifference> {
  return new PairSearch(graph, book, mutant, limits).run();
}

class PairSearch {
  readonly #graph: SandboxStateGraph;
  readonly #book: ModelCallRecorder;
  readonly #mutant: ModelMutant;
  readonly #model: SandboxModel;
  readonly #limits: SearchLimits;
  readonly #pairs: Pair[] = [];
  readonly #met = new Set<string | number>();
  /** Number of pairs with different states; all their steps must be executed. */
  #apart = 0;
  /** Known results of whether the mutant differs for a call; a growing graph adds calls. */
  readonly #answers = new Map<number, boolean>();

  constructor(graph: SandboxStateGraph, book: ModelCallRecorder, mutant: ModelMutant, limits: SearchLimits) {
    this.#graph = graph;
    this.#book = book;
    this.#mutant = mutant;
    this.#model = new SandboxModel(mutant.parts);
    this.#limits = limits;
  }

  async run(): Promise<ModelDifference> {
    for (const state of this.#graph.beginnings) {
      const beginning = { state, given: state.given, from: null, by: null, depth: 0 };
      // A ruleset with other data can derive another campaign from the same settings before the first event.
      this.#add({ ...beginning, mutant: this.#isRecorded() ? null : state.session.fork(this.#model) });
    }
    let depth = 0;
    for (const pair of this.#pairs) {
      depth = pair.depth;
      if (pair.depth >= this.#limits.stepsMax) break;
      if (this.#apart > this.#limits.pairsMax) return { kind: 'undecided', pairs: this.#apart, depth };
      const different = await this.#expand(pair);
      if (different !== null) return different;
    }
    return { kind: 'equivalent', pairs: this.#pairs.length };
  }

  /** Returns `true` if single recorded calls show where the mutant differs. */
  #isRecorded(): boolean {
    return this.#mutant.part !== 'ruleset' && this.#mutant.part !== 'limits';
  }

  async #expand(pair: Pair): Promise<ModelDifference | null> {
    for (const edge of await this.#listEdges(pair)) {
      if (edge.seen === null) continue;
      const next = { state: edge.to, given: pair.given, from: pair, by: edge.step, depth: pair.depth + 1 };
      if (pair.mutant === null && !this.#mayDiffer(edge)) {
        this.#add({ ...next, mutant: null });
        continue;
      }
      const other = await this.#graph.perform(pair.mutant ?? pair.state.session, edge.step, this.#model);
      if (other.seen !== edge.seen) return { kind: 'different', given: pair.given, steps: stepsTo(next) };
      const isSame =
        this.#isRecorded() && createStateKey(this.#graph.testModel, other.session.situation(modelUser)) === edge.to.key;
      this.#add({ ...next, mutant: isSame ? null : other.session });
    }
    return null;
  }

  /** Lists the possible steps on the model, including waits for events that only the mutant has. */
  async #listEdges({ state, mutant }: Pair): Promise<readonly ModelEdge[]> {
    if (mutant === null) return this.#graph.listEdges(state);
    const situations = [state.session, mutant].map((session) => session.situation(modelUser));
    const edges: ModelEdge[] = [];
    for (const step of stepsAt(this.#graph.testModel, situations)) edges.push(await this.#graph.edgeBy(state, step));
    return edges;
  }

  #mayDiffer({ calls }: ModelEdge): boolean {
    for (const number of calls) if (this.#isOtherwise(number)) return true;
    return false;
  }

  #isOtherwise(number: number): boolean {
    const known = this.#answers.get(number);
    if (known !== undefined) return known;
    const otherwise = this.#book.isOtherwise(number, this.#mutant, this.#model);
    this.#answers.set(number, otherwise);
    return otherwise;
  }

  #add(pair: Pair): void {
    const { state, mutant } = pair;
    const key =
      mutant === null
        ? state.number
        : `${state.number} ${createStateKey(this.#graph.testModel, mutant.situation(modelUser))}`;
    if (this.#met.has(key)) return;
    this.#met.add(key);
    if (mutant !== null) this.#apart += 1;
    this.#pairs.push(pair);
  }
}

function stepsTo(last: { readonly from: Pair | null; readonly by: WrittenStep | null }): readonly WrittenStep[] {
  const steps: WrittenStep[] = [];
  for (let at: typeof last | null = last; at?.by != null; at = at.from) steps.push(at.by);
  return steps.reverse();
}
