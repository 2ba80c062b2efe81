import { type CounterLayout, counterLayout } from './counters.ts';
import type { ForecastTables } from './forecast-tables.ts';
import { simulateUsers } from './kernel.ts';
import { digestOfUsers } from './population-digest.ts';

/** Work that threads share: partitions of users, taken one after the other until none is left. */
export interface SharedWork {
  readonly tables: ForecastTables;
  readonly segments: number;
  readonly seeds: readonly number[];
  readonly users: number;
  readonly partitionUsers: number;
  /** By `controls`. */
  readonly control: Int32Array;
  /** The counters of all seeds, one layout behind the other. */
  readonly totals: BigInt64Array;
  /** How each user of the first seed ended; empty where that is not kept. */
  readonly population: Uint32Array;
}

/** Places in `control`: the next partition to take, how many are done, whether to take no more, and the digest of all ends. */
export const controls = { next: 0, done: 1, stopped: 2, digest: 3, size: 4 } as const;

/** How many partitions the users of one seed make. */
export function countPartitions({ users, partitionUsers }: Pick<SharedWork, 'users' | 'partitionUsers'>): number {
  return Math.ceil(users / partitionUsers);
}

/**
 * Takes partitions until none is left, or until it is told to stop. Sums are kept apart from those of other threads until a seed is
 * left, and are whole numbers, so that neither order nor number of threads shows in them.
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

/** Adds the sums of a thread to those of all, and begins again. */
function handOver(sums: Float64Array, totals: BigInt64Array, seedPlace: number, { size }: CounterLayout): void {
  for (let at = 0; at < size; at += 1) {
    const sum = sums[at] as number;
    if (sum !== 0) Atomics.add(totals, seedPlace * size + at, BigInt(sum));
  }
  sums.fill(0);
}
