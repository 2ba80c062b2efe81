import type { TimeSlices } from '../../core/time-slices.ts';

/** Number of positions that are sorted at once. */
const runLength = 2_048;

/**
 * Returns the positions of rows in an order. It sorts short runs and merges them, and other requests are served in
 * between, so a list of 1,000,000 rows does not stop the server.
 *
 * @param compare - compares two positions. Equal ones stay in their order
 */
export async function sortPositions(
  length: number,
  compare: (one: number, other: number) => number,
  slices: TimeSlices,
): Promise<Uint32Array> {
  let from = Uint32Array.from({ length }, (_, position) => position);
  for (let start = 0; start < length; start += runLength) {
    from.subarray(start, start + runLength).sort(compare);
    await slices.pause();
  }
  let to = new Uint32Array(length);
  for (let width = runLength; width < length; width *= 2) {
    for (let start = 0; start < length; start += 2 * width) {
      await mergeRuns({ from, to, start, middle: start + width, end: start + 2 * width }, compare, slices);
    }
    [from, to] = [to, from];
  }
  return from;
}

interface TwoRuns {
  readonly from: Uint32Array;
  readonly to: Uint32Array;
  readonly start: number;
  readonly middle: number;
  readonly end: number;
}

async function mergeRuns(
  runs: TwoRuns,
  compare: (one: number, other: number) => number,
  slices: TimeSlices,
): Promise<void> {
  const { from, to, start } = runs;
  const middle = Math.min(runs.middle, from.length);
  const end = Math.min(runs.end, from.length);
  let [left, right] = [start, middle];
  for (let place = start; place < end; place += 1) {
    if (slices.isDue()) await slices.pause();
    const isLeft = right >= end || (left < middle && compare(from[left] ?? 0, from[right] ?? 0) <= 0);
    to[place] = from[isLeft ? left : right] ?? 0;
    if (isLeft) left += 1;
    else right += 1;
  }
}
