import { NudgeLabError } from '../../core/errors.ts';
import { evaluateCondition, type PathPosition } from '../language/evaluate-condition.ts';
import type { FactScalar, Formula } from '../language/formula.ts';
import { collectAtoms, type StepAtom } from '../language/formula-atoms.ts';
import type { FactColumn, ModelStep, PropertyModel } from '../models/property-model.ts';
import type { StepGraph } from './step-graph.ts';

/** Maximum number of predicates of a property: a letter has a bit for each. */
const predicatesMax = 24;
/** Maximum size of the table from classes of states and steps to letters. */
const combinationsMax = 2 ** 24;
/** Largest number of value combinations whose classes are stored in an array instead of a map. */
const indexedCombinationsMax = 2 ** 22;
const unknown = 0xffff;

/** Letters that a property reads on the steps of a graph. */
export interface Letters {
  /** Bits of the predicates that hold, by letter. */
  readonly masks: readonly number[];
  /** Letter of each step of the graph. */
  readonly steps: Uint8Array | Uint16Array;
  /** Letter of the start. */
  readonly first: number;
}

/** Checks whether a step takes place in a model, although it may send no event. */
export function isTaken(model: PropertyModel, step: ModelStep): boolean {
  return step.events.length > 0 || model.takenWithoutEvent.has(step.action);
}

/** Creates the function by which steps are joined into classes: those that no condition of the formulas distinguishes. */
export function createStepSignature(model: PropertyModel, formulas: readonly Formula[]): (step: ModelStep) => string {
  // Time limits read the clock although no condition names it.
  const atoms = new Map<string, StepAtom>([['time', { kind: 'time' }]]);
  for (const formula of formulas) {
    for (const atom of collectAtoms(formula).steps) atoms.set(JSON.stringify({ ...atom, path: null }), atom);
  }
  const list = [...atoms.values()];
  return (step) =>
    list.map((atom) => (evaluateCondition(atom, createPosition(model, step, null, missing)) ? '1' : '0')).join('');
}

function missing(): FactScalar {
  return null;
}

function createPosition(
  model: PropertyModel,
  step: ModelStep | null,
  before: PathPosition['before'],
  after: PathPosition['after'],
): PathPosition {
  const taken = step !== null && isTaken(model, step);
  return { step, taken, time: step !== null && (model.clock?.advances(step) ?? false), before, after };
}

/**
 * Computes the letter of every step. States with equal results of all conditions are one class, so a condition is
 * evaluated once for each pair of classes and each class of steps.
 *
 * @param graph - the graph
 * @param predicates - formulas without temporal operators
 * @param before - letters that are no longer needed, whose memory may be used again
 * @throws NudgeLabError `property-too-large`
 */
export function computeLetters(
  graph: StepGraph,
  predicates: readonly Formula[],
  before: Letters | null = null,
): Letters {
  if (predicates.length > predicatesMax) {
    throw tooLarge(`has ${predicates.length} different conditions; the maximum is ${predicatesMax}`);
  }
  const classes = new StateClasses(graph, predicates);
  const { states: examples } = classes;
  const size = examples.length;
  const kinds = graph.steps.length;
  if (size * size * kinds > combinationsMax) {
    throw tooLarge(`distinguishes ${size} classes of states and ${kinds} of steps`);
  }
  const masks: number[] = [];
  const index = new Map<number, number>();
  const getLetter = (mask: number): number => {
    const letter = index.get(mask) ?? masks.push(mask) - 1;
    index.set(mask, letter);
    return letter;
  };
  const evaluateAt = (step: ModelStep | null, from: number | null, to: number): number => {
    const position = createPosition(
      graph.model,
      step,
      from === null ? null : (fact) => classes.getValue(from, fact),
      (fact) => classes.getValue(to, fact),
    );
    return predicates.reduce((mask, one, at) => (evaluateCondition(one, position) ? mask | (1 << at) : mask), 0);
  };
  const first = getLetter(evaluateAt(null, null, 0));
  const table = new Uint16Array(size * size * kinds).fill(unknown);
  const { offsets, targets, labels } = graph;
  // Bytes suffice for nearly all properties, and more of them fit into the caches of the processor.
  const numbers = size <= 256 ? Uint8Array.from(classes.numbers) : classes.numbers;
  const List = 2 ** predicates.length <= 256 ? Uint8Array : Uint16Array;
  const steps = before?.steps instanceof List ? before.steps : new List(targets.length);
  for (let state = 0; state < graph.states; state += 1) {
    const base = (numbers[state] as number) * kinds;
    const end = offsets[state + 1] as number;
    for (let at = offsets[state] as number; at < end; at += 1) {
      const label = labels[at] as number;
      const target = targets[at] as number;
      const place = (base + label) * size + (numbers[target] as number);
      let letter = table[place] as number;
      if (letter === unknown) {
        letter = getLetter(evaluateAt(graph.steps[label] as ModelStep, state, target));
        table[place] = letter;
      }
      steps[at] = letter;
    }
  }
  return { masks, steps, first };
}

function tooLarge(what: string): NudgeLabError {
  return new NudgeLabError('property-too-large', {
    message: `A property ${what}; divide it into several properties.`,
  });
}

/** Classes of states that the conditions of a property do not distinguish. */
class StateClasses {
  readonly numbers: Uint16Array;
  /** A state of each class. */
  readonly states: number[] = [];
  readonly #columns: ReadonlyMap<string, FactColumn>;

  constructor(graph: StepGraph, predicates: readonly Formula[]) {
    const atoms = predicates.map(collectAtoms);
    const compared = atoms.flatMap(({ compares }) => compares);
    const changing = [...new Set(atoms.flatMap(({ changing: facts }) => facts))];
    const names = [...new Set(atoms.flatMap(({ facts }) => facts))];
    const columns = names.flatMap((name) => graph.findColumn(name) ?? []);
    this.#columns = new Map(columns.map((column) => [column.name, column]));
    this.numbers = new Uint16Array(graph.states);
    const signatures = new Map<string, number>();
    const getClass = (state: number): number => {
      const position = { step: null, taken: false, time: false, before: null };
      const after = (fact: string) => this.getValue(state, fact);
      const bits = compared.map((atom) => (evaluateCondition(atom, { ...position, after }) ? 1 : 0)).join('');
      const key = `${bits} ${JSON.stringify(changing.map(after))}`;
      const number = signatures.get(key) ?? this.states.push(state) - 1;
      signatures.set(key, number);
      if (number >= unknown) throw tooLarge('distinguishes too many states');
      return number;
    };
    this.#classify(columns, getClass);
  }

  /** Returns the value of a fact in a state. */
  getValue(state: number, fact: string): FactScalar {
    const column = this.#columns.get(fact);
    return column?.values[column.numbers[state] as number] ?? null;
  }

  #classify(columns: readonly FactColumn[], getClass: (state: number) => number): void {
    const combinations = columns.reduce((all, { values }) => all * values.length, 1);
    const known = combinations <= indexedCombinationsMax ? new Int32Array(combinations).fill(-1) : null;
    const others = new Map<number, number>();
    const { numbers } = this;
    for (let state = 0; state < numbers.length; state += 1) {
      let key = 0;
      for (const { numbers: own, values } of columns) key = key * values.length + (own[state] as number);
      const before = known === null ? (others.get(key) ?? -1) : (known[key] as number);
      const number = before >= 0 ? before : getClass(state);
      numbers[state] = number;
      if (before >= 0) continue;
      if (known === null) others.set(key, number);
      else known[key] = number;
    }
  }
}
