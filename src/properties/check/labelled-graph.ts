import { NudgeLabError } from '../../core/errors.ts';
import { Classifier, type PackedPart } from '../../generate/exploration/equivalence-classes.ts';
import { compileParts, productStatesDefault } from '../../generate/exploration/explore-product.ts';
import { packedSearch } from '../../generate/exploration/packed-search.ts';
import type { PackedTable } from '../../generate/exploration/packed-table.ts';
import { bindActions, buildTables } from '../../generate/exploration/packed-tables.ts';
import type { FactScalar } from '../language/formula.ts';
import type { FactColumn, ModelFact, ModelStep, ProductModel } from '../models/property-model.ts';
import type { StepGraph } from './step-graph.ts';
import { StepLabels, type StepTable, StepTableBuilder } from './step-table.ts';

/** Maximum number of steps of a graph: six bytes each, and two for each property while it is checked. */
const stepsMax = 200_000_000;
/** Largest packed code whose states are found by an array instead of a map. */
const indexedCodesMax = 2 ** 27;

type Table = StepTable & Pick<PackedTable, 'axes'>;

/**
 * Reachable states of a product with their steps. States are numbered in breadth-first order from 0, so a lower number
 * never has a longer shortest path. Steps that lead to the same state and that no property distinguishes are one.
 */
export class LabelledGraph implements StepGraph {
  readonly model: ProductModel;
  readonly states: number;
  /** Offset of the steps of each state, followed by the total number. */
  readonly offsets: Uint32Array;
  readonly targets: Int32Array;
  /** Class of each step. */
  readonly labels: Uint16Array;
  /** A step of each class. */
  readonly steps: readonly ModelStep[];
  readonly #parts: readonly PackedPart[];
  /** Packed code of each state. */
  readonly #codes: Uint32Array;
  readonly #classifier: Classifier;
  readonly #columns = new Map<string, FactColumn>();
  readonly #getSignature: (step: ModelStep) => string;

