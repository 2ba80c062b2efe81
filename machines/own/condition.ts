import { addDuration, subtractDuration } from './calendar.ts';
import { type OwnFacts, readFact } from './own-facts.ts';
import type {
  Condition,
  DurationOperand,
  FactAtom,
  FactValue,
  Operand,
  OwnDuration,
  OwnRules,
  SignInsAtom,
} from './own-ruleset.ts';

/** Everything that a condition is evaluated on. */
export interface Given {
  readonly facts: OwnFacts;
  readonly rules: OwnRules;
}

/** Values by path, for conditions on other facts than those of own campaigns. */
export interface Readings {
  read(path: string): FactValue;
  readonly nowMs: number;
}

function valueAt(path: string, given: Given | Readings): FactValue {
  return 'read' in given ? given.read(path) : readFact(path, given.facts, given.rules);
}

function nowIn(given: Given | Readings): number {
  return 'read' in given ? given.nowMs : given.facts.attempt.nowMs;
}

/** Returns the value of an operand: itself, a setting or a fact. */
export function readOperand(operand: Operand, given: Given | Readings): FactValue {
  if ('constant' in operand) return operand.constant;
  return valueAt('setting' in operand ? `tenant.settings.${operand.setting}` : operand.fact, given);
}

/** Returns a number, or `null` if the operand is unknown. */
export function readNumber(operand: Operand, given: Given | Readings): number | null {
  const value = readOperand(operand, given);
  return typeof value === 'number' ? value : null;
}

/** Returns a duration, or `null` if the setting or fact is unknown. */
export function readDuration(operand: DurationOperand, given: Given | Readings): OwnDuration | null {
  if ('constant' in operand) return operand.constant;
  const ms = readNumber(operand, given);
  return ms === null ? null : { ms, months: 0 };
}

/**
 * Evaluates a condition.
 *
 * @param condition - condition of the ruleset
 * @param given - facts and rules
 */
export function holds(condition: Condition, given: Given | Readings): boolean {
  if ('all' in condition) return condition.all.every((part) => holds(part, given));
  if ('any' in condition) return condition.any.some((part) => holds(part, given));
  if ('not' in condition) return !holds(condition.not, given);
  return 'atom' in condition ? atomHolds(condition.atom, given) : signInsHold(condition.signIns, given);
}

function atomHolds(atom: FactAtom, given: Given | Readings): boolean {
  const value = valueAt(atom.fact, given);
  if (atom.operator === 'present') return (value !== null) === (atom.value === null || isTrue(atom.value, given));
  const result = value === null ? null : compare(value, atom, given);
  return result ?? atom.missing === 'pass';
}

function isTrue(value: NonNullable<FactAtom['value']>, given: Given | Readings): boolean {
  return readOperand(value as Operand, given) === true;
}

/** Compares a known value. Returns `null` if the other value is unknown. */
function compare(
  value: NonNullable<FactValue>,
  { operator, value: other }: FactAtom,
  given: Given | Readings,
): boolean | null {
  switch (operator) {
    case 'inFuture':
      return isTrue(other ?? { constant: true }, given) === Number(value) > nowIn(given);
    case 'inPast':
      return isTrue(other ?? { constant: true }, given) === Number(value) < nowIn(given);
    case 'size': {
      const { atLeast = 0, atMost = Number.POSITIVE_INFINITY } = other as { atLeast?: number; atMost?: number };
      const { length } = toList(value);
      return length >= atLeast && length <= atMost;
    }
    case 'olderThan':
    case 'atLeastOld':
    case 'youngerThan': {
      const duration = readDuration(other as DurationOperand, given);
      if (duration === null) return null;
      const endsMs = addDuration(Number(value), duration, { measure: 'elapsed', zone: 'UTC' });
      const nowMs = nowIn(given);
      if (operator === 'olderThan') return nowMs > endsMs;
      return operator === 'atLeastOld' ? nowMs >= endsMs : nowMs < endsMs;
    }
    default: {
      const wanted = readOperand(other as Operand, given);
      return wanted === null ? null : compareTo(value, operator, wanted);
    }
  }
}

