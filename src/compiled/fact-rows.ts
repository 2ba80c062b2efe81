import { NudgeLabError } from '../core/errors.ts';
import { type FactSpace, pathsMeet } from './fact-space.ts';

/**
 * Table of a value that is derived from facts, such as the effective campaign. It is computed once for every class
 * of those facts.
 */
export interface DerivedTable {
  readonly name: string;
  readonly rows: FactRows;
  /** Class of each row. The array next to it contains one value per class. */
  readonly classOf: Uint32Array;
  readonly values: readonly unknown[];
}

/** Amount that a value of an axis, or a class of a derived value, adds to the row number. */
interface RowPart {
  /** Index of the axis or of the derived table. */
  readonly of: number;
  readonly rowOf: Uint32Array;
  /** Representative value of each class. */
  readonly representatives: readonly number[];
}

/** Maximum number of rows in one table. */
const rowsMax = 8_000_000;

/**
 * Rows of a table over a space. A row is one combination of classes, for each axis and derived value that is read.
 * Its size depends only on the read paths and the derived values among them.
 */
export class FactRows {
  readonly axes: readonly RowPart[];
  readonly derived: readonly RowPart[];
  readonly size: number;
  readonly #space: FactSpace;

  constructor(space: FactSpace, reads: readonly string[], tables: readonly DerivedTable[] = []) {
    this.#space = space;
    let stride = 1;
    const part = (of: number, keys: readonly string[]): readonly RowPart[] => {
      const classes = [...new Set(keys)];
      if (classes.length < 2) return [];
      const by = stride;
      stride *= classes.length;
      const rowOf = Uint32Array.from(keys, (key) => by * classes.indexOf(key));
      return [{ of, rowOf, representatives: classes.map((key) => keys.indexOf(key)) }];
    };
    this.axes = space.axes.flatMap(({ values }, axis) =>
      part(
        axis,
        values.map(({ sets }) => JSON.stringify(reads.map((read) => getReadValue(sets, read)))),
      ),
    );
    this.derived = tables.flatMap(({ name, values }, table) =>
      part(
        table,
        values.map((value) => JSON.stringify(reads.map((read) => getReadValue({ [name]: plain(value) }, read)))),
      ),
    );
    if (stride > rowsMax) {
      throw new NudgeLabError('facts-invalid', {
        message: `A table over ${this.axes.map(({ of }) => space.axes[of]?.name).join(' × ')} would have ${stride} rows; the maximum is ${rowsMax}.`,
      });
    }
    this.size = stride;
  }

  /**
   * Returns the row number of a combination from the value index of each axis and the class of each derived value.
   */
  rowAt(places: ArrayLike<number>, classes: ArrayLike<number>): number {
    let row = 0;
    for (const { of, rowOf } of this.axes) row += rowOf[places[of] ?? 0] ?? 0;
    for (const { of, rowOf } of this.derived) row += rowOf[classes[of] ?? 0] ?? 0;
    return row;
  }

  /**
   * Calls a function for every row in order, with representative value indexes and classes. The arrays are reused for
   * every call.
   */
  each(visit: (places: readonly number[], classes: readonly number[]) => void): void {
    const places = this.#space.axes.map(() => 0);
    const classes: number[] = [];
    const parts = [...this.axes, ...this.derived];
    for (let row = 0; row < this.size; row += 1) {
      let rest = row;
      parts.forEach(({ of, representatives }, at) => {
        const target = at < this.axes.length ? places : classes;
        target[of] = representatives[rest % representatives.length] ?? 0;
        rest = Math.floor(rest / representatives.length);
      });
      visit(places, classes);
    }
  }
}

/**
 * Returns the part of the assigned values that a read path covers: the value itself, a part of it, or all values
 * below the path.
 */
function getReadValue(sets: Readonly<Record<string, unknown>>, read: string): unknown {
  return Object.entries(sets)
    .filter(([path]) => pathsMeet(path, read))
    .map(([path, value]) => [path, path.length < read.length ? valueAt(value, read.slice(path.length + 1)) : value]);
}

function valueAt(value: unknown, path: string): unknown {
  return path
    .split('.')
    .reduce((held: unknown, key) => (held as Readonly<Record<string, unknown>> | null)?.[key], value);
}

/** Converts a set to a sorted list, so equal sets have equal JSON. */
function plain(value: unknown): unknown {
  return value instanceof Set ? [...value].sort() : value;
}
