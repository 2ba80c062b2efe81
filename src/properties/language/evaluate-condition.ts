import type { ModelStep } from '../models/property-model.ts';
import type { Comparison, Condition, FactScalar, Formula } from './formula.ts';

/** Position of a path: the step that leads there, and the facts before and after it. */
export interface PathPosition {
  /** Step to this position; `null` at the start. */
  readonly step: ModelStep | null;
  /** `true` if the action of the step takes place. */
  readonly taken: boolean;
  /** `true` if the clock advances in the step. */
  readonly time: boolean;
  /** Facts before the step; `null` at the start. */
  readonly before: ((fact: string) => FactScalar) | null;
  readonly after: (fact: string) => FactScalar;
}

/** Evaluates a formula without temporal operators at one position. */
export function evaluateCondition(formula: Formula, position: PathPosition): boolean {
  switch (formula.kind) {
    case 'not':
      return !evaluateCondition(formula.of, position);
    case 'all':
      return formula.of.every((part) => evaluateCondition(part, position));
    case 'any':
      return formula.of.some((part) => evaluateCondition(part, position));
    case 'when':
      return !evaluateCondition(formula.when, position) || evaluateCondition(formula.implies, position);
    case 'previously':
      if (position.before === null) return false;
      return evaluateCondition(formula.of, { ...position, after: position.before, before: null, step: null });
    case 'compare':
    case 'change':
    case 'event':
    case 'action':
    case 'time':
      return evaluateAtom(formula, position);
    default:
      throw new TypeError(`${formula.kind} is not decided by one position.`);
  }
}

function evaluateAtom(atom: Exclude<Condition, { kind: 'previously' }>, position: PathPosition): boolean {
  const { step, before, after } = position;
  switch (atom.kind) {
    case 'compare': {
      const { with: right } = atom;
      const values = 'values' in right ? right.values : ['fact' in right ? after(right.fact) : right.value];
      return compare(after(atom.fact), atom.by, values);
    }
    case 'change':
      return before !== null && hasChanged(before(atom.fact), after(atom.fact), atom.change);
    case 'event':
      return step?.events.some((event) => matches(event, atom)) ?? false;
    case 'action':
      return step !== null && position.taken && atom.names.includes(step.action);
    case 'time':
      return step !== null && position.time;
  }
}

function matches(event: { readonly type: string }, atom: Extract<Condition, { kind: 'event' }>): boolean {
  if (!atom.names.includes(event.type)) return false;
  const given = event as Readonly<Record<string, unknown>>;
  return Object.entries(atom.fields).every(([name, value]) => given[name] === value);
}

function compare(left: FactScalar, by: Comparison, values: readonly FactScalar[]): boolean {
  const [right = null] = values;
  switch (by) {
    case 'is':
      return left === right;
    case 'isNot':
      return left !== right;
    case 'in':
      return values.includes(left);
    default:
      return typeof left === 'number' && typeof right === 'number' && compareNumbers(left, by, right);
  }
}

function compareNumbers(left: number, by: Exclude<Comparison, 'is' | 'isNot' | 'in'>, right: number): boolean {
  switch (by) {
    case 'lessThan':
      return left < right;
    case 'atMost':
      return left <= right;
    case 'atLeast':
      return left >= right;
    case 'moreThan':
      return left > right;
  }
}

function hasChanged(before: FactScalar, after: FactScalar, change: 'rises' | 'falls' | 'changes'): boolean {
  if (change === 'changes') return before !== after;
  if (typeof before !== 'number' || typeof after !== 'number') return false;
  return change === 'rises' ? after > before : after < before;
}
