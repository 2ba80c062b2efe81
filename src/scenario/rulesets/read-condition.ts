import { type Condition, type FactAtom, type Operator, operators } from '../../../machines/own/own-ruleset.ts';
import type { ValueType } from '../../contract/ruleset-values.ts';
import { isPlainObject } from '../../core/merge-patch.ts';
import { suggestName } from '../../core/nearest-name.ts';
import type { Path, RulesetFaultCode } from './ruleset-fault.ts';
import type { RulesetScope } from './ruleset-scope.ts';

/** Maximum number of comparisons in one condition (OC39). */
const atomsMax = 64;

const words: readonly ValueType['type'][] = ['text', 'enum'];

/** Types of facts that each operator compares. */
export const comparable: Readonly<Record<Operator, readonly ValueType['type'][] | null>> = {
  is: null,
  isNot: null,
  in: ['enum', 'text'],
  notIn: ['enum', 'text'],
  has: ['set'],
  hasAny: ['set'],
  hasNone: ['set'],
  size: ['set'],
  atLeast: ['integer', 'duration'],
  atMost: ['integer', 'duration'],
  above: ['integer', 'duration'],
  below: ['integer', 'duration'],
  olderThan: ['instant'],
  atLeastOld: ['instant'],
  youngerThan: ['instant'],
  before: ['instant'],
  since: ['instant'],
  inFuture: ['instant'],
  inPast: ['instant'],
  startsWith: words,
  endsWith: words,
  present: null,
};

/**
 * Reads a condition (OC21).
 *
 * @param written - condition as it is in the file
 * @param code - code of faults in its shape: that of the row whose key contains it
 * @param path - path of the condition in the file
 * @param scope - facts and settings that it can name
 * @returns the condition, or `null` if it has faults, which were added
 */
export function readCondition(
  written: unknown,
  code: RulesetFaultCode,
  path: Path,
  scope: RulesetScope,
): Condition | null {
  const atoms = { count: 0 };
  const condition = new ConditionReader(code, scope, atoms).read(written, path);
  if (atoms.count > atomsMax) {
    scope.faults.add(
      code,
      path,
      `has ${atoms.count} comparisons; ${atomsMax} are allowed: divide it into several gates`,
    );
  }
  return condition;
}

const forms = 'one of all, any, not, fact with an operator, or signIns with a comparison';

class ConditionReader {
  readonly #code: RulesetFaultCode;
  readonly #scope: RulesetScope;
  readonly #atoms: { count: number };

  constructor(code: RulesetFaultCode, scope: RulesetScope, atoms: { count: number }) {
    this.#code = code;
    this.#scope = scope;
    this.#atoms = atoms;
  }

  read(written: unknown, path: Path): Condition | null {
    if (!isPlainObject(written)) return this.#fault(path, `is no condition; write ${forms}`);
    if ('fact' in written) return this.#readAtom(written, path);
    if ('signIns' in written) return this.#readSignIns(written, path);
    const keys = Object.keys(written);
    const [key] = keys;
    if (keys.length !== 1 || (key !== 'all' && key !== 'any' && key !== 'not')) {
      const given = keys.map((one) => `"${one}"`).join(', ') || 'nothing';
      const known = ['all', 'any', 'not', 'fact', 'signIns'];
      const nearest = keys.map((one) => suggestName(one, known)).find((text) => text !== '') ?? '';
      return this.#fault(path, `is no condition with ${given}; write ${forms}${nearest}`);
    }
    const inner = written[key];
    if (key === 'not') {
      const condition = this.read(inner, [...path, 'not']);
      return condition === null ? null : { not: condition };
    }
    if (!Array.isArray(inner)) return this.#fault([...path, key], `is not a list of conditions; write ${key}: [ … ]`);
    const parts = inner.map((part: unknown, index) => this.read(part, [...path, key, index]));
    const whole = parts.filter((part) => part !== null);
    if (whole.length < parts.length) return null;
    return key === 'all' ? { all: whole } : { any: whole };
  }

