import type { Comparison, Condition, FactScalar, Formula, Property, RightSide } from './formula.ts';

/** Start of a comparison of a fact. */
export interface FactComparison {
  readonly is: (value: FactScalar | FactReference) => Condition;
  readonly isNot: (value: FactScalar | FactReference) => Condition;
  readonly in: (...values: readonly FactScalar[]) => Condition;
  readonly lessThan: (value: number | FactReference) => Condition;
  readonly atMost: (value: number | FactReference) => Condition;
  readonly atLeast: (value: number | FactReference) => Condition;
  readonly moreThan: (value: number | FactReference) => Condition;
  readonly rises: () => Condition;
  readonly falls: () => Condition;
  readonly changes: () => Condition;
}

/** Reference to another fact, as the right side of a comparison. */
export interface FactReference {
  readonly fact: string;
}

function toRightSide(given: FactScalar | FactReference): RightSide {
  return typeof given === 'object' && given !== null ? { fact: given.fact } : { value: given };
}

/**
 * Starts a comparison of a fact of the model, such as `fact('snoozes').atMost(3)`.
 * @param name - name of the fact, as `nudgelab properties --facts` lists it
 * @returns the comparisons
 */
export function fact(name: string): FactComparison & FactReference {
  const by = (comparison: Comparison) => (given: FactScalar | FactReference) =>
    ({ kind: 'compare', fact: name, by: comparison, with: toRightSide(given) }) as const;
  const change = (kind: 'rises' | 'falls' | 'changes') => () => ({ kind: 'change', fact: name, change: kind }) as const;
  return {
    fact: name,
    is: by('is'),
    isNot: by('isNot'),
    in: (...values) => ({ kind: 'compare', fact: name, by: 'in', with: { values } }),
    lessThan: by('lessThan'),
    atMost: by('atMost'),
    atLeast: by('atLeast'),
    moreThan: by('moreThan'),
    rises: change('rises'),
    falls: change('falls'),
    changes: change('changes'),
  };
}

/**
 * Creates the condition that the model is in one of some states.
 *
 * @param names - names of the states
 * @returns the condition
 */
export function state(...names: readonly string[]): Condition {
  return fact('state').in(...names);
}

/**
 * Creates the condition that one of some pages is open.
 *
 * @param names - names of the pages; `null` is no page
 * @returns the condition
 */
export function page(...names: readonly (string | null)[]): Condition {
  return fact('page').in(...names);
}

/**
 * Creates the condition that a step sends an event.
 *
 * @param name - event type
 * @param fields - values that its fields must have
 * @returns the condition
 */
export function event(name: string, fields: Readonly<Record<string, FactScalar>> = {}): Condition {
  return { kind: 'event', names: [name], fields };
}

/**
 * Creates the condition that one of some actions is taken.
 *
 * @param names - names of the actions
 * @returns the condition
 */
export function action(...names: readonly string[]): Condition {
  return { kind: 'action', names };
}

/**
 * Creates the condition that the clock advances in this step.
 *
 * @returns the condition
 */
export function timePasses(): Condition {
  return { kind: 'time' };
}

/**
 * Creates the condition that another one held before this step. At the first position it is false.
 *
 * @param of - condition of a state
 * @returns the condition
 */
export function previously(of: Formula): Condition {
  return { kind: 'previously', of };
}

/**
 * Negates a formula.
 *
 * @param of - the formula
 * @returns its negation
 */
export function not(of: Formula): Formula {
  return { kind: 'not', of };
}

/**
 * Creates the conjunction of formulas.
 *
 * @param of - the formulas
 * @returns the conjunction
 */
export function all(...of: readonly Formula[]): Formula {
  return { kind: 'all', of };
}

/**
 * Creates the disjunction of formulas.
 *
 * @param of - the formulas
 * @returns the disjunction
 */
export function any(...of: readonly Formula[]): Formula {
  return { kind: 'any', of };
}

/**
 * Creates an implication: where `condition` holds, `implies` holds too.
 *
 * @param condition - the condition
 * @param implies - the formula that holds with it
 * @returns the implication
 */
export function when(condition: Formula, implies: Formula): Formula {
  return { kind: 'when', when: condition, implies };
}

/**
 * Creates the formula that another one holds after the next step.
 *
 * @param of - the formula
 * @returns the formula one step later
 */
export function next(of: Formula): Formula {
  return { kind: 'next', of };
}

const dayMs = 86_400_000;

/** Time limit of an operator. */
export interface TimeBound {
  readonly days: number;
}

function toMs(bound: TimeBound | undefined): number | null {
  return bound === undefined ? null : bound.days * dayMs;
}

/**
 * Creates the formula that another one holds at every position from here.
 *
 * @param of - the formula
 * @param during - limits it to the positions until the clock has advanced by more than this
 * @returns the formula over time
 */
export function always(of: Formula, during?: TimeBound): Formula {
  return { kind: 'always', of, forMs: toMs(during) };
}

/**
 * Creates the formula that another one holds at no position from here.
 *
 * @param of - the formula
 * @returns the formula over time
 */
export function never(of: Formula): Formula {
  return always(not(of));
}

/**
 * Creates the formula that another one holds at some position from here.
 *
 * @param of - the formula
 * @param within - the clock must not advance by more than this before
 * @returns the formula over time
 */
export function eventually(of: Formula, within?: TimeBound): Formula {
  return { kind: 'eventually', of, withinMs: toMs(within) };
}

/**
 * Creates the formula that one holds until another one does, which must occur.
 *
 * @param hold - formula that holds until then
 * @param end - formula that ends it
 * @param within - the clock must not advance by more than this before
 * @returns the formula over time
 */
export function until(hold: Formula, end: Formula, within?: TimeBound): Formula {
  return { kind: 'until', hold, until: end, strong: true, withinMs: toMs(within) };
}

/**
 * Creates the formula that one holds until another one does, or forever.
 *
 * @param hold - formula that holds until then
 * @param end - formula that ends it
 * @returns the formula over time
 */
export function unless(hold: Formula, end: Formula): Formula {
  return { kind: 'until', hold, until: end, strong: false, withinMs: null };
}

/**
 * Creates the formula that `second` does not occur until `first` has occurred at an earlier position.
 *
 * @param first - formula of the earlier position
 * @param second - formula of the later one
 * @returns the formula over time
 */
export function precedes(first: Formula, second: Formula): Formula {
  return { kind: 'before', first, before: second };
}

/**
 * Creates the formula that a condition occurs at most `max` times after each `start` until the next `end`.
 *
 * @param max - largest number of occurrences
 * @param of - condition that is counted
 * @param start - formula after which counting starts
 * @param end - formula before which counting ends
 * @returns the formula over time
 */
export function atMostTimes(max: number, of: Formula, start: Formula, end: Formula): Formula {
  return { kind: 'times', max, of, between: [start, end] };
}

/** Definition of a property in TypeScript. */
export interface PropertyDefinition {
  readonly id: string;
  readonly title: string;
  readonly covers?: readonly string[];
  readonly machine?: string;
  readonly fair?: readonly Formula[];
  readonly property: Formula;
}

/**
 * Creates a property.
 * @param definition - id, title and formula
 * @returns the property, for `checkProperties`
 */
export function defineProperty(definition: PropertyDefinition): Property {
  const { id, title, covers = [], machine = null, fair = [], property } = definition;
  return { id, title, covers, machine, fair, formula: property, locate: () => `property "${id}"` };
}
