import { BoundAction } from './bound-action.ts';
import { Classifier, type PackedPart } from './equivalence-classes.ts';
import { CompiledProduct, type ExploredProduct } from './explore-product.ts';
import type { Product } from './product.ts';
import type { StateGraph } from './state-graph.ts';

/** Event that an action sends to a part in some state of the product. */
export interface SentEvent {
  /** Number of the part. */
  readonly part: number;
  /** Number of the part's current state. */
  readonly state: number;
  /** Number of the event in the part's alphabet. */
  readonly event: number;
}

/** Default maximum number of states of a product whose steps are listed. */
const stepStatesDefault = 100_000;

/**
 * Explores a product and lists all its steps.
 * @param limitStates - maximum number of states
 * @throws the errors of the exploration
 */
export function exploredSteps(product: Product, limitStates = stepStatesDefault): ProductSteps {
  const compiled = new CompiledProduct(product);
  return new ProductSteps(compiled, compiled.search(limitStates));
}

/**
 * Steps of an explored product: the target state of each action from each state, and the events that it sends to the
 * parts. An action is decided once per class of values that it reads and moves the parts by their own tables, so no
 * rule is evaluated twice for the same facts.
 */
export class ProductSteps {
  readonly compiled: CompiledProduct;
  readonly explored: ExploredProduct;
  /** Graph with states in the order of discovery and actions, in their order, as labels. */
  readonly graph: StateGraph;
  readonly #actions: readonly BoundAction[];

  /** Creates the steps from a compiled product and its reachable states. */
  constructor(compiled: CompiledProduct, explored: ExploredProduct) {
    this.compiled = compiled;
    this.explored = explored;
    const { parts, product } = compiled;
    const classifier = new Classifier(parts);
    this.#actions = product.actions.map((action, number) => new BoundAction(action, number, [], parts, classifier));
    this.graph = this.#graph();
  }

  /**
   * Returns the events that an action sends in a state, by state and action number; empty if the action does nothing.
   */
  sentBy(state: number, label: number): readonly SentEvent[] {
    const places = this.#getPlaces(state);
    return this.#sent(label, places).map(({ part, event }) => ({ part, state: places[part] ?? 0, event }));
  }

  /** Returns the name of an action. */
  getName(label: number): string {
    return this.compiled.product.actions[label]?.name ?? '';
  }

  /**
   * Lists the events that a test sends to each part, in order, to run a product suite on the separate machines. `test`
   * lists action names; unknown names have no effect.
   */
  listEvents(test: readonly string[]): readonly { readonly part: string; readonly event: { readonly type: string } }[] {
    const labels = new Map(this.compiled.product.actions.map(({ name }, label) => [name, label]));
    let state = 0;
    return test.flatMap((name) => {
      const label = labels.get(name);
      if (label === undefined) return [];
      const sent = this.sentBy(state, label);
      state = this.graph.targets[state * this.graph.labels + label] as number;
      return sent.map(({ part, event }) => {
        const { name: of, compiled } = this.compiled.parts[part] as PackedPart;
        return { part: of, event: compiled.events[event] as { readonly type: string } };
      });
    });
  }

  #graph(): StateGraph {
    const { explored } = this;
    const labels = this.#actions.length;
    const numbers = new Map(Array.from({ length: explored.states }, (_, number) => [explored.getCode(number), number]));
    const targets = new Int32Array(explored.states * labels);
    for (let state = 0; state < explored.states; state += 1) {
      const code = explored.getCode(state);
      const places = this.#getPlaces(state);
      for (let label = 0; label < labels; label += 1) {
        targets[state * labels + label] = numbers.get(code + this.#difference(label, places)) ?? state;
      }
    }
    return { states: explored.states, labels, targets };
  }

  /** Returns the state numbers of the parts. */
  #getPlaces(state: number): readonly number[] {
    const code = this.explored.getCode(state);
    return this.compiled.parts.map(({ size, stride }) => Math.floor(code / stride) % size);
  }

  #sent(label: number, places: readonly number[]) {
    const action = this.#actions[label] as BoundAction;
    return action.decide(action.touched.map(({ part, classes: { classOf } }) => classOf[places[part] ?? 0] ?? 0)).sent;
  }

  /** Computes the change of a state's packed code by an action. */
  #difference(label: number, places: readonly number[]): number {
    return this.#sent(label, places).reduce((sum, { part, event }) => {
      const { compiled, stride } = this.compiled.parts[part] as PackedPart;
      const place = places[part] ?? 0;
      return sum + (compiled.target(place, event) - place) * stride;
    }, 0);
  }
}
