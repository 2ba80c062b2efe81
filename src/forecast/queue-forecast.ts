import { spreadByQueue } from '../queue/job-dispatch.ts';
import type { CompiledForecast } from './compile-forecast.ts';
import { counterLayout } from './counters.ts';
import type { ForecastCounts, ForecastRequest } from './forecast-pool.ts';
import { type PartitionJob, type PartitionResult, partitionKindName, unpackCounters } from './queue-partition.ts';

/**
 * Number of users per job. It is large enough to make the overhead of the queue negligible, and small enough to
 * limit the loss if a worker fails.
 */
const jobUsers = 131_072;

/** Simulation request for workers, with its callbacks. */
export interface QueueOrder extends ForecastRequest {
  readonly address: string;
  readonly onNotice: (message: string) => void;
}

/**
 * Simulates the users of a forecast with the workers of a queue. Results are integers and are summed in any order,
 * so the result is identical to that of a local run. Throws `queue-missing`, `usage-invalid`, `queue-unreachable`
 * and `queue-job-failed`.
 */
export async function runByQueue(compiled: CompiledForecast, order: QueueOrder): Promise<ForecastCounts> {
  const { seeds, users, address, budgetMs = null, onProgress, onNotice } = order;
  const { tables, segments, description, fromFile } = compiled;
  const { size } = counterLayout(tables.days, segments.length);
  const sums = seeds.map(() => new Float64Array(size));
  let digest = 0;
  /**
   * Alternates between the random seeds, so all of them have about the same number of users when a time limit ends
   * the work.
   */
  const createJob = (number: number): PartitionJob => {
    const firstUser = Math.floor(number / seeds.length) * jobUsers;
    const seed = seeds[number % seeds.length] as number;
    const endUser = Math.min(users, firstUser + jobUsers);
    const ruleset = fromFile === undefined ? {} : { ruleset: fromFile };
    return { tables: tables.digest, description, ...ruleset, seed, firstUser, endUser };
  };
  const complete = await spreadByQueue({
    address,
    kind: partitionKindName,
    program: null,
    jobs: Math.ceil(users / jobUsers) * seeds.length,
    createPayload: async (number) => createJob(number),
    take: (number, taken) => {
      const result = taken as PartitionResult;
      const ofSeed = sums[number % seeds.length] as Float64Array;
      const counters = unpackCounters(result.counters, size);
      for (let at = 0; at < size; at += 1) ofSeed[at] = (ofSeed[at] as number) + (counters[at] as number);
      digest = (digest + result.digest) | 0;
    },
    formatFailure: (number) => {
      const { firstUser, endUser } = createJob(number);
      return `Users ${firstUser} to ${endUser - 1} could not be simulated`;
    },
    budgetMs,
    onProgress,
    onNotice,
  });
  return { seeds, counters: sums, digest, population: null, complete };
}
