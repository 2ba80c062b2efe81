import { type Filter, type FilterValue, listFilterParts } from '../../contract/odata/filter.ts';
import type { Ordering, QueryOptions } from '../../contract/odata/query-options.ts';
import { pageTestedRowsMax } from '../../core/limits.ts';
import { TimeSlices } from '../../core/time-slices.ts';
import {
  createFilterTest,
  createSearchTest,
  orderComparables,
  type ReadProperty,
  toComparable,
} from './filter-test.ts';
import { pickRows, type RowSource, reverseRows, takeRows } from './row-source.ts';
import { sortPositions } from './sort-positions.ts';

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
  /**
   * Lists all rows in groups that have equal values of some properties, each with the number of its rows. Returns `null`
   * if rows differ in one of them.
   */
  readonly listAlike?: (properties: ReadonlySet<string>) => Iterable<AlikeRows<Row>> | null;
  /** Returns the forms in which filters can name an id, or only the id itself. */
  readonly listIdForms?: (id: string) => readonly string[];
  /** Returns the form of a value in responses. Filters can name values also in the words of the specification. */
  readonly toWireValue?: (value: string) => string;
}

/** One of several rows that a filter does not tell apart, and their number. */
export interface AlikeRows<Row> {
  readonly row: Row;
  readonly count: number;
}

/** Page of a list. */
interface RowPage<Row> {
  readonly rows: readonly Row[];
  /** Position from which the next page continues, or `null` if there is none. */
  readonly next: number | null;
}

/**
 * Returns the rows of a source in the order of a query. Rows that are available in that order, or in the opposite one,
 * are not sorted.
 */
export async function orderRows<Row>(
  source: ListSource<Row>,
  orderby: readonly Ordering[],
  slices: TimeSlices = new TimeSlices(),
): Promise<RowSource<Row>> {
  const { rows, order, isOrdered = false, sortBy } = source;
  const [first] = orderby;
  if (isOrdered && first === undefined) return rows;
  if (first !== undefined && orderby.length === 1) {
    const sorted = isOrdered && first.property === order[0] ? rows : (sortBy?.(first.property) ?? null);
    if (sorted !== null && !first.descending) return sorted;
    if (sorted !== null) return reverseRows(sorted, createComparison(source, first.property));
  }
  // Equal rows that have the order already stay in it.
  const further = isOrdered ? [] : order.map((property) => ({ property, descending: false }));
  const columns: { readonly values: readonly FilterValue[]; readonly sign: number }[] = [];
  for (const { property, descending } of [...orderby, ...further]) {
    columns.push({ values: await readColumn(source, property, slices), sign: descending ? -1 : 1 });
  }
  const compare = (one: number, other: number) => {
    for (const { values, sign } of columns) {
      const compared = orderComparables(values[one] ?? null, values[other] ?? null);
      if (compared !== 0) return compared * sign;
    }
    return one - other;
  };
  return pickRows(rows, await sortPositions(rows.length, compare, slices));
}

/** Largest number of different values of a column that are shared. Times and types are few, names are not. */
const sharedValuesMax = 1_000;

async function readColumn<Row>(
  source: ListSource<Row>,
  property: string,
  slices: TimeSlices,
): Promise<readonly FilterValue[]> {
  const { rows } = source;
  const read = createPropertyReader(source, property);
  const values: FilterValue[] = [];
  const shared = new Map<FilterValue, FilterValue>();
  for (let position = 0; position < rows.length; position += 1) {
    if (slices.isDue()) await slices.pause();
    const row = rows.at(position);
    const value = row === undefined ? null : toComparable(read(row), false);
    if (shared.size < sharedValuesMax && !shared.has(value)) shared.set(value, value);
    values.push(shared.get(value) ?? value);
  }
  return values;
}

function createComparison<Row>(source: ListSource<Row>, property: string): (one: Row, other: Row) => number {
  const read = createPropertyReader(source, property);
  return (one, other) => orderComparables(toComparable(read(one), false), toComparable(read(other), false));
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
  /** Lists the rows in groups that the filter does not tell apart, or returns `null`. */
  readonly #listAlike: () => Iterable<AlikeRows<Row>> | null;
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
    const names = filter === null || search !== null ? null : listProperties(filter);
    this.#listAlike = () => (names === null ? null : (source.listAlike?.(names) ?? null));
  }

  /** Number of rows before filters apply. */
  get length(): number {
    return this.#rows.length;
  }

  /** Counts the selected rows. */
  async count(slices: TimeSlices = new TimeSlices()): Promise<number> {
    if (this.#count !== null) return this.#count;
    const test = this.#test;
    const alike = test === null ? null : this.#listAlike();
    if (test === null) this.#count = this.#rows.length;
    else if (alike === null) this.#count = await countRows(this.#rows, test, slices);
    else this.#count = await countAlike(alike, test, slices);
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
  async page(
    { from, skip, size }: { readonly from: number; readonly skip: number; readonly size: number },
    slices: TimeSlices = new TimeSlices(),
  ): Promise<RowPage<Row>> {
    const source = this.#rows;
    const test = this.#test;
    if (test === null) {
      const end = Math.min(source.length, from + skip + size);
      return { rows: takeRows(source, from + skip, end), next: end < source.length ? end : null };
    }
    const rows: Row[] = [];
    let skipped = 0;
    let testedMax = pageTestedRowsMax;
    for (let position = from; position < source.length; position += 1) {
      if (slices.isDue()) await slices.pause();
      if (testedMax === 0) return { rows, next: position };
      // Rows before the first one of the page do not count, because no link can continue from there.
      if (skipped === skip) testedMax -= 1;
      const row = source.at(position);
      if (row === undefined || !test(row)) continue;
      if (skipped < skip) skipped += 1;
      else if (rows.length === size) return { rows, next: position };
      else rows.push(row);
    }
    return { rows, next: null };
  }
}

/** Returns the names of the properties that a filter tests. */
function listProperties(filter: Filter): ReadonlySet<string> {
  const paths = listFilterParts(filter).flatMap((part) => ('path' in part && part.path !== '' ? [part.path] : []));
  return new Set(paths.map((path) => path.split('/')[0] ?? path));
}

async function countAlike<Row>(
  groups: Iterable<AlikeRows<Row>>,
  test: (row: Row) => boolean,
  slices: TimeSlices,
): Promise<number> {
  let total = 0;
  for (const { row, count } of groups) {
    if (slices.isDue()) await slices.pause();
    if (test(row)) total += count;
  }
  return total;
}

async function countRows<Row>(rows: RowSource<Row>, test: (row: Row) => boolean, slices: TimeSlices): Promise<number> {
  let count = 0;
  for (let position = 0; position < rows.length; position += 1) {
    if (slices.isDue()) await slices.pause();
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