  /**
   * Explores a model.
   *
   * @param model - the model
   * @param getSignature - text for a step; steps with equal texts are not distinguished
   * @throws NudgeLabError `state-space-too-large` and the other errors of an exploration
   */
  constructor(model: ProductModel, getSignature: (step: ModelStep) => string) {
    this.model = model;
    this.#getSignature = getSignature;
    const { product, limitStates = productStatesDefault } = model;
    const parts = compileParts(product);
    this.#parts = parts;
    this.#classifier = new Classifier(parts);
    const bound = bindActions(parts, product.actions, []);
    const labels = new StepLabels(getSignature);
    const names = product.actions.map(({ name }) => name);
    const tables = buildTables(parts, bound, (group, rows) => {
      return new StepTableBuilder(group, rows, names, parts, labels);
    });
    this.steps = labels.steps;
    const searched = tables.map((table) => ({ ...table, actions: table.labels, flags: null, breaches: [] }));
    const sizes = parts.map(({ size }) => size);
    this.#codes = packedSearch(searched, sizes, 0, limitStates).codes;
    this.states = this.#codes.length;
    const { offsets, targets, labels: classes } = listSteps(this.#codes, parts, tables, labels.steps.length);
    this.offsets = offsets;
    this.targets = targets;
    this.labels = classes;
  }

  /** Returns the values of a fact in all states, by its name; `null` if the model has no such fact. */
  findColumn(name: string): FactColumn | null {
    const known = this.#columns.get(name);
    if (known !== undefined) return known;
    const fact = this.model.facts.find((one) => one.name === name);
    if (fact === undefined) return null;
    const column = this.#createColumn(fact);
    this.#columns.set(name, column);
    return column;
  }

  /** Finds an action that takes a step of a class between two states. */
  findStep(from: number, label: number, to: number): ModelStep {
    const code = this.#codes[from] as number;
    const delta = (this.#codes[to] as number) - code;
    const parts = this.#parts;
    const places = getPlaces(code, parts);
    // Bound again instead of kept: the decisions of all actions would burden every garbage collection of the searches.
    for (const action of bindActions(parts, this.model.product.actions, [])) {
      const { sent } = action.decide(action.touched.map((one) => one.classes.classOf[places[one.part] ?? 0] ?? 0));
      let change = 0;
      for (const { part, event } of sent) {
        const { compiled, stride } = parts[part] as PackedPart;
        change += (compiled.target(places[part] ?? 0, event) - (places[part] ?? 0)) * stride;
      }
      if (change !== delta) continue;
      const step = {
        action: this.model.product.actions[action.number]?.name ?? '',
        events: sent.map(({ part, event }) => parts[part]?.compiled.events[event] as { readonly type: string }),
      };
      if (this.#getSignature(step) === this.#getSignature(this.steps[label] as ModelStep)) return step;
    }
    return this.steps[label] as ModelStep;
  }

  #createColumn(fact: ModelFact): FactColumn {
    const parts = this.#parts;
    let factor = 1;
    const readings = fact.reads.map((reading) => {
      const part = this.#classifier.getPart(reading.part);
      const classes = this.#classifier.getClasses(part, [reading]);
      const by = factor;
      factor *= classes.views.length;
      return { part, classes, by };
    });
    const known = new Map<number, number>();
    const index = new Map<string, number>();
    const values: FactScalar[] = [];
    const numbers = new Uint32Array(this.states);
    for (let state = 0; state < this.states; state += 1) {
      const code = this.#codes[state] as number;
      let key = 0;
      for (const { part, classes, by } of readings) {
        const { size, stride } = parts[part] as PackedPart;
        key += by * (classes.classOf[Math.floor(code / stride) % size] as number);
      }
      let number = known.get(key);
      if (number === undefined) {
        const views = readings.map(
          ({ classes, by }) => classes.views[Math.floor(key / by) % classes.views.length]?.[0],
        );
        const value = fact.value(views);
        const text = JSON.stringify(value);
        number = index.get(text) ?? values.push(value) - 1;
        index.set(text, number);
        known.set(key, number);
      }
      numbers[state] = number;
    }
    return { name: fact.name, numbers, values };
  }
}

/** Returns the state numbers of the parts for a packed code. */
function getPlaces(code: number, parts: readonly PackedPart[]): readonly number[] {
  return parts.map(({ size, stride }) => Math.floor(code / stride) % size);
}

/** Lists the steps of all states. A step that stays in its state is listed once for each class. */
function listSteps(
  codes: Uint32Array,
  parts: readonly PackedPart[],
  tables: readonly Table[],
  classes: number,
): Pick<LabelledGraph, 'offsets' | 'targets' | 'labels'> {
  const rows = new RowReader(codes, parts, tables);
  const capacity = rows.count();
  const getState = createIndex(codes, parts);
  const offsets = new Uint32Array(codes.length + 1);
  const targets = new Int32Array(capacity);
  const labels = new Uint16Array(capacity);
  // State in which each class of steps was last seen to stay.
  const stays = new Int32Array(classes).fill(-1);
  let total = 0;
  for (let state = 0; state < codes.length; state += 1) {
    const code = codes[state] as number;
    rows.read(code);
    for (let at = 0; at < tables.length; at += 1) {
      const table = tables[at] as Table;
      const row = rows.numbers[at] as number;
      const end = table.offsets[row + 1] as number;
      for (let step = table.offsets[row] as number; step < end; step += 1) {
        const delta = table.deltas[step] as number;
        const label = table.labels[step] as number;
        if (delta === 0) {
          if (stays[label] === state) continue;
          stays[label] = state;
        }
        targets[total] = delta === 0 ? state : getState(code + delta);
        labels[total] = label;
        total += 1;
      }
    }
    offsets[state + 1] = total;
  }
  return { offsets, targets: targets.subarray(0, total), labels: labels.subarray(0, total) };
}

/** Finds the rows of a state in the tables. */
class RowReader {
  /** Row of each table for the state that was read last. */
  readonly numbers: Uint32Array;
  readonly #codes: Uint32Array;
  readonly #tables: readonly Table[];
  readonly #sizes: Uint32Array;
  readonly #places: Uint32Array;

  constructor(codes: Uint32Array, parts: readonly PackedPart[], tables: readonly Table[]) {
    this.#codes = codes;
    this.#tables = tables;
    this.#sizes = Uint32Array.from(parts, ({ size }) => size);
    this.#places = new Uint32Array(parts.length);
    this.numbers = new Uint32Array(tables.length);
  }

  /** Reads the rows of the state with a packed code. */
  read(code: number): void {
    let rest = code;
    for (let part = 0; part < this.#sizes.length; part += 1) {
      const size = this.#sizes[part] as number;
      const above = Math.floor(rest / size);
      this.#places[part] = rest - above * size;
      rest = above;
    }
    for (let at = 0; at < this.#tables.length; at += 1) {
      let row = 0;
      for (const { part, rowOf } of (this.#tables[at] as Table).axes) {
        row += rowOf[this.#places[part] as number] as number;
      }
      this.numbers[at] = row;
    }
  }

  /** Counts the steps of all states, with repeated ones. */
  count(): number {
    let total = 0;
    for (const code of this.#codes) {
      this.read(code);
      for (let at = 0; at < this.#tables.length; at += 1) {
        const { offsets } = this.#tables[at] as Table;
        const row = this.numbers[at] as number;
        total += (offsets[row + 1] as number) - (offsets[row] as number);
      }
    }
    if (total > stepsMax) {
      throw new NudgeLabError('state-space-too-large', {
        message: `The model has ${total} steps; the maximum is ${stepsMax}.`,
      });
    }
    return total;
  }
}

/** Creates a function that returns the number of the state with a packed code. */
function createIndex(codes: Uint32Array, parts: readonly PackedPart[]): (code: number) => number {
  const space = parts.reduce((all, { size }) => all * size, 1);
  if (space > indexedCodesMax) {
    const numbers = new Map<number, number>();
    for (const [state, code] of codes.entries()) numbers.set(code, state);
    return (code) => numbers.get(code) as number;
  }
  const index = new Int32Array(space);
  for (const [state, code] of codes.entries()) index[code] = state;
  return (code) => index[code] as number;
}
