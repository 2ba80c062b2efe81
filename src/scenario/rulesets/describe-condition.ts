import type { Condition, DurationOperand, FactAtom, Operand } from '../../../machines/own/condition-data.ts';
import { toInstant } from '../../core/clock.ts';
import { formatDuration } from './describe-values.ts';

const operatorWords: Readonly<Partial<Record<FactAtom['operator'], string>>> = {
  is: 'is',
  isNot: 'is not',
  in: 'is one of',
  notIn: 'is none of',
  has: 'contains',
  hasAny: 'contains any of',
  hasNone: 'contains none of',
  atLeast: 'is at least',
  atMost: 'is at most',
  above: 'is above',
  below: 'is below',
  olderThan: 'is longer ago than',
  atLeastOld: 'is at least as long ago as',
  youngerThan: 'is less long ago than',
  before: 'is before',
  since: 'is not before',
  startsWith: 'starts with',
  endsWith: 'ends with',
};

/** Describes a condition in words, such as "user.type is guest and user.methods contains any of sms, voice". */
export function describeCondition(condition: Condition): string {
  return describe(condition, false);
}

function describe(condition: Condition, isPart: boolean): string {
  if ('all' in condition) return join(condition.all, ' and ', 'always', isPart);
  if ('any' in condition) return join(condition.any, ' or ', 'never', isPart);
  if ('not' in condition) return `not (${describe(condition.not, false)})`;
  if ('signIns' in condition) {
    const { within, operator, value } = condition.signIns;
    return `the number of sign-ins within ${describeValue(within)} ${operatorWords[operator]} ${describeValue(value)}`;
  }
  return describeAtom(condition.atom);
}

function join(parts: readonly Condition[], word: string, empty: string, isPart: boolean): string {
  if (parts.length === 0) return empty;
  const [only] = parts;
  if (parts.length === 1 && only !== undefined) return describe(only, isPart);
  const text = parts.map((part) => describe(part, true)).join(word);
  return isPart ? `(${text})` : text;
}

function describeAtom({ fact, operator, value, missing }: FactAtom): string {
  const unknown = missing === 'pass' ? ', or is unknown' : '';
  switch (operator) {
    case 'present':
      return `${fact} is ${isFalse(value) ? 'not ' : ''}given`;
    case 'inFuture':
      return `${fact} is ${isFalse(value) ? 'not ' : ''}in the future${unknown}`;
    case 'inPast':
      return `${fact} is ${isFalse(value) ? 'not ' : ''}in the past${unknown}`;
    case 'size':
      return `${fact} has ${describeSize(value as { atLeast?: number; atMost?: number })}${unknown}`;
    default:
      return `${fact} ${operatorWords[operator]} ${value === null ? '' : describeValue(value as Operand)}${unknown}`;
  }
}

function isFalse(value: FactAtom['value']): boolean {
  return value !== null && 'constant' in value && value.constant === false;
}

function describeSize({ atLeast, atMost }: { readonly atLeast?: number; readonly atMost?: number }): string {
  if (atMost === 0) return 'no entries';
  const bounds = [
    ...(atLeast === undefined ? [] : [`at least ${atLeast}`]),
    ...(atMost === undefined ? [] : [`at most ${atMost}`]),
  ];
  return `${bounds.join(' and ')} ${(atMost ?? atLeast) === 1 ? 'entry' : 'entries'}`;
}

/** First instant that is written as a time, and not as a number: 2001. */
const instantMsMin = 1_000_000_000_000;

function describeValue(operand: Operand | DurationOperand): string {
  if ('setting' in operand) return `the setting ${operand.setting}`;
  if ('fact' in operand) return operand.fact;
  const { constant } = operand;
  if (typeof constant === 'number') return constant >= instantMsMin ? toInstant(constant) : String(constant);
  if (typeof constant !== 'object' || constant === null) return String(constant);
  if (!('ms' in constant)) return constant.join(', ') || 'nothing';
  return formatDuration(constant);
}
