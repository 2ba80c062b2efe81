import { describe, expect, it } from 'vitest';
import { counterLayout } from '../../src/forecast/counters.ts';
import { simulateUsers } from '../../src/forecast/kernel.ts';
import { controls, countPartitions, type SharedWork, workThrough } from '../../src/forecast/partition-work.ts';
import { digestOfUsers } from '../../src/forecast/population-digest.ts';
import { compiled, officeTenant } from './descriptions.ts';

const { tables, segments } = compiled(officeTenant);
const layout = counterLayout(tables.days, segments.length);
const seeds = [3, 4];

function sharedWork(given: Partial<SharedWork> = {}): SharedWork {
  return {
    tables,
    segments: segments.length,
    seeds,
    users: 250,
    partitionUsers: 100,
    control: new Int32Array(controls.size),
    totals: new BigInt64Array(seeds.length * layout.size),
    population: new Uint32Array(250),
    ...given,
  };
}

/** Simulates all users of a random seed at once, as the reference for partitions. */
function atOnce(seed: number) {
  const output = { population: new Uint32Array(250), counters: new Int32Array(layout.size) };
  simulateUsers(tables, layout, { seed, firstUser: 0, endUser: 250 }, output);
  return output;
}

describe('forecast partitions', () => {
  it('the last partition may be smaller', () => {
    expect([1, 99, 100, 101, 250].map((users) => countPartitions({ users, partitionUsers: 100 }))).toEqual([
      1, 1, 1, 2, 3,
    ]);
  });

  it('partitions match one simulation of all users for each random seed, and keep the final states of the first seed', () => {
    const work = sharedWork();
    workThrough(work);
    const expected = seeds.map((seed) => atOnce(seed));
    const digest = expected.reduce(
      (sum, { population }, at) => (sum + digestOfUsers(population, 0, seeds[at] as number)) | 0,
      0,
    );
    expect([...work.totals].map(Number)).toEqual(expected.flatMap(({ counters }) => [...counters]));
    expect([...work.population]).toEqual([...(expected[0]?.population ?? [])]);
    expect(work.control[controls.done]).toBe(6);
    expect(work.control[controls.digest]).toBe(digest);
  });

  it('the totals are the same if no final states are kept', () => {
    const kept = sharedWork();
    const unkept = sharedWork({ population: new Uint32Array(0) });
    workThrough(kept);
    workThrough(unkept);
    expect(unkept.totals).toEqual(kept.totals);
    expect(unkept.control).toEqual(kept.control);
    expect(unkept.totals.some((total) => total > 0n)).toBe(true);
  });

  it('no partition starts after a stop', () => {
    const work = sharedWork();
    work.control[controls.stopped] = 1;
    workThrough(work);
    expect([work.control[controls.done], work.control[controls.next]]).toEqual([0, 0]);
    expect(work.totals.every((total) => total === 0n)).toBe(true);
  });
});
