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
}

/** Returns the rows that a query selects, in its order. */
export function listRows<Row>(
  { rows, read, order, listIdForms }: ListSource<Row>,
  { filter, search, orderby }: Pick<QueryOptions, 'filter' | 'search' | 'orderby'>,
): readonly Row[] {
  const tests = [
    ...(filter === null ? [] : [createFilterTest(withIdForms(filter, { id: listIdForms ?? (() => []) }), read)]),
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
