import type { Job, Queue, QueueEvents } from 'bullmq';
import { afterDelay, stopwatch } from '../../core/clock.ts';
import { NudgeLabError } from '../../core/errors.ts';
import { unrepeatableId } from '../../core/ids.ts';
import type { CompiledForecast } from '../compile-forecast.ts';
import { counterLayout } from '../counters.ts';
import type { ForecastCounts, ForecastOrder } from '../forecast-pool.ts';
import { connectToQueue, queueModules, withoutPassword } from './queue-connection.ts';
import { type PartitionJob, type PartitionResult, queueName, queuePrefix, unpackCounters } from './queue-job.ts';

/** Users of one job: enough that the queue costs nothing beside it, few enough that a lost worker loses little. */
const jobUsers = 131_072;

/** Jobs that wait or are worked on at once, so that Redis holds no more of a run than these. */
const outstandingMax = 64;

/** How often jobs are looked at even when nothing is heard of them, and how long Redis may be away. */
const lookEveryMs = 1_000;
const awayMsMax = 120_000;
const noWorkerAfterMs = 3_000;

/** How often a job is tried when its worker fails. */
const attemptsMax = 3;

/** What is to be simulated by workers, and how the caller hears of it. */
export interface QueueOrder extends ForecastOrder {
  readonly address: string;
  readonly onNotice: (message: string) => void;
}

/** Where a run stands. Every partition is a number; its result is taken once, whoever sends it and however often. */
interface Standing {
  readonly partitions: number;
  next: number;
  readonly outstanding: Set<number>;
  readonly taken: Set<number>;
  /** Those that were heard to have ended. */
  heard: Set<number>;
}

/**
 * Simulates the users of a forecast by the workers of a queue. Jobs are given out a few at a time; results are whole numbers and are
 * summed as they come, so that the result is that of a local run to the byte. A job whose worker is lost is done by another one; a
 * Redis that restarts is waited for, and jobs that it forgot are given out anew.
 * Throws `queue-missing`, `usage-invalid`, `queue-unreachable` and `queue-job-failed`.
 */
export async function runByQueue(compiled: CompiledForecast, order: QueueOrder): Promise<ForecastCounts> {
  const modules = await queueModules();
  const connection = await connectToQueue(modules, order.address);
  const events = new modules.bullmq.QueueEvents(queueName, { connection, prefix: queuePrefix });
  const queue: Queue<PartitionJob, PartitionResult> = new modules.bullmq.Queue(queueName, {
    connection,
    prefix: queuePrefix,
    // The stream of events carries results; no more of them than can be outstanding twice over.
    streams: { events: { maxLen: 2 * outstandingMax } },
  });
  const run = new QueueRun(compiled, order, queue);
  try {
    return await run.finish(events);
  } finally {
    await run.forget();
    await Promise.allSettled([events.close(), queue.close()]);
    connection.disconnect();
  }
}

class QueueRun {
  readonly #id = unrepeatableId();
  readonly #compiled: CompiledForecast;
  readonly #order: QueueOrder;
  readonly #queue: Queue<PartitionJob, PartitionResult>;
  readonly #standing: Standing;
  readonly #sums: readonly Float64Array[];
  readonly #size: number;
  #digest = 0;
  #noticed = false;

  constructor(compiled: CompiledForecast, order: QueueOrder, queue: Queue<PartitionJob, PartitionResult>) {
    this.#compiled = compiled;
    this.#order = order;
    this.#queue = queue;
    this.#size = counterLayout(compiled.tables.days, compiled.segments.length).size;
    this.#sums = order.seeds.map(() => new Float64Array(this.#size));
    const partitions = Math.ceil(order.users / jobUsers) * order.seeds.length;
    this.#standing = { partitions, next: 0, outstanding: new Set(), taken: new Set(), heard: new Set() };
  }

  /** Gives out jobs and takes results until all are in, or the budget is over. */
  async finish(events: QueueEvents): Promise<ForecastCounts> {
    const { partitions, taken } = this.#standing;
    const { budgetMs = null, onProgress } = this.#order;
    const elapsed = stopwatch();
    const awake = new Awakening();
    const listen = ({ jobId }: { readonly jobId: string }): void => {
      this.#hear(jobId);
      awake.wake();
    };
    events.on('completed', listen);
    events.on('failed', listen);
    // A connection that is lost comes back by itself; how long it may take is counted below.
    events.on('error', () => undefined);
    this.#queue.on('error', () => undefined);
    let sinceReached = stopwatch();
    let sinceLook = stopwatch();
    let pass: Promise<void> | null = null;
    while (taken.size < partitions && !(budgetMs !== null && elapsed() >= budgetMs)) {
      const looksAtAll = sinceLook() >= lookEveryMs;
      if (looksAtAll && pass === null) sinceLook = stopwatch();
      pass ??= this.#pass(looksAtAll, elapsed());
      if (await endsWithin(pass, lookEveryMs)) {
        pass = null;
        sinceReached = stopwatch();
        onProgress?.(taken.size / partitions);
        if (taken.size < partitions && this.#standing.heard.size === 0) await awake.sleep(lookEveryMs);
      } else if (sinceReached() >= awayMsMax) {
        throw new NudgeLabError('queue-unreachable', { message: `Redis has been away for ${awayMsMax / 1_000} s.` });
      }
    }
    return {
      seeds: this.#order.seeds,
      counters: this.#sums,
      digest: this.#digest,
      population: null,
      complete: taken.size === partitions,
    };
  }

  #hear(jobId: string): void {
    if (jobId.startsWith(`${this.#id}-`)) this.#standing.heard.add(Number(jobId.slice(this.#id.length + 1)));
  }

