import { afterPendingInput } from '../../../core/clock.ts';
import type { LogRun } from './log-records.ts';

/** Row of a log: the part of a record that a response shows, with the values that determine its position. */
export interface LogRow {
  readonly atMs: number;
  /** Index of its record. */
  readonly index: number;
  /** Part of the record, in order of time. */
  readonly part: number;
}

/** Position of a row in its log. */
export type LogPosition = Pick<LogRow, 'atMs' | 'index' | 'part'>;

/** Rows to walk through. */
export interface LogRange<Row extends LogRow> {
  /** Runs of records. Records before the journal have negative indexes. */
  readonly runs: readonly Readonly<LogRun>[];
  /** Number of records of the journal that existed at the first page. */
  readonly length: number;
  /** Earliest and latest time. */
  readonly fromMs: number;
  readonly toMs: number;
  readonly isDescending: boolean;
  /** Position of the last row before, or `null` to start with the first one. */
  readonly after: LogPosition | null;
  /** Longest time between a record and its earliest part, in milliseconds. */
  readonly leadMs: number;
  /** Returns the time of a record. */
  readonly getTime: (index: number) => number;
  /** Returns the parts of a record. */
  readonly split: (index: number) => readonly Row[];
}

/** Number of records after which other requests are served. */
const sliceRecords = 2_000;

/**
 * Yields rows in order of time, index and part. It reads one record at a time, so for any number of rows it
 * needs only the memory of a few blocks.
 */
export async function* walkLog<Row extends LogRow>(range: LogRange<Row>): AsyncGenerator<Row, void> {
  const { isDescending, after, leadMs, fromMs, toMs, split } = range;
  const order = (one: LogPosition, other: LogPosition) => {
    const sign = one.atMs - other.atMs || one.index - other.index || one.part - other.part;
    return isDescending ? -sign : sign;
  };
  const isInside = (row: Row) => row.atMs >= fromMs && row.atMs <= toMs && (after === null || order(row, after) > 0);
  const waiting = new WaitingRows<Row>(order);
  let read = 0;
  for (const { index, atMs } of mergeRuns(range)) {
    // No row of this record or a later one is before this position.
    yield* waiting.takeBefore(isDescending ? { atMs, index, part: partsMax } : { atMs: atMs - leadMs, index, part: 0 });
    for (const row of split(index)) if (isInside(row)) waiting.add(row);
    read += 1;
    if (read % sliceRecords === 0) await new Promise<void>(afterPendingInput);
  }
  yield* waiting.takeBefore(null);
}

/** Number that is larger than the part of any row. */
const partsMax = 100;

/** Rows in their order until no other row can come before them. Many rows can have the same time. */
class WaitingRows<Row extends LogRow> {
  readonly #order: (one: LogPosition, other: LogPosition) => number;
  #rows: Row[] = [];
  /** Number of rows at the beginning that were taken. */
  #taken = 0;

  constructor(order: (one: LogPosition, other: LogPosition) => number) {
    this.#order = order;
  }

  /** Adds a row at its place, which is mostly the end. */
  add(row: Row): void {
    const place = findFirst(this.#taken, this.#rows.length, (index) => {
      const other = this.#rows[index];
      return other !== undefined && this.#order(other, row) > 0;
    });
    if (place === this.#rows.length) this.#rows.push(row);
    else this.#rows.splice(place, 0, row);
  }

  /** Yields and removes the rows before a position, or all rows. */
  *takeBefore(position: LogPosition | null): Generator<Row, void> {
    for (let row = this.#rows[this.#taken]; row !== undefined; row = this.#rows[this.#taken]) {
      if (position !== null && this.#order(row, position) >= 0) break;
      this.#taken += 1;
      yield row;
    }
    // The remaining rows move only once half of the list is taken.
    if (this.#taken * 2 <= this.#rows.length) return;
    this.#rows = this.#rows.slice(this.#taken);
    this.#taken = 0;
  }
}

interface PlacedRecord {
  readonly index: number;
  readonly atMs: number;
}

/** Yields the records of all runs in order of time, and of index at equal times. */
function* mergeRuns<Row extends LogRow>(range: LogRange<Row>): Generator<PlacedRecord, void> {
  const { runs, length, isDescending, fromMs, toMs, leadMs } = range;
  const sources = runs
    .filter((run) => run.from < length && run.toMs >= fromMs && run.fromMs <= toMs + leadMs)
    .map((run) => walkRun(run, range));
  const heads = sources.map((source) => source.next());
  for (;;) {
    let best = -1;
    for (const [place, head] of heads.entries()) {
      if (head.done === true) continue;
      const known = heads[best];
      if (known === undefined || known.done === true || comesBefore(head.value, known.value, isDescending))
        best = place;
    }
    const head = heads[best];
    const source = sources[best];
    if (head === undefined || source === undefined || head.done === true) return;
    yield head.value;
    heads[best] = source.next();
  }
}

function comesBefore(one: PlacedRecord, other: PlacedRecord, isDescending: boolean): boolean {
  const sign = one.atMs - other.atMs || one.index - other.index;
  return isDescending ? sign > 0 : sign < 0;
}

/** Yields the records of one run whose rows can be inside the range and after the position. */
function* walkRun<Row extends LogRow>(run: Readonly<LogRun>, range: LogRange<Row>): Generator<PlacedRecord, void> {
  const { length, isDescending, after, leadMs, getTime } = range;
  const last = Math.min(run.to, length - 1);
  const earliestMs = Math.max(range.fromMs, isDescending || after === null ? range.fromMs : after.atMs);
  const latestMs = Math.min(range.toMs, isDescending && after !== null ? after.atMs : range.toMs) + leadMs;
  const first = findFirst(run.from, last + 1, (index) => getTime(index) >= earliestMs);
  const end = findFirst(first, last + 1, (index) => getTime(index) > latestMs);
  for (let step = 0; step < end - first; step += 1) {
    const index = isDescending ? end - 1 - step : first + step;
    yield { index, atMs: getTime(index) };
  }
}

/** Returns the first index for which a condition holds that holds for all later ones, or the end. */
function findFirst(from: number, to: number, holds: (index: number) => boolean): number {
  let [low, high] = [from, to];
  while (low < high) {
    const middle = Math.floor((low + high) / 2);
    if (holds(middle)) high = middle;
    else low = middle + 1;
  }
  return low;
}
