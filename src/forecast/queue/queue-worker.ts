import { afterPendingInput } from '../../core/clock.ts';
import type { CompiledForecast } from '../compile-forecast.ts';
import { counterLayout } from '../counters.ts';
import { compileDescription } from '../forecast.ts';
import { simulateUsers } from '../kernel.ts';
import { digestOfUsers } from '../population-digest.ts';
import { connectToQueue, type QueueModules, queueModules } from './queue-connection.ts';
import {
  foreignTables,
  type PartitionJob,
  type PartitionResult,
  packCounters,
  queueName,
  queuePrefix,
} from './queue-job.ts';

/** Users simulated between two looks at what else there is to do, such as telling the queue that the job is alive. */
const stretchUsers = 16_384;

/** A job whose worker says nothing for so long is given to another; workers look for such jobs this often. */
const lockMs = 10_000;
const stalledEveryMs = 3_000;

/** How often a job may lose its worker before it is given up. */
const stalledMax = 10;

/** Compiled forecasts that a worker keeps. */
const compiledMax = 8;

/** A worker of the queue. */
export interface QueueWorker {
  /** Finishes what is in hand and ends. */
  close(): Promise<void>;
}

/** What a worker tells whoever runs it. */
export interface WorkerEvents {
  readonly onDone: (users: number) => void;
  readonly onTrouble: (message: string) => void;
}

/**
 * Takes partitions from the queue and simulates them, until it is closed. Takes the address of Redis. Throws `queue-missing`,
 * `usage-invalid` and `queue-unreachable`; a Redis that goes away later is waited for.
 */
export async function startQueueWorker(address: string, { onDone, onTrouble }: WorkerEvents): Promise<QueueWorker> {
  const modules = await queueModules();
  const connection = await connectToQueue(modules, address);
  const simulate = simulator(modules);
  const worker = new modules.bullmq.Worker<PartitionJob, PartitionResult>(
    queueName,
    async (job) => {
      const result = await simulate(job.data, (share) => job.updateProgress(share));
      onDone(job.data.endUser - job.data.firstUser);
      return result;
    },
    {
      connection,
      prefix: queuePrefix,
      lockDuration: lockMs,
      stalledInterval: stalledEveryMs,
      maxStalledCount: stalledMax,
    },
  );
  worker.on('error', ({ message }) => onTrouble(message));
  worker.on('failed', (_, { message }) => onTrouble(message));
  await worker.waitUntilReady();
  return {
    close: async () => {
      await worker.close();
      connection.disconnect();
    },
  };
}

type Simulate = (job: PartitionJob, onProgress: (share: number) => Promise<unknown>) => Promise<PartitionResult>;

/** Simulates partitions; forecasts that were compiled for earlier ones are kept. */
function simulator({ bullmq }: QueueModules): Simulate {
  const kept = new Map<string, CompiledForecast>();
  const compiledFor = ({ tables, description }: PartitionJob): CompiledForecast => {
    const known = kept.get(tables);
    if (known !== undefined) return known;
    const compiled = compileDescription(description);
    // Another attempt would come to the same, so the job fails at once.
    if (compiled.tables.digest !== tables) throw new bullmq.UnrecoverableError(foreignTables);
    if (kept.size >= compiledMax) kept.clear();
    kept.set(tables, compiled);
    return compiled;
  };
  return async (job, onProgress) => {
    const { tables, segments } = compiledFor(job);
    const layout = counterLayout(tables.days, segments.length);
    const counters = new Int32Array(layout.size);
    const population = new Uint32Array(stretchUsers);
    const { seed, firstUser, endUser } = job;
    let digest = 0;
    for (let from = firstUser; from < endUser; from += stretchUsers) {
      const to = Math.min(endUser, from + stretchUsers);
      const ends = population.subarray(0, to - from);
      simulateUsers(tables, layout, { seed, firstUser: from, endUser: to }, { population: ends, counters });
      digest = (digest + digestOfUsers(ends, from, seed)) | 0;
      await new Promise<void>((resolve) => afterPendingInput(resolve));
    }
    await onProgress(1);
    return { counters: packCounters(counters), digest };
  };
}
