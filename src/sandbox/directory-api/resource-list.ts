import type { Filter, FilterValue } from '../../contract/odata/filter.ts';
import type { Ordering, QueryOptions } from '../../contract/odata/query-options.ts';
import { pageTestedRowsMax } from '../../core/limits.ts';
import {
  createFilterTest,
  createSearchTest,
  orderComparables,
  type ReadProperty,
  toComparable,
} from './filter-test.ts';
import { pickRows, type RowSource } from './row-source.ts';

/** Rows of a list before filters apply. */
export interface ListSource<Row> {
  readonly rows: RowSource<Row>;
  readonly read: ReadProperty<Row>;
  /** Returns a reader of one property, which is faster for many rows than `read`. */
  readonly createReader?: (name: string) => (row: Row) => unknown;
  /** Properties that determine the order without `$orderby`, and the order of equal rows. */
  readonly order: readonly string[];
  /** `true` if the rows already have that order. */
  readonly isOrdered?: boolean;
  /** Returns the rows in ascending order of a property, if they are available in that order. */
  readonly sortBy?: (property: string) => RowSource<Row> | null;
  /** Returns the forms in which filters can name an id, or only the id itself. */
  readonly listIdForms?: (id: string) => readonly string[];
  /** Returns the form of a value in responses. Filters can name values also in the words of the specification. */
  readonly toWireValue?: (value: string) => string;
}

/** Page of a list. */
interface RowPage<Row> {
  readonly rows: readonly Row[];
  /** Position from which the next page continues, or `null` if there is none. */
  readonly next: number | null;
}

/** Returns the rows of a source in the order of a query. */
export function orderRows<Row>(
  { rows, order, isOrdered = false, sortBy, ...source }: ListSource<Row>,
  orderby: readonly Ordering[],
): RowSource<Row> {
  if (isOrdered && orderby.length === 0) return rows;
  const [first] = orderby;
  const sorted = orderby.length === 1 && first?.descending === false ? sortBy?.(first.property) : null;
  if (sorted != null) return sorted;
  const orderings = [...orderby, ...order.map((property) => ({ property, descending: false }))];
  const columns = orderings.map(({ property, descending }) => {
    const read = createPropertyReader(source, property);
    const values = Array.from({ length: rows.length }, (_, index) => {
      const row = rows.at(index);
      return row === undefined ? null : toComparable(read(row), false);
    });
    return { values, sign: descending ? -1 : 1 };
  });
  const positions = Uint32Array.from({ length: rows.length }, (_, index) => index);
  positions.sort((one, other) => {
    for (const { values, sign } of columns) {
      const compared = orderComparables(values[one] ?? null, values[other] ?? null);
      if (compared !== 0) return compared * sign;
    }
    return one - other;
  });
  return pickRows(rows, positions);
}

/** Returns a function that reads one property of rows. */
export function createPropertyReader<Row>(
  { read, createReader }: Pick<ListSource<Row>, 'read' | 'createReader'>,
  name: string,
): (row: Row) => unknown {
  return createReader?.(name) ?? ((row) => read(row, name));
}

/** Query of a list: its rows in their order, and the test of the filter. */
export class PlannedQuery<Row = unknown> {
  readonly #rows: RowSource<Row>;
  readonly #test: ((row: Row) => boolean) | null;
  #count: number | null = null;

  /** Plans the query. `rows` are those of the source in the order of the query. */
  constructor(
    rows: RowSource<Row>,
    source: ListSource<Row>,
    { filter, search }: Pick<QueryOptions, 'filter' | 'search'>,
  ) {
    const { listIdForms = () => [], toWireValue = null } = source;
    const read = (name: string) => createPropertyReader(source, name);
    const tests = [
      ...(filter === null
        ? []
        : [createFilterTest(withIdForms(withWireValues(filter, toWireValue), { id: listIdForms }), read)]),
      ...(search === null ? [] : [createSearchTest(search, read)]),
    ];
    this.#rows = rows;
    this.#test = tests.length === 0 ? null : (row) => tests.every((test) => test(row));
  }

  /** Number of rows before filters apply. */
  get length(): number {
    return this.#rows.length;
  }

