import { type CounterLayout, counterLayout } from './counters.ts';
import type { ForecastTables } from './forecast-tables.ts';
import { type KernelOutput, simulateUsers, type UserRange } from './kernel.ts';
import { simulateByFolding } from './own/fold-users.ts';
import type { NotCompiled } from './own/not-compiled.ts';
import type { OwnDraws } from './own/own-draws.ts';
import { simulateOwnUsers } from './own/own-kernel.ts';
import type { OwnPlan } from './own/own-plan.ts';
import type { OwnTables } from './own/own-tables.ts';
import { digestOfUsers } from './population-digest.ts';

/** What users are simulated with: tables, or the plan of an own ruleset whose users are replayed. */
export type Simulation = ForecastTables | OwnTables | { readonly plan: OwnPlan; readonly draws: OwnDraws };

/** Returns the number of days of a simulation, and the base-2 logarithm of the counters in a row. */
export function simulationSize(tables: Simulation): { readonly days: number; readonly rowBits: number | undefined } {
  if ('plan' in tables) return tables.draws;
  return { days: tables.days, rowBits: 'rowBits' in tables ? tables.rowBits : undefined };
}

/** Simulates a range of users. The counters are added to those of the output. */
export function simulate(tables: Simulation, layout: CounterLayout, range: UserRange, output: KernelOutput): void {
  if ('plan' in tables) simulateByFolding(tables.plan, tables.draws, layout, range, output);
  else if ('rowBits' in tables) simulateOwnUsers(tables, layout, range, output);
  else simulateUsers(tables, layout, range, output);
}

/** Message of a thread that has no more work: `null`, or the cause for which a ruleset has no tables after all. */
export type ThreadResult = Pick<NotCompiled, 'code' | 'path' | 'message'> | null;

/** Work that threads share: partitions of users, which threads take one after the other. */
export interface SharedWork {
  readonly tables: Simulation;
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
  const { days, rowBits } = simulationSize(tables);
  const layout = counterLayout(days, segments, rowBits);
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
    simulate(tables, layout, { seed, firstUser, endUser }, { population: ends, counters });
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
