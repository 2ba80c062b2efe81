import { fixedFacts } from '../../../machines/own/own-facts.ts';
import type {
  DeclaredFacts,
  DurationOperand,
  FactDefinition,
  FactType,
  FactValue,
  Operand,
} from '../../../machines/own/own-ruleset.ts';
import { toValueType } from '../../contract/declared-values.ts';
import {
  parseConstant,
  parseDuration,
  parseReference,
  type Read,
  type ValueType,
} from '../../contract/ruleset-values.ts';
import { isPlainObject } from '../../core/merge-patch.ts';
import { suggestName } from '../../core/nearest-name.ts';
import { formatValue } from './describe-values.ts';
import { readFactImport } from './read-fact-import.ts';
import type { Path, RulesetFaultCode, RulesetFaults } from './ruleset-fault.ts';

/** Definition as it is written. */
export interface WrittenDefinition {
  readonly type: FactType;
  readonly values?: readonly string[] | undefined;
  readonly min?: unknown;
  readonly max?: unknown;
  readonly default?: unknown;
  readonly title?: string | undefined;
  readonly import?: string | undefined;
  readonly map?: Readonly<Record<string, unknown>> | undefined;
}

/** Reads the definition of a fact or a setting (OC19). */
export function readDefinition(
  written: WrittenDefinition,
  code: RulesetFaultCode,
  path: Path,
  faults: RulesetFaults,
): FactDefinition {
  const { type, values = [] } = written;
  const needsValues = type === 'enum' || type === 'set';
  if (needsValues && values.length === 0) faults.add(code, path, `values is missing; list the values of the ${type}`);
  for (const [index, value] of values.entries()) {
    if (values.indexOf(value) < index) faults.add(code, [...path, 'values', index], `"${value}" is repeated`);
  }
  if (!needsValues && values.length > 0) faults.add(code, [...path, 'values'], 'only an enum or a set has values');
  const valueType: ValueType = { type, values: needsValues ? values : null };
  const place: DefinitionPlace = { type: valueType, code, path, faults };
  const [min = null, max = null] = (['min', 'max'] as const).map((key) => readBound(written[key], key, place));
  if (type === 'integer' && (written.min === undefined || written.max === undefined)) {
    faults.add(code, path, 'min and max are missing; an integer needs both');
  }
  if (min !== null && max !== null && min > max) {
    const message = `${formatValue(max, type)} is below min, which is ${formatValue(min, type)}`;
    faults.add(code, [...path, 'max'], message);
  }
  const bounds = { ...(min === null ? {} : { min }), ...(max === null ? {} : { max }) };
  const definition = { type, values, default: readDefault(written, place, bounds), ...bounds };
  return {
    ...definition,
    ...(written.title === undefined ? {} : { title: written.title }),
    ...readFactImport(written, definition, (key, message) => faults.add(code, [...path, ...key], message)),
  };
}

/** Where a definition stands, and which values it has. */
interface DefinitionPlace {
  readonly type: ValueType;
  readonly code: RulesetFaultCode;
  readonly path: Path;
  readonly faults: RulesetFaults;
}

/** Returns the default of a definition, or `null` if it is unknown or has a fault. */
function readDefault(
  written: WrittenDefinition,
  { type, code, path, faults }: DefinitionPlace,
  { min = Number.NEGATIVE_INFINITY, max = Number.POSITIVE_INFINITY }: { readonly min?: number; readonly max?: number },
): FactValue {
  const at = [...path, 'default'];
  if (written.default === undefined) {
    faults.add(code, path, 'default is missing; write the value that holds where none is given');
    return null;
  }
  if (written.default === null) {
    const allowed = type.type === 'instant' || type.type === 'text';
    if (!allowed) faults.add(code, at, 'null is allowed for an instant and a text only');
    return null;
  }
  const read = parseConstant(written.default, type);
  if ('message' in read) {
    faults.add(code, at, read.message);
    return null;
  }
  if (typeof read.value !== 'number' || min > max) return read.value;
  const text = (value: number): string => formatValue(value, type.type as FactType);
  if (read.value < min) faults.add(code, at, `${text(read.value)} is below min, which is ${text(min)}`);
  if (read.value > max) faults.add(code, at, `${text(read.value)} is above max, which is ${text(max)}`);
  return read.value;
}

function readBound(written: unknown, key: 'min' | 'max', { type, code, path, faults }: DefinitionPlace): number | null {
  if (written === undefined) return null;
  if (!['integer', 'instant', 'duration'].includes(type.type)) {
    faults.add(code, [...path, key], `a ${type.type} has no ${key}`);
    return null;
  }
  const read = parseConstant(written, type);
  if ('message' in read) faults.add(code, [...path, key], read.message);
  return 'value' in read && typeof read.value === 'number' ? read.value : null;
}

/** Names that the values of a ruleset can refer to, with the collector of its faults. */
export class RulesetScope {
  readonly faults: RulesetFaults;
  readonly settings: Readonly<Record<string, FactDefinition>>;
  readonly facts: DeclaredFacts;
  readonly #written: Readonly<Record<string, unknown>>;
  readonly #fixed: ReadonlyMap<string, ValueType>;

  /**
   * Creates a scope of settings and declared facts. `written` is the whole ruleset: what it declares with a fault is not
   * reported again where it is used. `fixed` contains the facts that every ruleset of this base can read.
   */
  constructor(
    faults: RulesetFaults,
    settings: Readonly<Record<string, FactDefinition>>,
    facts: DeclaredFacts,
    written: Readonly<Record<string, unknown>>,
    fixed: ReadonlyMap<string, ValueType> = fixedFacts,
  ) {
    this.#fixed = fixed;
    this.faults = faults;
    this.settings = settings;
    this.facts = facts;
    this.#written = written;
  }

