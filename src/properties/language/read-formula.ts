import { isPlainObject } from '../../core/merge-patch.ts';
import { suggestName } from '../../core/nearest-name.ts';
import {
  type Comparison,
  comparisons,
  type FactScalar,
  type Formula,
  isPlain,
  listParts,
  type RightSide,
} from './formula.ts';
import { type Operator, operators } from './operators.ts';

type Path = readonly PropertyKey[];
type Data = Readonly<Record<string, unknown>>;

/** Receives a problem of the value, or of the key, at a path. */
export interface FormulaProblems {
  readonly add: (path: Path, message: string) => void;
  readonly addKey: (path: Path, message: string) => void;
}

/** Largest number of occurrences that `atMost` counts, and largest duration in days. */
const timesMax = 100;
const daysMax = 366;

const unitsMs: Readonly<Record<string, number>> = {
  minute: 60_000,
  hour: 3_600_000,
  day: 86_400_000,
  week: 604_800_000,
};

/** Formula that replaces one with problems, so the rest is read too. */
const unreadable: Formula = { kind: 'all', of: [] };

/** Reads a formula of a file. All problems are reported, and each part has its path. */
export function readFormula(value: unknown, path: Path, problems: FormulaProblems): Formula {
  return new FormulaReader(problems).read(value, path);
}

class FormulaReader {
  readonly #problems: FormulaProblems;

  constructor(problems: FormulaProblems) {
    this.#problems = problems;
  }

  read(value: unknown, path: Path): Formula {
    if (!isPlainObject(value)) return this.#refuse(path, `${formatValue(value)} is not a formula; write a mapping`);
    const keys = Object.keys(value);
    const operator = operators.find(({ keys: [name] }) => keys.includes(name as string));
    if (operator === undefined) return this.#refuseKeys(keys, path);
    return this.#hasKeys(value, operator, path) ? { ...this.#readOperator(value, operator, path), path } : unreadable;
  }

