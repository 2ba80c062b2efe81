import { describe, expect, it } from 'vitest';
import { randomSource } from '../../../src/core/random.ts';
import { LogRecords } from '../../../src/sandbox/directory-api/logs/log-records.ts';
import { type LogPosition, walkLog } from '../../../src/sandbox/directory-api/logs/log-walk.ts';
import { nonEmpty } from '../../non-empty.ts';

const everything = { fromMs: Number.MIN_SAFE_INTEGER, toMs: Number.MAX_SAFE_INTEGER };

/** Times by which the rows of a record precede it, which depend on its number. */
const listLeads = (index: number) => [0, 2, 3].slice(0, 1 + (index % 3));

const order = (one: LogPosition, other: LogPosition) => one.atMs - other.atMs || one.index - other.index;

/** Counts how often times are read, which every step of a walk does. */
function createLog(times: readonly number[]) {
  const records = new LogRecords();
  for (const [index, atMs] of times.entries()) {
    records.append({ atMs, seq: index + 1, text: String(atMs), leadsMs: listLeads(index) });
  }
  const reads = { count: 0 };
  const getTime = (index: number) => {
    reads.count += 1;
    return records.getTime(index);
  };
  return { records, reads, getTime };
}

interface Walk {
  readonly isDescending: boolean;
  readonly after?: LogPosition | null;
  readonly window?: { readonly fromMs: number; readonly toMs: number };
  readonly leadsMs?: readonly number[];
}

/** Returns the positions of rows. Those of a series of which a record has no row are left out, as a page does. */
function walk(
  { records, getTime }: ReturnType<typeof createLog>,
  { isDescending, after = null, window = everything, leadsMs = [0, 2, 3] }: Walk,
  size = Number.POSITIVE_INFINITY,
) {
  const range = { runs: records.runs, length: records.length, isDescending, after, leadsMs, getTime, ...window };
  const walked: LogPosition[] = [];
  for (const position of walkLog(range)) {
    const lead = records.getTime(position.index) - position.atMs;
    if (listLeads(position.index).includes(lead)) walked.push(position);
    if (walked.length === size) break;
  }
  return walked;
}

describe.each([true, false])('DIR70: a walk through a log (newest first: %s)', (isDescending) => {
  const random = randomSource(7);
  const times = Array.from({ length: 600 }, () => 1_000 + Math.floor(random() * 12));
  const log = createLog(times);
  const ascending = times
    .flatMap((atMs, index) => listLeads(index).map((leadMs) => ({ atMs: atMs - leadMs, index })))
    .toSorted(order);
  const expected = isDescending ? ascending.toReversed() : ascending;

  it('yields the rows in order, also where the clock was set back, from any row on', () => {
    expect(log.records.runs.length).toBeGreaterThan(100);
    expect(walk(log, { isDescending })).toEqual(expected);
    for (const place of nonEmpty([0, 1, 333, 500, 777, expected.length - 1])) {
      expect(walk(log, { isDescending, after: expected[place] ?? null })).toEqual(expected.slice(place + 1));
    }
  });

  it('yields only the rows between two times and with the leads that are shown', () => {
    const window = { fromMs: 1_002, toMs: 1_004 };
    const inside = expected.filter(({ atMs }) => atMs >= window.fromMs && atMs <= window.toMs);
    expect(inside.length).toBeGreaterThan(10);
    expect(walk(log, { isDescending, window })).toEqual(inside);
    const after = inside[7] ?? null;
    expect(walk(log, { isDescending, window, after })).toEqual(inside.slice(8));
    const own = expected.filter(({ atMs, index }) => times[index] === atMs);
    expect(walk(log, { isDescending, leadsMs: [0] })).toEqual(own);
    expect(walk(log, { isDescending, window: { fromMs: 2_000, toMs: 3_000 } })).toEqual([]);
  });

  it('yields only records that existed at the first page', () => {
    const { runs } = log.records;
    const shared = { runs, isDescending, after: null, getTime: log.getTime, leadsMs: [0], ...everything };
    const indexes = Array.from(walkLog({ ...shared, length: 5 }), ({ index }) => index);
    expect(indexes.toSorted()).toEqual([0, 1, 2, 3, 4]);
  });

  it('continues in time in proportion to the page where all rows have one time', () => {
    const still = createLog(Array.from({ length: 50_000 }, () => 1_000));
    const whole = walk(still, { isDescending });
    expect(whole).toHaveLength(99_999);
    const costs = nonEmpty([0, 20_000, 50_000, 70_000, 99_000]).map((place) => {
      still.reads.count = 0;
      const page = walk(still, { isDescending, after: whole[place] ?? null }, 100);
      expect(page).toEqual(whole.slice(place + 1, place + 101));
      return still.reads.count;
    });
    // A few binary searches, and up to three positions for each row.
    expect(Math.max(...costs)).toBeLessThan(1_000);
  });
});
