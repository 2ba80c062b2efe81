import { parseInstant } from '../../core/clock.ts';
import { isGuid } from '../../core/ids.ts';
import { filterComparisonsMax, filterDepthMax } from '../../core/limits.ts';
import { formatValue } from '../policy-reader.ts';
import type { Filter, FilterValue } from './filter.ts';
import {
  comparisons,
  type FilterOperator,
  type FilterProperties,
  findFilterProperty,
  type NamedProperty,
  type ScalarProperty,
  type ScalarType,
  textTests,
} from './filter-properties.ts';
import { FilterScanner } from './filter-scanner.ts';

/** Properties in reach of an expression: those of the resource, or those of the item inside `any`. */
interface Scope {
  readonly properties: FilterProperties;
  /** Variable of the item, and the item itself if it is a text. */
  readonly item: { readonly variable: string; readonly property: ScalarProperty | null } | null;
}

/**
 * Parses the value of `$filter`.
 *
 * @param properties - properties of the resource that filters can use, with their operators
 * @throws OptionSyntaxError for an unknown property, an unsupported operator, a value of another type, or more parts
 *   than allowed, with the position
 */
export function parseFilter(text: string, properties: FilterProperties): Filter {
  const parser = new FilterParser(new FilterScanner(text));
  return parser.parse({ properties, item: null });
}

class FilterParser {
  readonly #scanner: FilterScanner;
  #depth = 0;
  #comparisons = 0;

  constructor(scanner: FilterScanner) {
    this.#scanner = scanner;
  }