  /** Gives out what there is room for, and takes the results that were heard of, or looks at all that are outstanding. */
  async #pass(looksAtAll: boolean, elapsedMs: number): Promise<void> {
    await this.#giveOut();
    const { outstanding, heard, taken } = this.#standing;
    this.#standing.heard = new Set();
    await this.#takeIn(looksAtAll ? [...outstanding] : [...heard].filter((number) => outstanding.has(number)));
    if (this.#noticed || elapsedMs < noWorkerAfterMs || taken.size > 0) return;
    this.#noticed = true;
    if ((await this.#queue.getWorkersCount()) > 0) return;
    const address = withoutPassword(this.#order.address);
    this.#order.onNotice(`No worker takes jobs at ${address}: start some with nudgelab worker --queue ${address}`);
  }

  /** Takes back the jobs that nobody waits for any more. */
  async forget(): Promise<void> {
    const removals = [...this.#standing.outstanding].map((number) => this.#queue.remove(this.#jobId(number)));
    await endsWithin(Promise.allSettled(removals), lookEveryMs);
  }

  async #giveOut(): Promise<void> {
    const { outstanding, partitions } = this.#standing;
    const numbers: number[] = [];
    while (outstanding.size + numbers.length < outstandingMax && this.#standing.next < partitions) {
      numbers.push(this.#standing.next);
      this.#standing.next += 1;
    }
    for (const number of numbers) outstanding.add(number);
    await this.#add(numbers);
  }

  async #add(numbers: readonly number[]): Promise<void> {
    if (numbers.length === 0) return;
    await this.#queue.addBulk(
      numbers.map((number) => ({
        name: 'partition',
        data: this.#jobOf(number),
        opts: { jobId: this.#jobId(number), attempts: attemptsMax, backoff: { type: 'fixed', delay: lookEveryMs } },
      })),
    );
  }

  /** Looks at jobs: takes their results, gives them out anew when Redis forgot them, or ends when one failed. */
  async #takeIn(numbers: readonly number[]): Promise<void> {
    const lost: number[] = [];
    await Promise.all(
      numbers.map(async (number) => {
        const job = await this.#queue.getJob(this.#jobId(number));
        if (job === undefined) lost.push(number);
        else if (job.finishedOn !== undefined) await this.#take(number, job);
      }),
    );
    await this.#add(lost);
  }

  async #take(number: number, job: Job<PartitionJob, PartitionResult>): Promise<void> {
    const { outstanding, taken } = this.#standing;
    if (job.failedReason !== undefined && job.returnvalue === null) {
      throw new NudgeLabError('queue-job-failed', {
        message: `The users ${job.data.firstUser} to ${job.data.endUser - 1} could not be simulated: ${job.failedReason}.`,
      });
    }
    if (!taken.has(number)) {
      taken.add(number);
      const sums = this.#sums[number % this.#order.seeds.length] as Float64Array;
      const counters = unpackCounters(job.returnvalue.counters, this.#size);
      for (let at = 0; at < this.#size; at += 1) sums[at] = (sums[at] as number) + (counters[at] as number);
      this.#digest = (this.#digest + job.returnvalue.digest) | 0;
    }
    outstanding.delete(number);
    await job.remove();
  }

  #jobId(number: number): string {
    return `${this.#id}-${number}`;
  }

  /** Seeds take turns, so that a budget leaves all of them with about as many users. */
  #jobOf(number: number): PartitionJob {
    const { seeds, users } = this.#order;
    const { description, tables } = this.#compiled;
    const firstUser = Math.floor(number / seeds.length) * jobUsers;
    return {
      tables: tables.digest,
      description,
      seed: seeds[number % seeds.length] as number,
      firstUser,
      endUser: Math.min(users, firstUser + jobUsers),
    };
  }
}

/** Sleeps until it is woken, or for so long at most. */
class Awakening {
  #resolve = (): void => undefined;

  wake(): void {
    this.#resolve();
  }

  async sleep(limitMs: number): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#resolve = resolve;
    const cancel = afterDelay(limitMs, resolve);
    await promise;
    cancel();
  }
}

/** Waits for something, which may wait for Redis to come back, for so long at most. Returns whether it ended; throws what it throws. */
async function endsWithin(task: Promise<unknown>, limitMs: number): Promise<boolean> {
  const { promise, resolve } = Promise.withResolvers<boolean>();
  const cancel = afterDelay(limitMs, () => resolve(false));
  try {
    return await Promise.race([task.then(() => true), promise]);
  } finally {
    cancel();
  }
}