  /** Counts the selected rows. */
  count(): number {
    this.#count ??= this.#test === null ? this.#rows.length : countRows(this.#rows, this.#test);
    return this.#count;
  }

  /**
   * Returns a page of the selected rows. A page ends early, possibly without a row, when many rows were tested; the
   * next one continues from there.
   *
   * @param from - position from which the page starts
   * @param skip - number of selected rows to skip before it
   * @param size - maximum number of rows
   */
  page({ from, skip, size }: { readonly from: number; readonly skip: number; readonly size: number }): RowPage<Row> {
    const source = this.#rows;
    const test = this.#test;
    const rows: Row[] = [];
    let position = test === null ? from + skip : from;
    let skipped = test === null ? skip : 0;
    let testedMax = test === null ? Number.POSITIVE_INFINITY : pageTestedRowsMax;
    for (; position < source.length; position += 1) {
      if (testedMax === 0 || (test === null && rows.length === size)) return { rows, next: position };
      const row = source.at(position);
      if (row === undefined || (test !== null && !test(row))) {
        // Rows before the first one of the page do not count, because no link can continue from there.
        if (skipped === skip) testedMax -= 1;
        continue;
      }
      if (skipped < skip) {
        skipped += 1;
        continue;
      }
      if (rows.length === size) return { rows, next: position };
      rows.push(row);
      testedMax -= 1;
    }
    return { rows, next: null };
  }
}

function countRows<Row>(rows: RowSource<Row>, test: (row: Row) => boolean): number {
  let count = 0;
  for (let position = 0; position < rows.length; position += 1) {
    const row = rows.at(position);
    if (row !== undefined && test(row)) count += 1;
  }
  return count;
}

/** Returns the filter with the values of collections in the form of responses. */
function withWireValues(filter: Filter, toWireValue: ((value: string) => string) | null): Filter {
  if (toWireValue === null) return filter;
  switch (filter.kind) {
    case 'and':
    case 'or':
      return { ...filter, terms: filter.terms.map((term) => withWireValues(term, toWireValue)) };
    case 'not':
      return { ...filter, term: withWireValues(filter.term, toWireValue) };
    case 'any':
      return filter.test === null ? filter : { ...filter, test: withWireValues(filter.test, toWireValue) };
    case 'compare':
      return filter.path === '' && typeof filter.value === 'string'
        ? { ...filter, value: toWireValue(filter.value) }
        : filter;
    default:
      return filter;
  }
}

/** Returns the forms in which requests can name the id of a property, by the path of the property. */
export type IdForms = Readonly<Record<string, (id: string) => readonly string[]>>;

/**
 * Returns the filter with every accepted form of each id, because requests can name ids in several forms.
 *
 * @param within - path of the collection that the filter tests, with a slash at its end
 */
export function withIdForms(filter: Filter, idForms: IdForms, within = ''): Filter {
  switch (filter.kind) {
    case 'and':
    case 'or':
      return { ...filter, terms: filter.terms.map((term) => withIdForms(term, idForms, within)) };
    case 'not':
      return { ...filter, term: withIdForms(filter.term, idForms, within) };
    case 'any':
      return filter.test === null
        ? filter
        : { ...filter, test: withIdForms(filter.test, idForms, `${within}${filter.path}/`) };
    case 'in': {
      const listForms = idForms[`${within}${filter.path}`];
      return listForms === undefined ? filter : { ...filter, values: addForms(filter.values, listForms) };
    }
    case 'compare': {
      const { path, operator, value } = filter;
      const listForms = idForms[`${within}${path}`];
      if (listForms === undefined || (operator !== 'eq' && operator !== 'ne')) return filter;
      const anyForm: Filter = { kind: 'in', path, isTime: false, values: addForms([value], listForms) };
      return operator === 'eq' ? anyForm : { kind: 'not', term: anyForm };
    }
    default:
      return filter;
  }
}

function addForms(
  values: readonly FilterValue[],
  listForms: (id: string) => readonly string[],
): readonly FilterValue[] {
  return values.flatMap((value): FilterValue[] => (typeof value === 'string' ? [value, ...listForms(value)] : [value]));
}