  #isWritten(path: readonly string[]): boolean {
    let holder: unknown = this.#written;
    for (const key of path) {
      // A value of another shape is a fault itself.
      if (!isPlainObject(holder)) return true;
      if (!Object.hasOwn(holder, key)) return false;
      holder = holder[key];
    }
    return true;
  }

  /** Returns the type of a fact by its path, or `null` if there is none. */
  findType(path: string): ValueType | null {
    const fixed = this.#fixed.get(path);
    if (fixed !== undefined) return fixed;
    const [owner = '', group = '', name = '', ...rest] = path.split('.');
    if (rest.length > 0) return null;
    const holder: Readonly<Record<string, FactDefinition>> | undefined =
      group === 'facts' ? this.facts[owner as keyof DeclaredFacts] : group === 'settings' ? this.settings : undefined;
    if (holder === undefined || !Object.hasOwn(holder, name) || (group === 'settings' && owner !== 'tenant'))
      return null;
    const definition = holder[name];
    return definition === undefined ? null : toValueType(definition);
  }

  /** Returns the range of a declared fact, as far as it has one. */
  findRange(path: string): { readonly min?: number; readonly max?: number } {
    const [owner = '', group = '', name = ''] = path.split('.');
    const holder: Readonly<Record<string, FactDefinition>> | undefined =
      group === 'facts' ? this.facts[owner as keyof DeclaredFacts] : group === 'settings' ? this.settings : undefined;
    return holder !== undefined && Object.hasOwn(holder, name) ? (holder[name] ?? {}) : {};
  }

  /** Paths of all facts, for suggestions. */
  get paths(): readonly string[] {
    const declared = Object.entries(this.facts).flatMap(([owner, facts]) =>
      Object.keys(facts).map((name) => `${owner}.facts.${name}`),
    );
    const settings = Object.keys(this.settings).map((name) => `tenant.settings.${name}`);
    return [...declared, ...settings, ...this.#fixed.keys()];
  }

  /** Returns the type of a fact. A path that no fact has is a fault (RS27). */
  requireType(path: string, at: Path): ValueType | null {
    const type = this.findType(path);
    const [owner = '', group = '', name = ''] = path.split('.');
    const isDeclared = this.#isWritten(group === 'settings' ? ['settings', name] : ['facts', owner, name]);
    if (type === null && !isDeclared) {
      this.faults.add(
        'RS27',
        at,
        `no fact has the path "${path}"${suggestName(path, this.paths) || '; declare it under facts'}`,
      );
    }
    return type;
  }

  /** Reads a value in a rule: a constant, a setting or a fact of the same type. */
  readOperand(written: unknown, type: ValueType, code: RulesetFaultCode, at: Path): Operand | null {
    const reference = parseReference(written);
    if (reference !== null) return this.#readReference(reference, type, code, at);
    const read = parseConstant(written, type);
    if ('message' in read) {
      this.faults.add(code, at, read.message);
      return null;
    }
    return { constant: read.value };
  }

  /** Reads a duration in a rule. Unlike settings and facts, a constant can have calendar units. */
  readDuration(written: unknown, code: RulesetFaultCode, at: Path): DurationOperand | null {
    const reference = parseReference(written);
    const type: ValueType = { type: 'duration', values: null };
    if (reference !== null) return this.#readReference(reference, type, code, at) as DurationOperand | null;
    const read = parseDuration(written);
    return this.accept(read, code, at, (value) => ({ constant: value }));
  }

  /** Returns what was read, or adds its fault and returns `null`. */
  accept<T, R>(read: Read<T>, code: RulesetFaultCode, at: Path, use: (value: T) => R): R | null {
    if ('value' in read) return use(read.value);
    this.faults.add(code, at, read.message);
    return null;
  }

  #readReference(
    reference: { readonly setting: string } | { readonly fact: string },
    { type }: ValueType,
    code: RulesetFaultCode,
    at: Path,
  ): { readonly setting: string } | { readonly fact: string } | null {
    if ('setting' in reference) {
      const definition = this.settings[reference.setting];
      if (definition === undefined || !Object.hasOwn(this.settings, reference.setting)) {
        if (this.#isWritten(['settings', reference.setting])) return null;
        const known = Object.keys(this.settings);
        this.faults.add(
          code,
          [...at, 'setting'],
          `no setting has the name "${reference.setting}"${suggestName(reference.setting, known) || '; declare it under settings'}`,
        );
        return null;
      }
      if (!fits(definition.type, type)) {
        this.faults.add(
          code,
          [...at, 'setting'],
          `the setting "${reference.setting}" is of type ${definition.type}, and ${withArticle(type)} is needed`,
        );
        return null;
      }
      return reference;
    }
    const found = this.requireType(reference.fact, [...at, 'fact']);
    if (found === null) return null;
    if (fits(found.type, type)) return reference;
    this.faults.add(
      'RS27',
      [...at, 'fact'],
      `the fact "${reference.fact}" is of type ${found.type}, and ${withArticle(type)} is needed`,
    );
    return null;
  }
}

function fits(given: ValueType['type'], wanted: ValueType['type']): boolean {
  if (given === wanted) return true;
  if (wanted === 'number') return given === 'integer';
  const words = ['enum', 'text'];
  return words.includes(given) && words.includes(wanted);
}

function withArticle(type: ValueType['type']): string {
  return `${['integer', 'enum', 'instant'].includes(type) ? 'an' : 'a'} ${type}`;
}