  #readOperator(data: Data, { keys: [name] }: Operator, path: Path): Formula {
    const part = (key: string): Formula => this.read(data[key], [...path, key]);
    switch (name) {
      case 'when':
        return { kind: 'when', when: part('when'), implies: part('then') };
      case 'hold': {
        const strong = 'until' in data;
        const withinMs = this.#readDuration(data, 'within', path);
        if (!strong && withinMs !== null) this.#problems.addKey([...path, 'within'], '"within" needs "until"');
        return { kind: 'until', hold: part('hold'), until: part(strong ? 'until' : 'unless'), strong, withinMs };
      }
      case 'first':
        return { kind: 'before', first: part('first'), before: part('before') };
      case 'times':
        return this.#readTimes(data, path);
      case 'not':
      case 'next':
        return { kind: name, of: part(name) };
      case 'previously':
        return this.#readPreviously(data, path);
      case 'all':
      case 'any':
        return { kind: name, of: this.#readList(data[name], [...path, name]) };
      case 'always':
        return { kind: 'always', of: part('always'), forMs: this.#readDuration(data, 'for', path) };
      case 'never': {
        const of: Formula = { kind: 'not', of: part('never') };
        return { kind: 'always', of, forMs: this.#readDuration(data, 'for', path) };
      }
      case 'eventually':
        return { kind: 'eventually', of: part('eventually'), withinMs: this.#readDuration(data, 'within', path) };
      default:
        return this.#readCondition(data, name as string, path);
    }
  }

  #readCondition(data: Data, name: string, path: Path): Formula {
    const value = data[name];
    const at = [...path, name];
    switch (name) {
      case 'state':
      case 'page':
        return { kind: 'compare', fact: name, by: 'in', with: { values: this.#readScalars(value, at) } };
      case 'rises':
      case 'falls':
      case 'changes':
        return { kind: 'change', fact: this.#readName(value, at), change: name };
      case 'event':
        return { kind: 'event', names: this.#readNames(value, at), fields: this.#readFields(data['with'], path) };
      case 'action':
        return { kind: 'action', names: this.#readNames(value, at) };
      case 'time':
        return value === 'passes' ? { kind: 'time' } : this.#refuse(at, `${formatValue(value)} is not "passes"`);
      default:
        return this.#readComparison(data, path);
    }
  }

  #readComparison(data: Data, path: Path): Formula {
    const by = comparisons.find((key) => key in data) as Comparison;
    const fact = this.#readName(data['fact'], [...path, 'fact']);
    return { kind: 'compare', fact, by, with: this.#readRightSide(data[by], by, [...path, by]) };
  }

  #readRightSide(value: unknown, by: Comparison, path: Path): RightSide {
    if (by === 'in') return { values: this.#readScalars(value, path) };
    if (isPlainObject(value) && Object.keys(value).join() === 'fact') {
      return { fact: this.#readName(value['fact'], [...path, 'fact']) };
    }
    const isOrder = by !== 'is' && by !== 'isNot';
    if (!isScalar(value) || (isOrder && typeof value !== 'number')) {
      const allowed = isOrder ? 'a number' : 'a value';
      this.#problems.add(path, `${formatValue(value)} is not ${allowed} or { fact: NAME }`);
      return { value: null };
    }
    return { value };
  }

  #readTimes(data: Data, path: Path): Formula {
    const max = data['atMost'];
    const between = data['between'];
    const isCount = typeof max === 'number' && Number.isInteger(max) && max >= 0 && max <= timesMax;
    if (!isCount)
      this.#problems.add([...path, 'atMost'], `${formatValue(max)} is not a whole number from 0 to ${timesMax}`);
    const of = this.read(data['times'], [...path, 'times']);
    if (!isPlain(of)) this.#problems.add([...path, 'times'], 'must be a condition without operators over time');
    if (!Array.isArray(between) || between.length !== 2) {
      return this.#refuse([...path, 'between'], 'must be a list of two formulas: the start and the end');
    }
    const [start, end] = this.#readList(between, [...path, 'between']) as [Formula, Formula];
    return { kind: 'times', max: isCount ? max : 0, of, between: [start, end] };
  }

  #readPreviously(data: Data, path: Path): Formula {
    const of = this.read(data['previously'], [...path, 'previously']);
    if (!isStateFormula(of)) {
      this.#problems.add([...path, 'previously'], 'must be a condition of a state: state, page or fact');
    }
    return { kind: 'previously', of };
  }

  #readList(value: unknown, path: Path): readonly Formula[] {
    if (Array.isArray(value) && value.length > 0) return value.map((item, at) => this.read(item, [...path, at]));
    this.#problems.add(path, 'must be a list of formulas');
    return [];
  }

  #readDuration(data: Data, key: string, path: Path): number | null {
    const value = data[key];
    if (value === undefined) return null;
    const [, number, unit = ''] = /^(\d{1,6}) (minute|hour|day|week)s?$/.exec(String(value)) ?? [];
    const durationMs = Number(number) * (unitsMs[unit] ?? Number.NaN);
    if (durationMs <= daysMax * (unitsMs['day'] ?? 0)) return durationMs;
    const allowed = `a duration of at most ${daysMax} days, such as 3 days, 12 hours or 15 minutes`;
    this.#problems.add([...path, key], `${formatValue(value)} is not ${allowed}`);
    return null;
  }

  #readName(value: unknown, path: Path): string {
    if (typeof value === 'string' && value !== '') return value;
    this.#problems.add(path, `${formatValue(value)} is not a name`);
    return '';
  }

  #readNames(value: unknown, path: Path): readonly string[] {
    const names = Array.isArray(value) ? value : [value];
    if (names.length === 0) this.#problems.add(path, 'must name at least one');
    return names.map((name, at) => this.#readName(name, Array.isArray(value) ? [...path, at] : path));
  }

  #readScalars(value: unknown, path: Path): readonly FactScalar[] {
    const values: readonly unknown[] = Array.isArray(value) ? value : [value];
    if (values.length > 0 && values.every(isScalar)) return values;
    this.#problems.add(path, `${formatValue(value)} is not a value or a list of values`);
    return [];
  }

  #readFields(value: unknown, path: Path): Readonly<Record<string, FactScalar>> {
    if (value === undefined) return {};
    if (isPlainObject(value) && Object.values(value).every(isScalar)) return value as Record<string, FactScalar>;
    this.#problems.add([...path, 'with'], 'must be a mapping from the fields of the event to values');
    return {};
  }

  #hasKeys(data: Data, { keys, oneOf = [], optional = [] }: Operator, path: Path): boolean {
    const missing = keys.filter((key) => data[key] === undefined);
    const alternatives = oneOf.filter((key) => key in data);
    const unknown = Object.keys(data).filter((key) => ![...keys, ...oneOf, ...optional].includes(key));
    for (const key of missing) this.#problems.add(path, `"${keys[0]}" needs "${key}"`);
    if (oneOf.length > 0 && alternatives.length !== 1) {
      this.#problems.add(path, `"${keys[0]}" needs one of ${oneOf.join(', ')}`);
    }
    for (const key of unknown) {
      const allowed = [...keys, ...oneOf, ...optional];
      this.#problems.addKey([...path, key], `"${key}" does not belong to "${keys[0]}"${suggestName(key, allowed)}`);
    }
    return missing.length === 0 && unknown.length === 0 && (oneOf.length === 0 || alternatives.length === 1);
  }

  #refuseKeys(keys: readonly string[], path: Path): Formula {
    const names = operators.map(({ keys: [name] }) => name as string);
    const [key] = keys;
    if (key === undefined) return this.#refuse(path, `an empty mapping is not a formula; use ${names.join(', ')}`);
    this.#problems.addKey(
      [...path, key],
      `"${key}" is not an operator; use ${names.join(', ')}${suggestName(key, names)}`,
    );
    return unreadable;
  }

  #refuse(path: Path, message: string): Formula {
    this.#problems.add(path, message);
    return unreadable;
  }
}

/** Checks whether a formula speaks about facts of one state only. */
function isStateFormula(formula: Formula): boolean {
  if (formula.kind === 'compare') return true;
  return ['not', 'all', 'any', 'when'].includes(formula.kind) && listParts(formula).every(isStateFormula);
}

function isScalar(value: unknown): value is FactScalar {
  return value === null || ['string', 'number', 'boolean'].includes(typeof value);
}

function formatValue(value: unknown): string {
  const text = JSON.stringify(value) ?? 'nothing';
  return text.length > 60 ? `${text.slice(0, 60)}…` : text;
}