  parse(scope: Scope): Filter {
    const filter = this.#or(scope);
    if (!this.#scanner.isAtEnd) throw this.#scanner.fail('and, or, or the end');
    return filter;
  }

  #or(scope: Scope): Filter {
    const terms = [this.#and(scope)];
    while (this.#scanner.takeWord('or')) terms.push(this.#and(scope));
    return combine('or', terms);
  }

  #and(scope: Scope): Filter {
    const terms = [this.#term(scope)];
    while (this.#scanner.takeWord('and')) terms.push(this.#term(scope));
    return combine('and', terms);
  }

  #term(scope: Scope): Filter {
    if (this.#scanner.takeWord('not')) return { kind: 'not', term: this.#nested(() => this.#term(scope)) };
    if (this.#scanner.takeSign('(')) {
      const inner = this.#nested(() => this.#or(scope));
      this.#expect(')');
      return inner;
    }
    return this.#test(scope);
  }

  #test(scope: Scope): Filter {
    const at = this.#scanner.position;
    const name = this.#scanner.takeName();
    if (name === null) throw this.#scanner.fail('a property, a function or an opening parenthesis');
    const test = textTests.find((one) => one === name.toLowerCase());
    if (test !== undefined && this.#scanner.takeSign('(')) return this.#text(test, scope);
    const names = [name];
    while (this.#scanner.takeSign('/')) {
      if (this.#scanner.takeWord('any')) return this.#any(this.#find(names, scope, at), at);
      names.push(this.#takeName());
    }
    return this.#comparison(this.#find(names, scope, at), at);
  }

  #text(test: (typeof textTests)[number], scope: Scope): Filter {
    const at = this.#scanner.position;
    const found = this.#find(this.#path(), scope, at);
    this.#scalar(found, test, at);
    this.#expect(',');
    const value = this.#value('string');
    if (typeof value !== 'string') throw this.#scanner.failAt(at, `${test} needs a text`);
    this.#expect(')');
    return { kind: 'text', test, path: found.path, value };
  }

  #any({ path, property }: NamedProperty, at: number): Filter {
    if (property.type !== 'strings' && property.type !== 'objects') {
      throw this.#scanner.failAt(at, `${path} is not a collection, which any requires`);
    }
    this.#expect('(');
    if (this.#scanner.takeSign(')')) return { kind: 'any', path, test: null };
    const variable = this.#takeName();
    this.#expect(':');
    const self: ScalarProperty | null =
      property.type === 'strings' ? { type: 'string', operators: property.operators } : null;
    const item = { variable: variable.toLowerCase(), property: self };
    const properties = property.type === 'objects' ? property.items : {};
    const test = this.#nested(() => this.#or({ properties, item }));
    this.#expect(')');
    return { kind: 'any', path, test };
  }

  #comparison(named: NamedProperty, at: number): Filter {
    const { path } = named;
    const operatorAt = this.#scanner.position;
    const word = this.#scanner.takeName()?.toLowerCase();
    if (word === 'in') {
      const { type } = this.#scalar(named, 'in', operatorAt);
      return { kind: 'in', path, isTime: type === 'time', values: this.#values(type) };
    }
    const operator = comparisons.find((one) => one === word);
    if (operator === undefined) {
      throw this.#scanner.failAt(operatorAt, `${path} needs one of the operators ${comparisons.join(', ')}, in`);
    }
    const { type } = this.#scalar(named, operator, at);
    return { kind: 'compare', operator, path, isTime: type === 'time', value: this.#value(type) };
  }

  #values(type: ScalarType): readonly FilterValue[] {
    this.#expect('(');
    const values = [this.#value(type)];
    while (this.#scanner.takeSign(',')) values.push(this.#value(type));
    this.#expect(')');
    return values;
  }

  /** Returns the property with one value, if it supports the operator. */
  #scalar({ path, property }: NamedProperty, operator: FilterOperator, at: number): ScalarProperty {
    if (property.type === 'strings' || property.type === 'objects') {
      throw this.#scanner.failAt(at, `${path} is a collection; use ${path}/any(x: …)`);
    }
    if (!property.operators.includes(operator)) {
      const allowed = property.operators.join(', ');
      throw this.#scanner.failAt(at, `${operator} is not supported for ${path || 'the item'}; allowed: ${allowed}`);
    }
    return property;
  }

  #value(type: ScalarType): FilterValue {
    this.#comparisons += 1;
    const at = this.#scanner.position;
    if (this.#comparisons > filterComparisonsMax) {
      throw this.#scanner.failAt(at, `the filter has more than ${filterComparisonsMax} comparisons`);
    }
    const text = this.#scanner.takeQuoted();
    const word = text ?? this.#scanner.takeBareWord();
    if (word === null) throw this.#scanner.fail('a value');
    if (text === null && word.toLowerCase() === 'null') return null;
    const value = readValue(type, word, text !== null);
    if (value === undefined) throw this.#scanner.failAt(at, `${formatValue(word)} is not ${described[type]}`);
    return value;
  }

  #find(names: readonly string[], { properties, item }: Scope, at: number): NamedProperty {
    if (item !== null) {
      const [variable = '', ...rest] = names;
      if (variable.toLowerCase() !== item.variable) {
        throw this.#scanner.failAt(at, `${formatValue(variable)} is not ${item.variable}, the variable of any`);
      }
      if (rest.length === 0 && item.property !== null) return { path: '', property: item.property };
      return this.#known(properties, rest.join('/'), at);
    }
    return this.#known(properties, names.join('/'), at);
  }

  #known(properties: FilterProperties, path: string, at: number): NamedProperty {
    const found = findFilterProperty(properties, path);
    if (found !== undefined) return found;
    const allowed = Object.keys(properties).join(', ') || 'none';
    throw this.#scanner.failAt(at, `the property ${formatValue(path)} cannot be filtered; allowed: ${allowed}`);
  }

  #path(): readonly string[] {
    const names = [this.#takeName()];
    while (this.#scanner.takeSign('/')) names.push(this.#takeName());
    return names;
  }

  #takeName(): string {
    const name = this.#scanner.takeName();
    if (name === null) throw this.#scanner.fail('a name');
    return name;
  }

  #expect(sign: string): void {
    if (!this.#scanner.takeSign(sign)) throw this.#scanner.fail(`"${sign}"`);
  }

  #nested(read: () => Filter): Filter {
    this.#depth += 1;
    if (this.#depth > filterDepthMax) {
      throw this.#scanner.failAt(this.#scanner.position, `the filter has more than ${filterDepthMax} nested parts`);
    }
    const filter = read();
    this.#depth -= 1;
    return filter;
  }
}

function combine(kind: 'and' | 'or', terms: readonly Filter[]): Filter {
  const [only] = terms;
  return terms.length === 1 && only !== undefined ? only : { kind, terms };
}

const described: Readonly<Record<ScalarType, string>> = {
  string: 'a text in single quotes or a GUID',
  boolean: 'true or false',
  number: 'a number',
  time: 'a time in ISO 8601, such as 2026-01-05T09:00:00Z',
};

const decimal = /^-?\d{1,15}(?:\.\d{1,15})?$/;

/** Returns a value of a type, or `undefined` if the word is not one. Texts need quotes, unless they are GUIDs. */
function readValue(type: ScalarType, word: string, isQuoted: boolean): FilterValue | undefined {
  switch (type) {
    case 'string':
      return isQuoted || isGuid(word) ? word : undefined;
    case 'boolean':
      return readBoolean(word, isQuoted);
    case 'number':
      return !isQuoted && decimal.test(word) ? Number(word) : undefined;
    case 'time':
      return parseInstant(word) ?? undefined;
  }
}

function readBoolean(word: string, isQuoted: boolean): boolean | undefined {
  const lower = isQuoted ? '' : word.toLowerCase();
  return lower === 'true' ? true : lower === 'false' ? false : undefined;
}
