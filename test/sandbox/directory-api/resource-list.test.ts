import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Filter } from '../../../src/contract/odata/filter.ts';
import { afterPendingInput } from '../../../src/core/clock.ts';
import { pageTestedRowsMax } from '../../../src/core/limits.ts';
import { type ListSource, orderRows, PlannedQuery } from '../../../src/sandbox/directory-api/resource-list.ts';

interface Row {
  readonly id: string;
  readonly size: number;
}

function toSource(rows: ListSource<Row>['rows'], isOrdered = false): ListSource<Row> {
  return { rows, read: (row, name) => (name === 'id' ? row.id : row.size), order: ['id'], isOrdered };
}

const compareIds = (one: Row, other: Row) => {
  const [first, second] = [one.id.toLowerCase(), other.id.toLowerCase()];
  if (first === second) return 0;
  return first < second ? -1 : 1;
};

const isSmall: Filter = { kind: 'compare', operator: 'lt', path: 'size', isTime: false, value: 3 };

/** Follows the pages of a query to its end. Returns the ids of each page. */
async function follow(query: PlannedQuery<Row>, size: number, skip = 0): Promise<readonly (readonly string[])[]> {
  const pages: string[][] = [];
  for (let from: number | null = 0, skipped = skip; from !== null; skipped = 0) {
    const { rows, next }: Awaited<ReturnType<PlannedQuery<Row>['page']>> = await query.page({
      from,
      skip: skipped,
      size,
    });
    pages.push(rows.map(({ id }) => id));
    from = next;
  }
  return pages;
}

describe('DIR27: order', () => {
  test('property: rows have the requested order, equal ones that of the row, and all appear once', async () => {
    const row = fc.record({ id: fc.string({ maxLength: 2 }), size: fc.integer({ min: 0, max: 4 }) });
    await fc.assert(
      fc.asyncProperty(fc.array(row, { maxLength: 30 }), fc.boolean(), async (rows, descending) => {
        const ordered = await orderRows(toSource(rows), [{ property: 'size', descending }]);
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

  test('property: rows that are available in an order are reversed without sorting, and equal ones stay', async () => {
    const row = fc.record({ id: fc.string({ maxLength: 2 }), size: fc.integer({ min: 0, max: 4 }) });
    await fc.assert(
      fc.asyncProperty(fc.array(row, { maxLength: 30 }), fc.constantFrom('size', 'id'), async (given, property) => {
        const rows = given.toSorted((one, other) => one.size - other.size);
        const source = {
          ...toSource(rows, true),
          order: ['size'],
          sortBy: (name: string) => (name === 'id' ? given.toSorted((one, other) => compareIds(one, other)) : null),
        };
        const read = (one: Row) => (property === 'size' ? one.size : one.id.toLowerCase());
        const ascending = property === 'size' ? rows : (source.sortBy('id') ?? []);
        const expected = ascending.toSorted((one, other) => {
          if (read(one) === read(other)) return 0;
          return read(one) < read(other) ? 1 : -1;
        });
        const reversed = await orderRows(source, [{ property, descending: true }]);
        expect(Array.from({ length: reversed.length }, (_, at) => reversed.at(at))).toEqual(expected);
        expect([reversed.at(-1), reversed.at(given.length)]).toEqual([undefined, undefined]);
        expect(await orderRows(source, [{ property, descending: false }])).toEqual(ascending);
      }),
    );
  });

  test('many rows are sorted in slices, and other tasks run in between', async () => {
    const rows = Array.from({ length: 40_000 }, (_, index) => ({ id: String(index), size: (index * 7_919) % 1_000 }));
    let others = 0;
    let isSorted = false;
    const run = () => {
      others += 1;
      if (!isSorted) afterPendingInput(run);
    };
    run();
    const ordered = await orderRows({ ...toSource(rows, true), order: ['size'] }, [
      { property: 'size', descending: true },
      { property: 'id', descending: false },
    ]);
    isSorted = true;
    const expected = rows.toSorted((one, other) => other.size - one.size || compareIds(one, other));
    expect(Array.from({ length: ordered.length }, (_, at) => ordered.at(at))).toEqual(expected);
    expect(others).toBeGreaterThan(10);
  });

  test('rows that already have the order are not read', async () => {
    const rows = {
      length: 1_000_000,
      at: () => {
        throw new Error('A row was read.');
      },
    };
    expect(await orderRows(toSource(rows, true), [])).toBe(rows);
    expect(await orderRows(toSource(rows, true), [{ property: 'id', descending: false }])).toBe(rows);
    expect(await orderRows(toSource(rows, true), [{ property: 'id', descending: true }])).toMatchObject({
      length: 1_000_000,
    });
    expect(await new PlannedQuery(rows, toSource(rows, true), { filter: null, search: null }).count()).toBe(1_000_000);
  });
});

describe('DIR23: pages', () => {
  test('property: all pages together are the filtered rows, and every page but the last one is full', async () => {
    const sizes = fc.array(fc.integer({ min: 0, max: 5 }), { maxLength: 40 });
    const properties = [sizes, fc.integer({ min: 1, max: 7 }), fc.boolean(), fc.nat({ max: 9 })] as const;
    await fc.assert(
      fc.asyncProperty(...properties, async (given, size, isFiltered, skip) => {
        const rows = given.map((value, index) => ({ id: String(index).padStart(2, '0'), size: value }));
        const source = toSource(rows, true);
        const query = new PlannedQuery(rows, source, { filter: isFiltered ? isSmall : null, search: null });
        const expected = rows.filter((row) => !isFiltered || row.size < 3).map(({ id }) => id);
        const pages = await follow(query, size, skip);
        expect(pages.flat()).toEqual(expected.slice(skip));
        expect(pages.slice(0, -1).every(({ length }) => length === size)).toBe(true);
        expect(await query.count()).toBe(expected.length);
      }),
    );
  });

  test('a page ends after it tested the maximum number of rows, and the next one continues there', async () => {
    let read = 0;
    const rows = {
      length: pageTestedRowsMax * 2 + 10,
      at: (position: number) => {
        read += 1;
        return { id: String(position), size: position === pageTestedRowsMax + 5 ? 0 : 9 };
      },
    };
    const query = new PlannedQuery(rows, toSource(rows, true), { filter: isSmall, search: null });
    const first = await query.page({ from: 0, skip: 0, size: 10 });
    expect([first.rows, first.next, read]).toEqual([[], pageTestedRowsMax, pageTestedRowsMax]);
    expect((await follow(query, 10)).map(({ length }) => length)).toEqual([0, 1, 0]);
  });
});
