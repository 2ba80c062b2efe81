import { afterPendingInput } from '../core/clock.ts';
import { type JobKind, PermanentJobError } from '../queue/queue-job.ts';
import type { CompiledForecast } from './compile-forecast.ts';
import { counterLayout } from './counters.ts';
import { compileDescription } from './forecast.ts';
import { simulateUsers } from './kernel.ts';
import { digestOfUsers } from './population-digest.ts';
import { type PartitionJob, type PartitionResult, packCounters, partitionKindName } from './queue-partition.ts';

/**
 * Number of users to simulate before the worker yields to other tasks, such as keeping its job alive in the queue.
 */
const stretchUsers = 16_384;

/** Maximum number of compiled forecasts that a worker caches. */
const compiledMax = 8;

/** Creates the job type that simulates partitions of forecasts. Compiled forecasts are cached for later jobs. */
export function partitionKind(): JobKind {
  const kept = new Map<string, CompiledForecast>();
  const compiledFor = ({ tables, description, ruleset }: PartitionJob): CompiledForecast => {
    const known = kept.get(tables);
    if (known !== undefined) return known;
    const compiled = compileDescription(description, ruleset ?? null);
    if (compiled.tables.digest !== tables) {
      throw new PermanentJobError(
        'the worker compiles the description to different tables, because it has another version; use the same version',
      );
    }
    if (kept.size >= compiledMax) kept.clear();
    kept.set(tables, compiled);
    return compiled;
  };
  return {
    name: partitionKindName,
    counts: (payload) => {
      const { firstUser, endUser } = payload as PartitionJob;
      return { users: endUser - firstUser };
    },
    work: async (payload, onProgress) => {
      const job = payload as PartitionJob;
      const result = await simulated(compiledFor(job), job);
      await onProgress(1);
      return result;
    },
  };
}

async function simulated({ tables, segments }: CompiledForecast, job: PartitionJob): Promise<PartitionResult> {
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
  return { counters: packCounters(counters), digest };
}