function compareTo(
  value: NonNullable<FactValue>,
  operator: FactAtom['operator'],
  wanted: NonNullable<FactValue>,
): boolean {
  switch (operator) {
    case 'is':
      return isEqual(value, wanted);
    case 'isNot':
      return !isEqual(value, wanted);
    case 'in':
      return toList(wanted).some((one) => isEqual(one, value));
    case 'notIn':
      return !toList(wanted).some((one) => isEqual(one, value));
    case 'has':
      return toList(value).includes(String(wanted));
    case 'hasAny':
      return toList(wanted).some((one) => toList(value).includes(one));
    case 'hasNone':
      return !toList(wanted).some((one) => toList(value).includes(one));
    case 'atLeast':
    case 'since':
      return Number(value) >= Number(wanted);
    case 'atMost':
      return Number(value) <= Number(wanted);
    case 'above':
      return Number(value) > Number(wanted);
    case 'below':
    case 'before':
      return Number(value) < Number(wanted);
    case 'startsWith':
      return String(value).toLowerCase().startsWith(String(wanted).toLowerCase());
    case 'endsWith':
      return String(value).toLowerCase().endsWith(String(wanted).toLowerCase());
    default:
      throw new RangeError(`The operator ${operator} does not compare two values.`);
  }
}

function isEqual(one: NonNullable<FactValue>, other: NonNullable<FactValue>): boolean {
  if (typeof one !== 'object' || typeof other !== 'object') return one === other;
  return one.length === other.length && one.every((item) => other.includes(item));
}

function toList(value: NonNullable<FactValue>): readonly string[] {
  return typeof value === 'object' ? value : [String(value)];
}

function signInsHold({ within, operator, value }: SignInsAtom, given: Given | Readings): boolean {
  // The check of a ruleset rejects this condition where sign-ins are not counted.
  if ('read' in given) return false;
  const { attempt, kept } = given.facts;
  const duration = readDuration(within, given);
  const wanted = readNumber(value, given);
  if (duration === null || wanted === null) return false;
  const fromMs = subtractDuration(attempt.nowMs, duration, 'UTC');
  const count = kept.signInTimesMs.filter((atMs) => atMs >= fromMs && atMs <= attempt.nowMs).length + 1;
  return compareTo(count, operator, wanted);
}

/** Returns the paths of the facts that a condition reads, in order. Settings have the path `tenant.settings.NAME`. */
export function listReads(condition: Condition): readonly string[] {
  if ('all' in condition) return condition.all.flatMap(listReads);
  if ('any' in condition) return condition.any.flatMap(listReads);
  if ('not' in condition) return listReads(condition.not);
  if ('signIns' in condition)
    return [...operandReads(condition.signIns.within), ...operandReads(condition.signIns.value)];
  const { fact, value } = condition.atom;
  return [fact, ...operandReads(value)];
}

function operandReads(value: object | null): readonly string[] {
  if (value === null) return [];
  if ('setting' in value) return [`tenant.settings.${String(value.setting)}`];
  return 'fact' in value ? [String(value.fact)] : [];
}

/** Path of a fact, and the name by which a verdict reports it. */
type NamedRead = readonly [path: string, name: string];

const namedReads = new WeakMap<Condition, readonly NamedRead[]>();

/**
 * Returns the facts that a condition reads, each with the name by which a verdict reports it: the last part of its path,
 * or the whole path if two paths end alike.
 */
export function nameReads(condition: Condition): readonly NamedRead[] {
  const known = namedReads.get(condition);
  if (known !== undefined) return known;
  const unique = [...new Set(listReads(condition))];
  const last = (path: string): string => path.slice(path.lastIndexOf('.') + 1);
  const named = unique.map((path): NamedRead => {
    const isAmbiguous = unique.filter((other) => last(other) === last(path)).length > 1;
    return [path, isAmbiguous ? path : last(path)];
  });
  namedReads.set(condition, named);
  return named;
}
