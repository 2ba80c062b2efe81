import type { OwnRuleset } from '../../machines/own/own-ruleset.ts';
import { afterPendingInput } from '../core/clock.ts';
import { computeDigest } from '../core/digest.ts';
import { LruMap } from '../core/lru-map.ts';
import { type JobKind, PermanentJobError } from '../queue/queue-job.ts';
import { counterLayout } from './counters.ts';
import { compileDescription } from './forecast.ts';
import { NotCompiled } from './own/not-compiled.ts';
import { type OwnForecast, prepareOwnForecast } from './own/own-forecast.ts';
import { type Simulation, simulate, simulationSize } from './partition-work.ts';
import { digestOfUsers } from './population-digest.ts';
import {
  type OwnPartitionJob,
  ownPartitionKindName,
  type PartitionJob,
  type PartitionRange,
  type PartitionResult,
  packCounters,
  partitionKindName,
} from './queue-partition.ts';

/**
 * Number of users to simulate before the worker yields to other tasks, such as keeping its job alive in the queue.
 * Replaying users takes far longer than tables.
 */
const stretchUsers = 16_384;
const foldedStretchUsers = 64;

/** Maximum number of compiled forecasts that a worker caches. */
const compiledMax = 8;

/** Tables of a forecast, or the plan whose users are replayed. */
interface Prepared {
  readonly tables: Simulation;
  readonly segments: readonly unknown[];
}

/** Creates the job type that simulates partitions of forecasts. Compiled forecasts are cached for later jobs. */
export function partitionKind(): JobKind {
  const kept = new LruMap<string, Prepared>({ max: compiledMax });
  return createKind<PartitionJob>(partitionKindName, ({ tables, description, ruleset }) => {
    const known = kept.get(tables);
    if (known !== undefined) return known;
    const compiled = compileDescription(description, ruleset ?? null);
    if (compiled.tables.digest !== tables) throw otherTables();
    kept.set(tables, compiled);
    return compiled;
  });
}

/**
 * Creates the job type that simulates partitions of the forecasts of own rulesets.
 *
 * @param receive - returns the ruleset of a job, or throws `ruleset-digest-differs`
 */
export function ownPartitionKind(receive: (sent: unknown) => OwnRuleset): JobKind {
  const kept = new LruMap<string, OwnForecast>({ max: compiledMax });
  return createKind<OwnPartitionJob>(ownPartitionKindName, ({ draws, description, engine, ruleset: sent }) => {
    const ruleset = receive(sent);
    const key = computeDigest(JSON.stringify([draws, engine, ruleset.digest, description]));
    const known = kept.get(key);
    if (known !== undefined) return known;
    const prepared = prepareOwnForecast(description, ruleset, engine);
    if (prepared.draws.digest !== draws) throw otherTables();
    kept.set(key, prepared);
    return prepared;
  });
}

function otherTables(): PermanentJobError {
  return new PermanentJobError(
    'the worker compiles the description to different tables, because it has another version; use the same version',
  );
}

function createKind<J extends PartitionRange>(name: string, prepare: (job: J) => Prepared): JobKind {
  return {
    name,
    counts: (payload) => {
      const { firstUser, endUser } = payload as J;
      return { users: endUser - firstUser };
    },
    work: async (payload, onProgress) => {
      const job = payload as J;
      const result = await simulateJob(prepare(job), job).catch((error: unknown) => {
        throw error instanceof NotCompiled ? new PermanentJobError(`${error.code} ${error.message}`) : error;
      });
      await onProgress(1);
      return result;
    },
  };
}

async function simulateJob(
  { tables, segments }: Prepared,
  { seed, firstUser, endUser }: PartitionRange,
): Promise<PartitionResult> {
  const { days, rowBits } = simulationSize(tables);
  const layout = counterLayout(days, segments.length, rowBits);
  const counters = new Int32Array(layout.size);
  const atOnce = 'plan' in tables ? foldedStretchUsers : stretchUsers;
  const population = new Uint32Array(atOnce);
  let digest = 0;
  for (let from = firstUser; from < endUser; from += atOnce) {
    const to = Math.min(endUser, from + atOnce);
    const ends = population.subarray(0, to - from);
    simulate(tables, layout, { seed, firstUser: from, endUser: to }, { population: ends, counters });
    digest = (digest + digestOfUsers(ends, from, seed)) | 0;
    await new Promise<void>((resolve) => afterPendingInput(resolve));
  }
  return { counters: packCounters(counters), digest };
}