  #readAtom(written: Record<string, unknown>, path: Path): Condition | null {
    this.#atoms.count += 1;
    const { fact, missing = 'fail', ...rest } = written;
    if (typeof fact !== 'string') return this.#fault([...path, 'fact'], 'is not the path of a fact, such as user.type');
    if (missing !== 'pass' && missing !== 'fail') {
      return this.#fault([...path, 'missing'], `${JSON.stringify(missing)} is not one of "pass", "fail"`);
    }
    const type = this.#scope.requireType(fact, [...path, 'fact']);
    const keys = Object.keys(rest);
    const [operator] = keys;
    if (keys.length !== 1 || operator === undefined || !isOperator(operator)) {
      const unknown = keys.find((key) => !isOperator(key));
      if (unknown === undefined) {
        return this.#fault(
          path,
          `needs exactly one operator, and has ${keys.join(', ') || 'none'}; join several with all`,
        );
      }
      this.#scope.faults.addKey(
        this.#code,
        [...path, unknown],
        `unknown operator "${unknown}"; allowed: ${operators.join(', ')}${suggestName(unknown, operators)}`,
      );
      return null;
    }
    if (type === null) return null;
    const at = [...path, operator];
    const allowed = comparable[operator];
    if (allowed !== null && !allowed.includes(type.type)) {
      const fitting = operators.filter((one) => comparable[one]?.includes(type.type) !== false);
      this.#scope.faults.addKey(
        'RS27',
        at,
        `${operator} does not compare a fact of type ${type.type}; write one of ${fitting.join(', ')}`,
      );
      return null;
    }
    const value = this.#readValue(operator, rest[operator], type, at);
    if (value !== undefined && type.type === 'integer') this.#checkRange(fact, value, at);
    return value === undefined ? null : { atom: { fact, operator, value, missing } };
  }

  /** Returns the value of a comparison, or `undefined` if it has a fault. */
  #readValue(operator: Operator, written: unknown, type: ValueType, at: Path): FactAtom['value'] | undefined {
    const { faults } = this.#scope;
    switch (operator) {
      case 'present':
      case 'inFuture':
      case 'inPast':
        if (typeof written === 'boolean') return { constant: written };
        faults.add(this.#code, at, `${JSON.stringify(written)} is not true or false`);
        return undefined;
      case 'size':
        return this.#readSize(written, at);
      case 'olderThan':
      case 'atLeastOld':
      case 'youngerThan':
        return this.#scope.readDuration(written, this.#code, at) ?? undefined;
      case 'in':
      case 'notIn':
      case 'hasAny':
      case 'hasNone':
        return this.#scope.readOperand(written, { type: 'set', values: type.values }, 'RS27', at) ?? undefined;
      case 'has':
        return this.#scope.readOperand(written, { type: 'enum', values: type.values }, 'RS27', at) ?? undefined;
      case 'startsWith':
      case 'endsWith':
        return this.#scope.readOperand(written, { type: 'text', values: null }, 'RS27', at) ?? undefined;
      default:
        return this.#scope.readOperand(written, type, 'RS27', at) ?? undefined;
    }
  }

  /** Adds a fault for a number that a fact can never have. One more or less is a way to write its bounds. */
  #checkRange(fact: string, value: FactAtom['value'], at: Path): void {
    if (value === null || !('constant' in value) || typeof value.constant !== 'number') return;
    const { min, max } = this.#scope.findRange(fact);
    const { constant } = value;
    if (min === undefined || max === undefined || (constant >= min - 1 && constant <= max + 1)) return;
    this.#scope.faults.add('RS27', at, `${constant} is no value of ${fact}, which is from ${min} to ${max}`);
  }

  #readSize(written: unknown, at: Path): { atLeast?: number; atMost?: number } | undefined {
    const bounds = isPlainObject(written) ? Object.entries(written) : [];
    const valid = bounds.every(([key, value]) => ['atLeast', 'atMost'].includes(key) && Number.isInteger(value));
    if (bounds.length > 0 && valid) return Object.fromEntries(bounds) as { atLeast?: number; atMost?: number };
    this.#scope.faults.add(this.#code, at, 'is no size; write { atLeast: 1 }, { atMost: 3 } or both');
    return undefined;
  }

  #readSignIns(written: Record<string, unknown>, path: Path): Condition | null {
    this.#atoms.count += 1;
    const { signIns, ...rest } = written;
    const within = isPlainObject(signIns) && Object.keys(signIns).length === 1 ? signIns['within'] : undefined;
    if (within === undefined) return this.#fault([...path, 'signIns'], 'is no window; write signIns: { within: 30d }');
    const duration = this.#scope.readDuration(within, this.#code, [...path, 'signIns', 'within']);
    const comparisons = ['atLeast', 'atMost', 'above', 'below'] as const;
    const keys = Object.keys(rest);
    const operator = comparisons.find((one) => one === keys[0]);
    if (keys.length !== 1 || operator === undefined) {
      return this.#fault(path, `needs exactly one of ${comparisons.join(', ')} next to signIns`);
    }
    const value = this.#scope.readOperand(rest[operator], { type: 'integer', values: null }, this.#code, [
      ...path,
      operator,
    ]);
    if (duration !== null && 'constant' in duration && duration.constant.ms + duration.constant.months === 0) {
      this.#fault([...path, 'signIns', 'within'], 'is no time; write a duration above 0, such as 30d');
    }
    return duration === null || value === null ? null : { signIns: { within: duration, operator, value } };
  }

  #fault(path: Path, message: string): null {
    this.#scope.faults.add(this.#code, path, message);
    return null;
  }
}

function isOperator(key: string): key is Operator {
  return (operators as readonly string[]).includes(key);
}
