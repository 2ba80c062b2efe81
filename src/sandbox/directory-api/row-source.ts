/**
 * Rows of a list by position. Rows are computed when a page contains them, so a list of any length needs no memory. An
 * array is a row source.
 */
export interface RowSource<Row> {
  readonly length: number;
  /** Returns the row at a position from 0, or `undefined` beyond the last one. */
  at(position: number): Row | undefined;
}

/** Returns the rows from one position up to another. */
export function takeRows<Row>(rows: RowSource<Row>, from: number, to: number): Row[] {
  const taken: Row[] = [];
  const end = Math.min(to, rows.length);
  for (let position = from; position < end; position += 1) {
    const row = rows.at(position);
    if (row !== undefined) taken.push(row);
  }
  return taken;
}

/** Returns rows that are computed from those of another source. */
export function mapRows<Row, Result>(rows: RowSource<Row>, convert: (row: Row) => Result): RowSource<Result> {
  return {
    length: rows.length,
    at: (position) => {
      const row = rows.at(position);
      return row === undefined ? undefined : convert(row);
    },
  };
}

/** Returns rows in the order of the given positions. */
export function pickRows<Row>(rows: RowSource<Row>, positions: ArrayLike<number>): RowSource<Row> {
  return {
    length: positions.length,
    at: (position) => {
      const picked = positions[position];
      return picked === undefined ? undefined : rows.at(picked);
    },
  };
}

/** Returns sorted rows in descending order. Equal rows stay in their order. */
export function reverseRows<Row>(rows: RowSource<Row>, compare: (one: Row, other: Row) => number): RowSource<Row> {
  const isEqualAt = (position: number, row: Row) => {
    const other = rows.at(position);
    return other !== undefined && compare(other, row) === 0;
  };
  return {
    length: rows.length,
    at: (position) => {
      const mirrored = rows.length - 1 - position;
      const row = mirrored < 0 ? undefined : rows.at(mirrored);
      if (row === undefined || !(isEqualAt(mirrored - 1, row) || isEqualAt(mirrored + 1, row))) return row;
      const isFrom = (least: number) => (at: number) => {
        const other = rows.at(at);
        return other === undefined || compare(other, row) >= least;
      };
      const [first, end] = [findFirst(rows.length, isFrom(0)), findFirst(rows.length, isFrom(Number.MIN_VALUE))];
      return rows.at(first + end - 1 - mirrored);
    },
  };
}

/** Inserts a few rows into sorted ones. */
export function insertRows<Row>(
  rows: RowSource<Row>,
  inserted: readonly Row[],
  compare: (one: Row, other: Row) => number,
): RowSource<Row> {
  const sorted = [...inserted].sort(compare);
  const places = sorted.map((row, index) => {
    const before = findFirst(rows.length, (position) => {
      const other = rows.at(position);
      return other === undefined || compare(other, row) >= 0;
    });
    return before + index;
  });
  return {
    length: rows.length + sorted.length,
    at: (position) => {
      const count = findFirst(places.length, (index) => (places[index] ?? 0) > position);
      return count > 0 && places[count - 1] === position ? sorted[count - 1] : rows.at(position - count);
    },
  };
}

/** Returns the first number up to a length from which a test applies, or the length. */
export function findFirst(length: number, test: (index: number) => boolean): number {
  let [low, high] = [0, length];
  while (low < high) {
    const middle = Math.floor((low + high) / 2);
    if (test(middle)) high = middle;
    else low = middle + 1;
  }
  return low;
}
