import { describe, expect, it } from 'vitest';
import { randomSource } from '../../../src/core/random.ts';
import { LogRecords } from '../../../src/sandbox/directory-api/logs/log-records.ts';
import { type LogPosition, type LogRow, walkLog } from '../../../src/sandbox/directory-api/logs/log-walk.ts';

const leadMs = 3;
const everything = { fromMs: Number.MIN_SAFE_INTEGER, toMs: Number.MAX_SAFE_INTEGER };

/** Splits a record into rows up to three milliseconds earlier, as many as its number says. */
const split = (text: string, index: number): readonly LogRow[] =>
  Array.from({ length: 1 + (index % 3) }, (_, part) => {
    const earlierMs = (index % 3) - part;
    return { atMs: Number(text) - (earlierMs === 0 ? 0 : earlierMs + 1), index, part };
  });

const order = (one: LogPosition, other: LogPosition) =>
  one.atMs - other.atMs || one.index - other.index || one.part - other.part;

async function walk(times: readonly number[], isDescending: boolean, after: LogPosition | null = null) {
  const records = new LogRecords();
  for (const atMs of times) records.append(atMs, String(atMs));
  const range = {
    runs: records.runs,
    length: times.length,
    isDescending,
    after,
    leadMs,
    getTime: (index: number) => Number(records.read(index)),
    split: (index: number) => split(records.read(index), index),
    ...everything,
  };
  const walked: LogPosition[] = [];
  for await (const position of walkLog(range)) walked.push(position);
  return walked;
}

describe.each([true, false])('DIR70: a walk through a log (newest first: %s)', (isDescending) => {
  it('yields the rows in order, also where the clock was set back, from any row on', async () => {
    const random = randomSource(7);
    const times = Array.from({ length: 600 }, () => 1_000 + Math.floor(random() * 12));
    const ascending = times.flatMap((atMs, index) => split(String(atMs), index)).toSorted(order);
    const expected = isDescending ? ascending.toReversed() : ascending;
    expect(await walk(times, isDescending)).toEqual(expected);
    const middle = expected[500] ?? null;
    expect(await walk(times, isDescending, middle)).toEqual(expected.slice(501));
  });

  it('takes time in proportion to the rows of a clock that stands still', async () => {
    const rows = await walk(
      Array.from({ length: 50_000 }, () => 1_000),
      isDescending,
    );
    expect(rows).toHaveLength(99_999);
  });
});
