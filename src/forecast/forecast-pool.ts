import { availableParallelism } from 'node:os';
import { Worker } from 'node:worker_threads';
import { isModuleGate } from '../../machines/own/own-ruleset.ts';
import { afterDelay } from '../core/clock.ts';
import { NudgeLabError } from '../core/errors.ts';
import { forecastCountersMax, forecastKeptUsersMax } from '../core/limits.ts';
import { counterLayout } from './counters.ts';
import { NotCompiled } from './own/not-compiled.ts';
import {
  controls,
  countPartitions,
  type SharedWork,
  type Simulation,
  simulationSize,
  type ThreadResult,
  workThrough,
} from './partition-work.ts';

/**
 * Number of users per partition. It is large enough to make scheduling cheap, and small enough to let threads
 * finish together.
 */
const partitionUsersMax = 65_536;
const partitionUsersMin = 256;
const partitionsAThread = 8;

const progressEveryMs = 250;

/** Simulation request with its callbacks. */
export interface ForecastRequest {
  readonly users: number;
  readonly seeds: readonly number[];
  /** Time limit in milliseconds of real time, after which no further partition starts; `null` if there is none. */
  readonly budgetMs?: number | null;
  /** Callback for the completed share of all work, from 0 to 1. */
  readonly onProgress?: ((share: number) => void) | undefined;
}

/** Counters for each random seed in the order of `CounterLayout`. */
export interface ForecastCounts {
  readonly seeds: readonly number[];
  readonly counters: readonly Float64Array[];
  /** Digest of the final states of all users for all random seeds. See `digestOfUsers`. */
  readonly digest: number;
  /** Final state of each user for the first random seed; `null` if it was not stored. See `userWord`. */
  readonly population: Uint32Array | null;
  /** False if the time limit was reached before all users were simulated. */
  readonly complete: boolean;
}

/** Returns the default number of threads in a pool, which is one per core. */
export function threadsDefault(): number {
  return availableParallelism();
}

/** Pool of threads that simulate users. It can run several forecasts. */
export class ForecastPool {
  readonly #workers: readonly Worker[];

  /** Creates a pool with a number of threads. It has at least one. */
  constructor(threads: number) {
    const extension = import.meta.url.endsWith('.ts') ? 'ts' : 'js';
    const thread = new URL(`./forecast-thread.${extension}`, import.meta.url);
    this.#workers = Array.from({ length: threads }, () => new Worker(thread));
  }

  /**
   * Simulates the users of a compiled forecast for each random seed. The result is the same for any number of
   * threads. Throws `forecast-too-large` if the counters of all random seeds do not fit into memory, and `NotCompiled` if
   * the tables of an own ruleset lack an example of its users.
   */
  async run(
    { tables, segments }: { readonly tables: Simulation; readonly segments: readonly unknown[] },
    order: ForecastRequest,
  ): Promise<ForecastCounts> {
    const { days, rowBits } = simulationSize(tables);
    const layout = counterLayout(days, segments.length, rowBits);
    const { users, seeds } = order;
    if (layout.size * seeds.length > forecastCountersMax) {
      throw new NudgeLabError('forecast-too-large', {
        message: `${days} days with ${seeds.length} random seeds need ${layout.size * seeds.length} counters; the maximum is ${forecastCountersMax}. Use fewer days or seeds.`,
      });
    }
    const fairUsers = Math.ceil(users / (this.#workers.length * partitionsAThread));
    const kept = users <= forecastKeptUsersMax;
    const work: SharedWork = {
      tables,
      segments: segments.length,
      seeds,
      users,
      partitionUsers: Math.min(partitionUsersMax, Math.max(partitionUsersMin, fairUsers)),
      control: new Int32Array(new SharedArrayBuffer(controls.size * Int32Array.BYTES_PER_ELEMENT)),
      totals: new BigInt64Array(new SharedArrayBuffer(layout.size * seeds.length * BigInt64Array.BYTES_PER_ELEMENT)),
      population: new Uint32Array(new SharedArrayBuffer(kept ? users * Uint32Array.BYTES_PER_ELEMENT : 0)),
    };
    const stopWatching = watch(work, order);
    try {
      // Gate modules are code, which is not sent to threads.
      if (hasModules(tables)) workThrough(work);
      else {
        const ends = await Promise.allSettled(this.#workers.map((worker) => workOn(worker, work)));
        for (const end of ends) if (end.status === 'rejected') throw end.reason;
      }
    } finally {
      stopWatching();
    }
    const complete = Atomics.load(work.control, controls.done) === countPartitions(work) * seeds.length;
    return {
      seeds,
      counters: seeds.map((_, place) =>
        Float64Array.from(work.totals.subarray(place * layout.size, (place + 1) * layout.size), Number),
      ),
      digest: Atomics.load(work.control, controls.digest),
      population: kept && complete ? work.population : null,
      complete,
    };
  }

  /** Stops the threads. */
  async close(): Promise<void> {
    await Promise.all(this.#workers.map((worker) => worker.terminate()));
  }
}

function hasModules(tables: Simulation): boolean {
  if (!('plan' in tables)) return false;
  const { first, editions } = tables.plan.ruleset;
  return [first, ...editions.map(({ rules }) => rules)].some(({ gates }) => gates.some(isModuleGate));
}

/** Starts the work in a thread, and resolves when no partition is left. An error stops the other threads. */
function workOn(worker: Worker, work: SharedWork): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  const done = (result: ThreadResult): void => {
    if (result === null) resolve();
    else fail(new NotCompiled(result.code, result.path, result.message));
  };
  const fail = (error: unknown): void => {
    Atomics.store(work.control, controls.stopped, 1);
    reject(error);
  };
  worker.once('message', done);
  worker.once('error', fail);
  worker.postMessage(work);
  return promise.finally(() => {
    worker.off('message', done);
    worker.off('error', fail);
  });
}

/** Reports progress and enforces the time limit. Returns the function that ends both. */
function watch(work: SharedWork, { seeds, budgetMs = null, onProgress }: ForecastRequest): () => void {
  const all = countPartitions(work) * seeds.length;
  const stop = (): void => {
    Atomics.store(work.control, controls.stopped, 1);
  };
  const cancelBudget = budgetMs === null ? () => undefined : afterDelay(budgetMs, stop);
  let cancelReport = (): void => undefined;
  const report = (): void => {
    onProgress?.(Atomics.load(work.control, controls.done) / all);
    cancelReport = afterDelay(progressEveryMs, report);
  };
  if (onProgress !== undefined) cancelReport = afterDelay(progressEveryMs, report);
  return () => {
    cancelBudget();
    cancelReport();
  };
}
