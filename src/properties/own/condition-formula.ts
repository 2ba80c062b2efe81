import type { Condition, FactAtom, FactValue } from '../../../machines/own/own-ruleset.ts';
import type { FactScalar, Formula } from '../language/formula.ts';
import { all, any, event, fact, not, previously } from '../language/formula-builder.ts';

/** Event that has the facts of an attempt. */
export const evaluated = 'attempt.evaluated';

/** Checks whether a fact has a value in some state of a model. */
export type IsReached = (path: string, value: FactScalar) => boolean;

/**
 * Translates a condition of a ruleset to a formula about a sign-in: facts of the attempt are fields of its event, and
 * those of the tenant and the user are facts of the state before it. Nothing of the ruleset's own evaluation is used.
 *
 * @param isReached - values that no state has hold nowhere
 * @returns the formula; `null` for comparisons that the language of properties does not have, such as ages
 */
export function translateCondition(condition: Condition, isReached: IsReached): Formula | null {
  if ('all' in condition) return translateAll(condition.all, all, isReached);
  if ('any' in condition) return translateAll(condition.any, any, isReached);
  if ('not' in condition) {
    const of = translateCondition(condition.not, isReached);
    return of === null ? null : not(of);
  }
  return 'atom' in condition ? translateAtom(condition.atom, isReached) : null;
}

function translateAll(
  conditions: readonly Condition[],
  join: (...of: readonly Formula[]) => Formula,
  isReached: IsReached,
): Formula | null {
  const parts = conditions.map((one) => translateCondition(one, isReached));
  const known = parts.filter((part) => part !== null);
  return known.length === parts.length ? join(...known) : null;
}

function translateAtom(atom: FactAtom, isReached: IsReached): Formula | null {
  const { fact: path, missing } = atom;
  if (path.startsWith('kept.')) return null;
  const compared = path.startsWith('attempt.') ? compareAttempt(atom) : compareState(atom, isReached);
  if (compared === null) return null;
  const isMissing = path.startsWith('attempt.') ? event(evaluated, { [path]: null }) : previously(fact(path).is(null));
  return missing === 'pass' ? any(isMissing, compared) : all(not(isMissing), compared);
}

/** Returns the constant of a comparison; `undefined` for another kind of operand. */
function readConstant({ value }: FactAtom): FactScalar | undefined {
  if (value === null || !('constant' in value)) return undefined;
  const constant = value.constant as FactValue | object;
  return typeof constant === 'object' && constant !== null ? undefined : constant;
}

function readConstants({ value }: FactAtom): readonly FactScalar[] | null {
  if (value === null || !('constant' in value)) return null;
  return Array.isArray(value.constant) ? (value.constant as readonly FactScalar[]) : null;
}

function compareAttempt(atom: FactAtom): Formula | null {
  const { fact: path, operator } = atom;
  const is = (value: FactScalar): Formula => event(evaluated, { [path]: value });
  switch (operator) {
    case 'is':
    case 'isNot': {
      const value = readConstant(atom);
      if (value === undefined) return null;
      return operator === 'is' ? is(value) : not(is(value));
    }
    case 'in':
    case 'notIn': {
      const values = readConstants(atom);
      if (values === null) return null;
      const one = any(...values.map(is));
      return operator === 'in' ? one : not(one);
    }
    case 'present':
      return not(is(null));
    default:
      return null;
  }
}

function compareState(atom: FactAtom, isReached: IsReached): Formula | null {
  const { fact: path, operator } = atom;
  const isAny = (...values: readonly FactScalar[]): Formula => formatReached(path, values, isReached);
  switch (operator) {
    case 'in':
    case 'notIn': {
      const values = readConstants(atom);
      if (values === null) return null;
      const one = isAny(...values);
      return operator === 'in' ? one : not(one);
    }
    case 'inFuture':
      return isAny('future');
    case 'inPast':
      return isAny('past');
    case 'present':
      return previously(fact(path).isNot(null));
    case 'size':
      return compareSize(atom);
    case 'is':
    case 'isNot': {
      const value = readConstant(atom);
      if (value === undefined) break;
      return operator === 'is' ? isAny(value) : not(isAny(value));
    }
    default:
      break;
  }
  return compareNumber(atom);
}

/** Formats that a fact had one of some values before the step. Values that it never has are left out. */
export function formatReached(path: string, values: readonly FactScalar[], isReached: IsReached): Formula {
  const reached = values.filter((value) => isReached(path, value));
  return reached.length === 0 ? any() : previously(fact(path).in(...reached));
}

function compareSize({ fact: path, value }: FactAtom): Formula | null {
  if (value === null || 'constant' in value || 'fact' in value || 'setting' in value) return null;
  const { atLeast, atMost } = value;
  const size = fact(`${path}.size`);
  return all(
    ...(atLeast === undefined ? [] : [previously(size.atLeast(atLeast))]),
    ...(atMost === undefined ? [] : [previously(size.atMost(atMost))]),
  );
}

function compareNumber(atom: FactAtom): Formula | null {
  const constant = readConstant(atom);
  const { value } = atom;
  const setting = value !== null && 'setting' in value ? fact(`tenant.settings.${value.setting}`) : null;
  const right = setting ?? constant;
  if (right === undefined) return null;
  const left = fact(atom.fact);
  if (atom.operator === 'is') return previously(left.is(right));
  if (atom.operator === 'isNot') return previously(left.isNot(right));
  if (typeof right !== 'number' && setting === null) return null;
  const number = right as number;
  switch (atom.operator) {
    case 'atLeast':
      return previously(left.atLeast(number));
    case 'atMost':
      return previously(left.atMost(number));
    case 'above':
      return previously(left.moreThan(number));
    case 'below':
      return previously(left.lessThan(number));
    default:
      return null;
  }
}
