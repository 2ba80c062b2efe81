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

/** States of a product that an exploration takes on before it gives up. */
const productStatesDefault = 4_000_000;

/**
 * A product whose parts are explored each for itself and whose actions are tables over their states: all that a search needs,
 * found by calling the machines' transition functions and nothing else.
 */
export class CompiledProduct {
  readonly product: Product;
  readonly parts: readonly PackedPart[];
  readonly tables: readonly PackedTable[];

  /** Takes the product. Throws what `explore` throws for a part, and `state-space-too-large` for the tables. */
  constructor(product: Product) {
    this.product = product;
    let stride = 1;
    this.parts = product.parts.map((model) => {
      const compiled = new CompiledMachine(model.machine, model);
      const part = { name: model.name, compiled, size: compiled.states.length, stride };
      stride *= part.size;
      return part;
    });
    this.tables = packedTables(this.parts, product.actions, product.invariants);
  }

  /** Searches all reachable states. Throws `state-space-too-large` above the limit. */
  search(limitStates = productStatesDefault): ExploredProduct {
    const sizes = this.parts.map(({ size }) => size);
    return new ExploredProduct(this, packedSearch(this.tables, sizes, 0, limitStates));
  }
}

/** The reachable states of a product. States are numbered in the order of discovery, breadth first. */
export class ExploredProduct {
  readonly #compiled: CompiledProduct;
  readonly #found: Found;

  /** Takes the product and what was found of it. */
  constructor(compiled: CompiledProduct, found: Found) {
    this.#compiled = compiled;
    this.#found = found;
  }

  get states(): number {
    return this.#found.codes.length;
  }

  /** Every action is an edge of every state, be it back to the state itself, as `getAdjacencyMap` has it. */
  get edges(): number {
    return this.states * this.#compiled.product.actions.length;
  }

  /** The packed code of a state: the numbers of its parts' states, each times the stride of the part. */
  codeOf(number: number): number {
    return this.#found.codes[number] ?? 0;
  }

  /** The states of the parts, by their names. Takes the number of the state. */
  stateOf(number: number): ReadonlyMap<string, SnapshotFrom<AnyStateMachine>> {
    const code = this.#found.codes[number] ?? 0;
    return new Map(
      this.#compiled.parts.map(({ name, compiled, size, stride }) => {
        return [name, compiled.states[Math.floor(code / stride) % size] as SnapshotFrom<AnyStateMachine>];
      }),
    );
  }

  /** A shortest path to a state: names of actions from the beginning on. Takes the number of the state. */
  pathTo(number: number): readonly string[] {
    const { from, by } = this.#found;
    const path: string[] = [];
    for (let at = number; at !== 0; at = from[at] ?? 0) path.push(this.#nameOf(by[at] ?? 0));
    return path.reverse();
  }

  /** A shortest path over an edge. Takes the number of its state and the name of its action. */
  pathOver(number: number, action: string): readonly string[] {
    return [...this.pathTo(number), action];
  }

  /** The invariants that do not hold: those of the parts, then those of the product with the shortest way there. */
  get violations(): readonly Violation[] {
    const ofParts = this.#compiled.parts.flatMap(({ compiled }) => compiled.violations);
    const seen = new Map<string, Violation>();
    for (const { state, table, breach } of this.#found.breaches) {
      for (const { action, invariant } of table.breaches[breach] ?? []) {
        const path = this.pathOver(state, this.#nameOf(action));
        const nearer = (seen.get(invariant.id)?.path.length ?? Number.POSITIVE_INFINITY) <= path.length;
        if (!nearer) seen.set(invariant.id, { id: invariant.id, sentence: invariant.sentence, path });
      }
    }
    return [...ofParts, ...seen.values()];
  }

  #nameOf(action: number): string {
    return this.#compiled.product.actions[action]?.name ?? '';
  }
}

type Snapshots = Readonly<Record<string, SnapshotFrom<AnyStateMachine>>>;

/**
 * The counts of a product by xstate's own `getAdjacencyMap`, over a logic that steps the machines side by side. Takes the
 * product and how many states there may be.
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
      parts: Object.fromEntries(product.parts.map((model) => [model.name, firstOf(model, scope)])),
    }),
  };
  const options = {
    events: product.actions.map(({ name }: Action) => ({ type: name })),
    limit: limitStates * product.actions.length,
    serializeState: ({ parts }: { readonly parts: Snapshots }) =>
      product.parts.map((model) => keyOf(model, parts[model.name] as SnapshotFrom<AnyStateMachine>)).join('\n'),
  };
  try {
    return countStates(getAdjacencyMap(logic as never, options as never));
  } catch (cause) {
    if (!(cause instanceof Error) || !cause.message.startsWith('Traversal limit')) throw cause;
    throw new NudgeLabError('state-space-too-large', { message: `There are more than ${limitStates} states.`, cause });
  }
}

function firstOf(model: Model, scope: never): SnapshotFrom<AnyStateMachine> {
  return model.from ?? model.machine.getInitialSnapshot(scope, model.input as never);
}

function keyOf({ serialize }: Model, state: SnapshotFrom<AnyStateMachine>): string {
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
