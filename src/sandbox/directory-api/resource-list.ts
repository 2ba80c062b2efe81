import type { Filter, FilterValue } from '../../contract/odata/filter.ts';
import type { QueryOptions } from '../../contract/odata/query-options.ts';
import { createFilterTest, createSearchTest, orderValues, type ReadProperty } from './filter-test.ts';

/** Rows of a list before filters apply. */
export interface ListSource<Row> {
  readonly rows: readonly Row[];
  readonly read: ReadProperty<Row>;
  /** Properties that determine the order without `$orderby`, and the order of equal rows. */
  readonly order: readonly string[];
  /** Returns the forms in which filters can name an id, or only the id itself. */
  readonly listIdForms?: (id: string) => readonly string[];
  /** Returns the form of a value in responses. Filters can name values also in the words of the specification. */
  readonly toWireValue?: (value: string) => string;
}

/** Returns the rows that a query selects, in its order. */
export function listRows<Row>(
  { rows, read, order, listIdForms, toWireValue }: ListSource<Row>,
  { filter, search, orderby }: Pick<QueryOptions, 'filter' | 'search' | 'orderby'>,
): readonly Row[] {
  const tests = [
    ...(filter === null
      ? []
      : [createFilterTest(withIdForms(withWireValues(filter, toWireValue ?? null), listIdForms ?? (() => [])), read)]),
    ...(search === null ? [] : [createSearchTest(search, read)]),
  ];
  const selected = tests.length === 0 ? rows : rows.filter((row) => tests.every((test) => test(row)));
  const orderings = [...orderby, ...order.map((property) => ({ property, descending: false }))];
  const keyed = selected.map((row) => ({ row, keys: orderings.map(({ property }) => read(row, property)) }));
  keyed.sort((one, other) => {
    for (const [index, { descending }] of orderings.entries()) {
      const sign = orderValues(one.keys[index], other.keys[index]);
      if (sign !== 0) return descending ? -sign : sign;
    }
    return 0;
  });
  return keyed.map(({ row }) => row);
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

/** Returns the filter with every accepted form of each id, because requests can name ids in several forms. */
function withIdForms(filter: Filter, listIdForms: (id: string) => readonly string[]): Filter {
  const addForms = (values: readonly FilterValue[]): readonly FilterValue[] =>
    values.flatMap((value): FilterValue[] => (typeof value === 'string' ? [value, ...listIdForms(value)] : [value]));
  switch (filter.kind) {
    case 'and':
    case 'or':
      return { ...filter, terms: filter.terms.map((term) => withIdForms(term, listIdForms)) };
    case 'not':
      return { ...filter, term: withIdForms(filter.term, listIdForms) };
    case 'in':
      return filter.path === 'id' ? { ...filter, values: addForms(filter.values) } : filter;
    case 'compare': {
      const { path, operator, value } = filter;
      if (path !== 'id' || (operator !== 'eq' && operator !== 'ne')) return filter;
      const anyForm: Filter = { kind: 'in', path, isTime: false, values: addForms([value]) };
      return operator === 'eq' ? anyForm : { kind: 'not', term: anyForm };
    }
    default:
      return filter;
  }
}
