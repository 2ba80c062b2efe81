import type { Filter, FilterValue } from '../../contract/odata/filter.ts';
import type { Comparison, TextTest } from '../../contract/odata/filter-properties.ts';
import { listWords, type Search } from '../../contract/odata/search.ts';
import { parseInstant } from '../../core/clock.ts';
import { isPlainObject } from '../../core/merge-patch.ts';

/** Reads a property of a row by its name. */
export type ReadProperty<Row> = (row: Row, name: string) => unknown;

/** Creates a reader of one property, by its name. */
export type CreateReader<Row> = (name: string) => (row: Row) => unknown;

/** Converts a filter to a test of rows. Texts are compared without regard to case. */
export function createFilterTest<Row>(filter: Filter, read: CreateReader<Row>): (row: Row) => boolean {
  switch (filter.kind) {
    case 'and': {
      const tests = filter.terms.map((term) => createFilterTest(term, read));
      return (row) => tests.every((test) => test(row));
    }
    case 'or': {
      const tests = filter.terms.map((term) => createFilterTest(term, read));
      return (row) => tests.some((test) => test(row));
    }
    case 'not': {
      const test = createFilterTest(filter.term, read);
      return (row) => !test(row);
    }
    case 'compare': {
      const { operator, isTime } = filter;
      const get = createPathReader(filter.path, read);
      const wanted = comparable(filter.value);
      return (row) => compare(toComparable(get(row), isTime), operator, wanted);
    }
    case 'in': {
      const get = createPathReader(filter.path, read);
      const wanted = new Set(filter.values.map(comparable));
      return (row) => wanted.has(toComparable(get(row), filter.isTime));
    }
    case 'text': {
      const get = createPathReader(filter.path, read);
      const wanted = filter.value.toLowerCase();
      const { test } = filter;
      return (row) => testText(get(row), test, wanted);
    }
    case 'any': {
      const get = createPathReader(filter.path, read);
      const test =
        filter.test === null ? () => true : createFilterTest(filter.test, (name) => (item) => readItem(item, name));
      return (row) => toItems(get(row)).some((item) => test(item));
    }
  }
}

/** Converts a search to a test of rows: every word begins a word of the property. */
export function createSearchTest<Row>(search: Search, read: CreateReader<Row>): (row: Row) => boolean {
  const alternatives = search.map((clauses) =>
    clauses.map(({ property, words }) => {
      const get = read(property);
      return (row: Row) => {
        const value = get(row);
        if (typeof value !== 'string') return false;
        const held = listWords(value);
        return words.every((word) => held.some((one) => one.startsWith(word)));
      };
    }),
  );
  return (row) => alternatives.some((tests) => tests.every((test) => test(row)));
}

/** Orders two comparable values: `null` first. */
export function orderComparables(first: FilterValue, second: FilterValue): number {
  if (first === second) return 0;
  if (first === null) return -1;
  if (second === null) return 1;
  return first < second ? -1 : 1;
}

/** Returns a reader for a path such as `status/errorCode`. The path `''` is the row itself. */
function createPathReader<Row>(path: string, read: CreateReader<Row>): (row: Row) => unknown {
  const [name = '', ...rest] = path.split('/');
  const get = read(name);
  if (rest.length === 0) return get;
  return (row) => rest.reduce<unknown>((value, key) => readItem(value, key), get(row));
}

/** Reads a property of an item of a collection. The name `''` is the item itself. */
function readItem(item: unknown, name: string): unknown {
  if (name === '') return item;
  return isPlainObject(item) ? item[name] : undefined;
}

function toItems(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

function comparable(value: FilterValue): FilterValue {
  return typeof value === 'string' ? value.toLowerCase() : value;
}

/** Returns a value as filters and orders compare it: a text in lower case, or a time in milliseconds. */
export function toComparable(value: unknown, isTime: boolean): FilterValue {
  if (typeof value === 'string') return isTime ? parseInstant(value) : value.toLowerCase();
  return typeof value === 'number' || typeof value === 'boolean' ? value : null;
}

function compare(value: FilterValue, operator: Comparison, wanted: FilterValue): boolean {
  if (operator === 'eq') return value === wanted;
  if (operator === 'ne') return value !== wanted;
  // No order exists between a value and null.
  if (value === null || wanted === null) return false;
  switch (operator) {
    case 'gt':
      return value > wanted;
    case 'ge':
      return value >= wanted;
    case 'lt':
      return value < wanted;
    case 'le':
      return value <= wanted;
  }
}

function testText(value: unknown, test: TextTest, wanted: string): boolean {
  if (typeof value !== 'string') return false;
  const text = value.toLowerCase();
  if (test === 'startswith') return text.startsWith(wanted);
  return test === 'endswith' ? text.endsWith(wanted) : text.includes(wanted);
}
