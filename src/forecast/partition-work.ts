import { type CounterLayout, counterLayout } from './counters.ts';
import type { ForecastTables } from './forecast-tables.ts';
import { simulateUsers } from './kernel.ts';
import { digestOfUsers } from './population-digest.ts';

/** Work that threads share: partitions of users, which threads take one after the other. */
export interface SharedWork {
  readonly tables: ForecastTables;
  readonly segments: number;
  readonly seeds: readonly number[];
  readonly users: number;
  readonly partitionUsers: number;
  /** Control values at the indexes in `controls`. */
  readonly control: Int32Array;
  /** Counters of all random seeds, one layout after the other. */
  readonly totals: BigInt64Array;
  /** Final state of each user for the first random seed; empty if it is not stored. */
  readonly population: Uint32Array;
}

/**
 * Indexes in `control`: next partition, number of finished partitions, stop flag, and digest of all final states.
 */
export const controls = { next: 0, done: 1, stopped: 2, digest: 3, size: 4 } as const;

/** Computes the number of partitions for the users of one random seed. */
export function countPartitions({ users, partitionUsers }: Pick<SharedWork, 'users' | 'partitionUsers'>): number {
  return Math.ceil(users / partitionUsers);
}

/**
 * Processes partitions until none is left or the stop flag is set. A thread keeps its own sums until it has
 * finished with a random seed. The sums are integers, so the result does not depend on the order or the number of
 * threads.
 */
export function workThrough(work: SharedWork): void {
  const { tables, segments, seeds, users, partitionUsers, control, totals, population } = work;
  const layout = counterLayout(tables.days, segments);
  const partitions = countPartitions(work);
  const counters = new Int32Array(layout.size);
  const sums = new Float64Array(layout.size);
  const unkept = population.length === 0 ? new Uint32Array(partitionUsers) : null;
  let seedInHand = 0;
  while (Atomics.load(control, controls.stopped) === 0) {
    const number = Atomics.add(control, controls.next, 1);
    const seedPlace = Math.floor(number / partitions);
    const seed = seeds[seedPlace];
    if (seed === undefined) break;
    if (seedPlace !== seedInHand) {
      handOver(sums, totals, seedInHand, layout);
      seedInHand = seedPlace;
    }
    const firstUser = (number % partitions) * partitionUsers;
    const endUser = Math.min(users, firstUser + partitionUsers);
    counters.fill(0);
    const kept = unkept === null && seedPlace === 0;
    const room = kept ? population.subarray(firstUser, endUser) : (unkept ?? new Uint32Array(partitionUsers));
    const ends = room.subarray(0, endUser - firstUser);
    simulateUsers(tables, layout, { seed, firstUser, endUser }, { population: ends, counters });
    for (let at = 0; at < layout.size; at += 1) sums[at] = (sums[at] as number) + (counters[at] as number);
    Atomics.add(control, controls.digest, digestOfUsers(ends, firstUser, seed));
    Atomics.add(control, controls.done, 1);
  }
  handOver(sums, totals, seedInHand, layout);
}

/** Adds the sums of a thread to the totals and resets them. */
function handOver(sums: Float64Array, totals: BigInt64Array, seedPlace: number, { size }: CounterLayout): void {
  for (let at = 0; at < size; at += 1) {
    const sum = sums[at] as number;
    if (sum !== 0) Atomics.add(totals, seedPlace * size + at, BigInt(sum));
  }
  sums.fill(0);
}
