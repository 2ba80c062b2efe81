import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Filter } from '../../../src/contract/odata/filter.ts';
import { pageTestedRowsMax } from '../../../src/core/limits.ts';
import { type ListSource, orderRows, PlannedQuery } from '../../../src/sandbox/directory-api/resource-list.ts';

interface Row {
  readonly id: string;
  readonly size: number;
}

function toSource(rows: ListSource<Row>['rows'], isOrdered = false): ListSource<Row> {
  return { rows, read: (row, name) => (name === 'id' ? row.id : row.size), order: ['id'], isOrdered };
}

const isSmall: Filter = { kind: 'compare', operator: 'lt', path: 'size', isTime: false, value: 3 };

/** Follows the pages of a query to its end. Returns the ids of each page. */
function follow(query: PlannedQuery<Row>, size: number, skip = 0): readonly (readonly string[])[] {
  const pages: string[][] = [];
  for (let from: number | null = 0, skipped = skip; from !== null; skipped = 0) {
    const { rows, next }: ReturnType<PlannedQuery<Row>['page']> = query.page({ from, skip: skipped, size });
    pages.push(rows.map(({ id }) => id));
    from = next;
  }
  return pages;
}

describe('DIR27: order', () => {
  test('property: rows have the requested order, equal ones that of the row, and all appear once', () => {
    const row = fc.record({ id: fc.string({ maxLength: 2 }), size: fc.integer({ min: 0, max: 4 }) });
    fc.assert(
      fc.property(fc.array(row, { maxLength: 30 }), fc.boolean(), (rows, descending) => {
        const ordered = orderRows(toSource(rows), [{ property: 'size', descending }]);
        const sizes = Array.from({ length: ordered.length }, (_, at) => ordered.at(at) as Row);
        expect(sizes).toHaveLength(rows.length);
        expect(new Set(sizes)).toEqual(new Set(rows));
        const isInOrder = sizes.slice(1).every(({ size, id }, index) => {
          const before = sizes[index] as Row;
          if (before.size === size) return before.id.toLowerCase() <= id.toLowerCase();
          return before.size < size !== descending;
        });
        expect(isInOrder).toBe(true);
      }),
    );
  });

  test('rows that already have the order are not read', () => {
    const rows = {
      length: 1_000_000,
      at: () => {
        throw new Error('A row was read.');
      },
    };
    expect(orderRows(toSource(rows, true), [])).toBe(rows);
    expect(new PlannedQuery(rows, toSource(rows, true), { filter: null, search: null }).count()).toBe(1_000_000);
  });
});

describe('DIR23: pages', () => {
  test('property: all pages together are the filtered rows, and every page but the last one is full', () => {
    const sizes = fc.array(fc.integer({ min: 0, max: 5 }), { maxLength: 40 });
    const properties = [sizes, fc.integer({ min: 1, max: 7 }), fc.boolean(), fc.nat({ max: 9 })] as const;
    fc.assert(
      fc.property(...properties, (given, size, isFiltered, skip) => {
        const rows = given.map((value, index) => ({ id: String(index).padStart(2, '0'), size: value }));
        const source = toSource(rows, true);
        const query = new PlannedQuery(rows, source, { filter: isFiltered ? isSmall : null, search: null });
        const expected = rows.filter((row) => !isFiltered || row.size < 3).map(({ id }) => id);
        const pages = follow(query, size, skip);
        expect(pages.flat()).toEqual(expected.slice(skip));
        expect(pages.slice(0, -1).every(({ length }) => length === size)).toBe(true);
        expect(query.count()).toBe(expected.length);
      }),
    );
  });

  test('a page ends after it tested the maximum number of rows, and the next one continues there', () => {
    let read = 0;
    const rows = {
      length: pageTestedRowsMax * 2 + 10,
      at: (position: number) => {
        read += 1;
        return { id: String(position), size: position === pageTestedRowsMax + 5 ? 0 : 9 };
      },
    };
    const query = new PlannedQuery(rows, toSource(rows, true), { filter: isSmall, search: null });
    const first = query.page({ from: 0, skip: 0, size: 10 });
    expect([first.rows, first.next, read]).toEqual([[], pageTestedRowsMax, pageTestedRowsMax]);
    expect(follow(query, 10).map(({ length }) => length)).toEqual([0, 1, 0]);
  });
});
