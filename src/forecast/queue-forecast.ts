import { type JobPlan, spreadByQueue } from '../queue/job-dispatch.ts';
import { programText } from '../queue/program-text.ts';
import type { CompiledForecast } from './compile-forecast.ts';
import { counterLayout } from './counters.ts';
import type { ForecastCounts, ForecastRequest } from './forecast-pool.ts';
import type { OwnForecast } from './own/own-forecast.ts';
import {
  type OwnPartitionJob,
  ownPartitionKindName,
  type PartitionJob,
  type PartitionRange,
  type PartitionResult,
  partitionKindName,
  unpackCounters,
} from './queue-partition.ts';

/**
 * Number of users per job: enough to make the overhead of the queue negligible, and few enough to limit the loss if a
 * worker fails and to share a forecast among many workers. Replaying users takes far longer than tables.
 */
const jobUsersMin = 131_072;
const jobUsersMax = 1_048_576;
const foldedJobUsers = 512;

/** Number of jobs of a large forecast for each seed. */
const jobsOfForecast = 64;

function getJobUsers(users: number): number {
  return Math.min(jobUsersMax, Math.max(jobUsersMin, Math.ceil(users / jobsOfForecast)));
}

/** Simulation request for workers, with its callbacks. */
export interface QueueOrder extends ForecastRequest {
  readonly address: string;
  readonly onNotice: JobPlan['onNotice'];
  readonly onStop?: JobPlan['onStop'];
}

/**
 * Simulates the users of a forecast with the workers of a queue. Results are integers and are summed in any order,
 * so the result is identical to that of a local run. Throws `queue-missing`, `usage-invalid`, `queue-unreachable`
 * and `queue-job-failed`.
 */
export async function runByQueue(compiled: CompiledForecast, order: QueueOrder): Promise<ForecastCounts> {
  const { tables, segments, description, fromFile } = compiled;
  const ruleset = fromFile === undefined ? {} : { ruleset: fromFile };
  return spreadPartitions(order, {
    kind: partitionKindName,
    program: null,
    size: counterLayout(tables.days, segments.length).size,
    jobUsers: getJobUsers(order.users),
    createJob: (range): PartitionJob => ({ tables: tables.digest, description, ...ruleset, ...range }),
  });
}

/**
 * Simulates the users of an own ruleset with the workers of a queue. Throws the same errors as `runByQueue`, and
 * `ruleset-digest-differs` if a worker has other gate modules.
 *
 * @param forecast - forecast that was prepared here
 * @param ruleset - ruleset as workers receive it
 * @param order - users, seeds and queue
 */
export async function runOwnByQueue(
  { plan, draws, engine, segments }: OwnForecast,
  ruleset: unknown,
  order: QueueOrder,
): Promise<ForecastCounts> {
  const { description } = plan;
  return spreadPartitions(order, {
    kind: ownPartitionKindName,
    program: programText(),
    size: counterLayout(draws.days, segments.length, draws.rowBits).size,
    jobUsers: engine === 'table' ? getJobUsers(order.users) : foldedJobUsers,
    createJob: (range): OwnPartitionJob => ({ draws: draws.digest, description, engine, ruleset, ...range }),
  });
}

/** Partitions of one forecast. */
interface Partitions {
  readonly kind: string;
  readonly program: string | null;
  /** Number of counters. */
  readonly size: number;
  readonly jobUsers: number;
  readonly createJob: (range: PartitionRange) => PartitionJob | OwnPartitionJob;
}

async function spreadPartitions(
  { seeds, users, budgetMs = null, address, onProgress, onNotice, onStop }: QueueOrder,
  { kind, program, size, jobUsers: usersOfAJob, createJob }: Partitions,
): Promise<ForecastCounts> {
  const sums = seeds.map(() => new Float64Array(size));
  let digest = 0;
  /**
   * Alternates between the random seeds, so all of them have about the same number of users when a time limit ends
   * the work.
   */
  const createRange = (number: number): PartitionRange => {
    const firstUser = Math.floor(number / seeds.length) * usersOfAJob;
    const seed = seeds[number % seeds.length] as number;
    return { seed, firstUser, endUser: Math.min(users, firstUser + usersOfAJob) };
  };
  const complete = await spreadByQueue({
    address,
    kind,
    program,
    jobs: Math.ceil(users / usersOfAJob) * seeds.length,
    createPayload: async (number) => createJob(createRange(number)),
    take: (number, taken) => {
      const result = taken as PartitionResult;
      const ofSeed = sums[number % seeds.length] as Float64Array;
      const counters = unpackCounters(result.counters, size);
      for (let at = 0; at < size; at += 1) ofSeed[at] = (ofSeed[at] as number) + (counters[at] as number);
      digest = (digest + result.digest) | 0;
    },
    formatFailure: (number) => {
      const { firstUser, endUser } = createRange(number);
      return `Users ${firstUser} to ${endUser - 1} could not be simulated`;
    },
    budgetMs,
    onProgress,
    onNotice,
    onStop,
  });
  return { seeds, counters: sums, digest, population: null, complete };
}
