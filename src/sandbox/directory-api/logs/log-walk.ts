import type { LogRun } from './log-records.ts';

/** Position of a row in its log. No two rows of a log have the same one. */
export interface LogPosition {
  readonly atMs: number;
  /** Index of the record of the row. */
  readonly index: number;
}

/** Row of a log: the part of a record that a response shows. */
export type LogRow = LogPosition;

/** Rows to walk through. */
export interface LogRange {
  /** Runs of records. Records before the journal have negative indexes. */
  readonly runs: readonly LogRun[];
  /** Number of records of the journal that existed at the first page. */
  readonly length: number;
  /** Earliest and latest time. */
  readonly fromMs: number;
  readonly toMs: number;
  readonly isDescending: boolean;
  /** Position of the last row before, or `null` to start with the first one. */
  readonly after: LogPosition | null;
  /** Times by which rows can precede their records, in milliseconds; others are left out. */
  readonly leadsMs: readonly number[];
  /** Returns the time of a record. */
  readonly getTime: (index: number) => number;
}

/**
 * Yields the positions at which rows can be, in order of time and index. The rows of a run with the same lead are in
 * the order of their records, so each of these series starts after the given position by a binary search, and the
 * series are merged. Therefore, a page takes time in proportion to its own rows, also where all rows have one time.
 */
export function* walkLog(range: LogRange): Generator<LogPosition, void> {
  const { isDescending, leadsMs } = range;
  const comesBefore = isDescending
    ? (one: LogPosition, other: LogPosition) => compare(one, other) > 0
    : (one: LogPosition, other: LogPosition) => compare(one, other) < 0;
  const heap = new SeriesHeap(comesBefore);
  for (const run of range.runs) {
    for (const leadMs of run.leadsMs) if (leadsMs.includes(leadMs)) heap.add(walkSeries(run, leadMs, range));
  }
  for (let next = heap.take(); next !== null; next = heap.take()) yield next;
}

function compare(one: LogPosition, other: LogPosition): number {
  return one.atMs - other.atMs || one.index - other.index;
}

/** Yields the positions of one run with one lead that are inside the range and after its position. */
function* walkSeries(run: LogRun, leadMs: number, range: LogRange): Generator<LogPosition, void> {
  const { isDescending, after, fromMs, toMs, getTime } = range;
  const last = Math.min(run.to, range.length - 1);
  if (run.toMs - leadMs < fromMs || run.fromMs - leadMs > toMs) return;
  const toPosition = (index: number): LogPosition => ({ atMs: getTime(index) - leadMs, index });
  let first = findFirst(run.from, last + 1, (index) => toPosition(index).atMs >= fromMs);
  let end = findFirst(first, last + 1, (index) => toPosition(index).atMs > toMs);
  if (after !== null && isDescending) end = findFirst(first, end, (index) => compare(toPosition(index), after) >= 0);
  if (after !== null && !isDescending) first = findFirst(first, end, (index) => compare(toPosition(index), after) > 0);
  for (let step = 0; step < end - first; step += 1) yield toPosition(isDescending ? end - 1 - step : first + step);
}

/** Series whose next position is known. */
interface OpenSeries {
  head: LogPosition;
  readonly rest: Generator<LogPosition, void>;
}

/** Series by their next positions in a binary heap, so a log with many runs is merged fast. */
class SeriesHeap {
  readonly #comesBefore: (one: LogPosition, other: LogPosition) => boolean;
  readonly #series: OpenSeries[] = [];

  constructor(comesBefore: (one: LogPosition, other: LogPosition) => boolean) {
    this.#comesBefore = comesBefore;
  }

  /** Adds a series unless it is empty. */
  add(rest: OpenSeries['rest']): void {
    const { value: head } = rest.next();
    if (head === undefined) return;
    this.#series.push({ head, rest });
    for (let place = this.#series.length - 1; place > 0; ) {
      const parent = (place - 1) >>> 1;
      if (!this.#isBefore(place, parent)) return;
      this.#swap(place, parent);
      place = parent;
    }
  }

  /** Removes and returns the first position of all series, or `null` if there is none. */
  take(): LogPosition | null {
    const [top] = this.#series;
    if (top === undefined) return null;
    const taken = top.head;
    const { value: next } = top.rest.next();
    if (next === undefined) {
      const moved = this.#series.pop();
      if (moved !== undefined && this.#series.length > 0) this.#series[0] = moved;
    } else top.head = next;
    this.#sink();
    return taken;
  }

  /** Moves the series at the top to its place. */
  #sink(): void {
    for (let place = 0; ; ) {
      let first = place;
      for (const child of [2 * place + 1, 2 * place + 2]) if (this.#isBefore(child, first)) first = child;
      if (first === place) return;
      this.#swap(place, first);
      place = first;
    }
  }

  #isBefore(place: number, other: number): boolean {
    const [one, two] = [this.#series[place], this.#series[other]];
    return one !== undefined && two !== undefined && this.#comesBefore(one.head, two.head);
  }

  #swap(place: number, other: number): void {
    const [one, two] = [this.#series[place], this.#series[other]];
    if (one === undefined || two === undefined) return;
    this.#series[place] = two;
    this.#series[other] = one;
  }
}

/** Returns the first index for which a condition holds that holds for all later ones, or the end. */
function findFirst(from: number, to: number, holds: (index: number) => boolean): number {
  let [low, high] = [from, Math.max(from, to)];
  while (low < high) {
    const middle = Math.floor((low + high) / 2);
    if (holds(middle)) high = middle;
    else low = middle + 1;
  }
  return low;
}
