import { getAdjacencyMap } from 'xstate/graph';
import { CompiledMachine } from '../../compiled/compiled-machine.ts';
import type { AnyStateMachine, Model, SnapshotFrom, Violation } from '../../compiled/model.ts';
import { NudgeLabError } from '../../core/errors.ts';
import type { PackedPart } from './equivalence-classes.ts';
import { countStates, type StateSpaceCounts } from './explore.ts';
import { type Found, packedSearch } from './packed-search.ts';
import type { PackedTable } from './packed-table.ts';
import { packedTables } from './packed-tables.ts';
import type { Action, Move, Product } from './product.ts';

/** Default maximum number of states in a product exploration. */
export const productStatesDefault = 4_000_000;

/**
 * Product with separately explored parts and with actions as tables over part states. It is derived only from the
 * machines' transition functions and contains everything that a search needs.
 */
export class CompiledProduct {
  readonly product: Product;
  readonly parts: readonly PackedPart[];
  readonly tables: readonly PackedTable[];

  /**
   * Compiles a product. Throws the errors of `explore` for a part, and `state-space-too-large` for oversized tables.
   */
  constructor(product: Product) {
    this.product = product;
    this.parts = compileParts(product);
    this.tables = packedTables(this.parts, product.actions, product.invariants);
  }

  /** Searches all reachable states. Throws `state-space-too-large` above the limit. */
  search(limitStates = productStatesDefault): ExploredProduct {
    const sizes = this.parts.map(({ size }) => size);
    return new ExploredProduct(this, packedSearch(this.tables, sizes, 0, limitStates));
  }
}

/** Explores the machines of a product and packs their states. Throws the errors of `explore`. */
export function compileParts({ parts }: Pick<Product, 'parts'>): readonly PackedPart[] {
  let stride = 1;
  return parts.map((model) => {
    const compiled = new CompiledMachine(model.machine, model);
    const part = { name: model.name, compiled, size: compiled.states.length, stride };
    stride *= part.size;
    return part;
  });
}

/** Reachable states of a product, numbered in breadth-first order of discovery. */
export class ExploredProduct {
  readonly #compiled: CompiledProduct;
  readonly #found: Found;

  /** Creates the explored product from its compiled form and the search result. */
  constructor(compiled: CompiledProduct, result: Found) {
    this.#compiled = compiled;
    this.#found = result;
  }

  get states(): number {
    return this.#found.codes.length;
  }

  /**
   * Number of edges: every action counts as an edge of every state, even if it stays there, as in `getAdjacencyMap`.
   */
  get edges(): number {
    return this.states * this.#compiled.product.actions.length;
  }

  /** Returns the packed code of a state: the sum of each part's state number times its stride. */
  getCode(number: number): number {
    return this.#found.codes[number] ?? 0;
  }

  /** Returns the states of the parts by name, for a state number. */
  getState(number: number): ReadonlyMap<string, SnapshotFrom<AnyStateMachine>> {
    const code = this.#found.codes[number] ?? 0;
    return new Map(
      this.#compiled.parts.map(({ name, compiled, size, stride }) => {
        return [name, compiled.states[Math.floor(code / stride) % size] as SnapshotFrom<AnyStateMachine>];
      }),
    );
  }

  /** Returns a shortest path from the initial state to a state, as action names. */
  pathTo(number: number): readonly string[] {
    const { from, by } = this.#found;
    const path: string[] = [];
    for (let at = number; at !== 0; at = from[at] ?? 0) path.push(this.#getName(by[at] ?? 0));
    return path.reverse();
  }

  /** Returns a shortest path that ends with the given action in the given state. */
  pathOver(number: number, action: string): readonly string[] {
    return [...this.pathTo(number), action];
  }

  /** Invariant violations: those of the parts, then those of the product, each with a shortest path to it. */
  get violations(): readonly Violation[] {
    const ofParts = this.#compiled.parts.flatMap(({ compiled }) => compiled.violations);
    const seen = new Map<string, Violation>();
    for (const { state, table, breach } of this.#found.breaches) {
      for (const { action, invariant } of table.breaches[breach] ?? []) {
        const path = this.pathOver(state, this.#getName(action));
        const nearer = (seen.get(invariant.id)?.path.length ?? Number.POSITIVE_INFINITY) <= path.length;
        if (!nearer) seen.set(invariant.id, { id: invariant.id, sentence: invariant.sentence, path });
      }
    }
    return [...ofParts, ...seen.values()];
  }

  #getName(action: number): string {
    return this.#compiled.product.actions[action]?.name ?? '';
  }
}

type Snapshots = Readonly<Record<string, SnapshotFrom<AnyStateMachine>>>;

/**
 * Counts the states and edges of a product with xstate's `getAdjacencyMap`, over logic that steps the machines in
 * parallel. Serves as a reference for the product search.
 */
export function exploreProductByReference(product: Product, limitStates: number): StateSpaceCounts {
  const models = new Map(product.parts.map((model) => [model.name, model]));
  const actions = new Map(product.actions.map((action) => [action.name, action]));
  const logic = {
    transition: ({ parts }: { readonly parts: Snapshots }, { type }: { readonly type: string }, scope: never) => {
      const moved: Record<string, SnapshotFrom<AnyStateMachine>> = { ...parts };
      for (const move of actions.get(type)?.moves ?? []) moved[move.part] = stepPart(parts, move, models, scope);
      return { parts: moved };
    },
    getInitialSnapshot: (scope: never) => ({
      parts: Object.fromEntries(product.parts.map((model) => [model.name, getFirst(model, scope)])),
    }),
  };
  const options = {
    events: product.actions.map(({ name }: Action) => ({ type: name })),
    limit: limitStates * product.actions.length,
    serializeState: ({ parts }: { readonly parts: Snapshots }) =>
      product.parts.map((model) => toKey(model, parts[model.name] as SnapshotFrom<AnyStateMachine>)).join('\n'),
  };
  try {
    return countStates(getAdjacencyMap(logic as never, options as never));
  } catch (cause) {
    if (!(cause instanceof Error) || !cause.message.startsWith('Traversal limit')) throw cause;
    throw new NudgeLabError('state-space-too-large', {
      message: `The state space has more than ${limitStates} states.`,
      cause,
    });
  }
}

function getFirst(model: Model, scope: never): SnapshotFrom<AnyStateMachine> {
  return model.from ?? model.machine.getInitialSnapshot(scope, model.input as never);
}

function toKey({ serialize }: Model, state: SnapshotFrom<AnyStateMachine>): string {
  return serialize?.(state) ?? JSON.stringify({ value: state.value, context: state.context });
}

function stepPart(parts: Snapshots, move: Move, models: ReadonlyMap<string, Model>, scope: never) {
  const before = parts[move.part] as SnapshotFrom<AnyStateMachine>;
  const views = move.reads.map(({ part, view }) => view(parts[part] as SnapshotFrom<AnyStateMachine>));
  const event = move.event(views);
  const model = models.get(move.part) as Model;
  if (event === null) return before;
  const after = model.machine.transition(before, event as never, scope) as SnapshotFrom<AnyStateMachine>;
  return model.normalize?.(after, event as never) ?? after;
}
