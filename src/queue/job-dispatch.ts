import type { Job, Queue, QueueEvents } from 'bullmq';
import { stopwatch } from '../core/clock.ts';
import { NudgeLabError } from '../core/errors.ts';
import { randomId } from '../core/ids.ts';
import { withoutEnd } from '../core/text-end.ts';
import { connectToQueue, queueModules, withoutPassword } from './queue-connection.ts';
import { queueName, queuePrefix, type SentJob } from './queue-job.ts';
import { endsWithin, Waiter } from './waiter.ts';

/** Jobs that wait or are worked on at once, so that Redis holds no more of a run than these. */
const outstandingDefault = 64;

/** Jobs that are sent to Redis together. */
const sentTogether = 8;

/** How often jobs are looked at even when nothing is heard of them, and how long Redis may be away. */
const lookEveryMs = 1_000;
const awayMsMax = 120_000;
const noWorkerAfterMs = 3_000;

/** How often a job is tried when its worker fails. */
const attemptsMax = 3;

/** Work that is cut into jobs, numbered from 0, and how the sender makes them and takes what comes of them. */
export interface JobPlan {
  readonly address: string;
  /** The kind of the jobs, as workers know it. */
  readonly kind: string;
  /** `programText`, or `null` for a kind that finds out by itself whether the worker is of its version. */
  readonly program: string | null;
  readonly jobs: number;
  /** Jobs in progress at once; 64 where it is left out. */
  readonly outstanding?: number;
  /** What a job says; asked again for one that Redis forgot. */
  readonly payloadOf: (number: number) => Promise<unknown>;
  /** Takes the result of a job: once for each, in any order. */
  readonly take: (number: number, result: unknown) => Promise<void> | void;
  /** What a job is about, for an error: "the users 0 to 99 could not be simulated". */
  readonly failureOf: (number: number) => string;
  /** Whether no further result is wanted; asked after each that was taken. */
  readonly isEnough?: () => boolean;
  /** Real time after which nothing more is waited for, in ms; `null` for none. */
  readonly budgetMs?: number | null;
  readonly onProgress?: ((share: number) => void) | undefined;
  readonly onNotice: (message: string) => void;
}

/** Where a run stands. Every job is a number; its result is taken once, anyone who sends it and however often. */
interface Standing {
  next: number;
  readonly outstanding: Set<number>;
  readonly taken: Set<number>;
  /** Those that were heard to have ended. */
  heard: Set<number>;
}

/**
 * Has workers do the jobs of a spread. Jobs are given out a few at a time. A job whose worker is lost is done by another one; a
 * Redis that restarts is waited for, and jobs that it forgot are given out again. Returns whether all jobs were done.
 * Throws `queue-missing`, `usage-invalid`, `queue-unreachable` and `queue-job-failed`, and what the functions of the spread throw.
 */
export async function spreadByQueue(spread: JobPlan): Promise<boolean> {
  const modules = await queueModules();
  const connection = await connectToQueue(modules, spread.address);
  const events = new modules.bullmq.QueueEvents(queueName, { connection, prefix: queuePrefix });
  const queue: Queue<SentJob, unknown> = new modules.bullmq.Queue(queueName, {
    connection,
    prefix: queuePrefix,
    // The stream of events carries results; no more of them than can be outstanding twice over.
    streams: { events: { maxLen: 2 * (spread.outstanding ?? outstandingDefault) } },
  });
  const run = new QueueRun(spread, queue);
  try {
    return await run.finish(events);
  } finally {
    await run.forget();
    await Promise.allSettled([events.close(), queue.close()]);
    connection.disconnect();
  }
}

/** What Redis itself says no to, such as a write when its memory is full, is for its owner to mend. */
function throwRefusal(error: unknown): never {
  if (!(error instanceof Error && error.name === 'ReplyError')) throw error;
  const [message = ''] = error.message.split('script: ', 1);
  const reason = withoutEnd(message.trimEnd(), '.');
  throw new NudgeLabError('queue-unreachable', { message: `Redis answers, and refuses: ${reason}.`, cause: error });
}

class QueueRun {
  readonly #id = randomId();
  readonly #spread: JobPlan;
  readonly #queue: Queue<SentJob, unknown>;
  readonly #standing: Standing = { next: 0, outstanding: new Set(), taken: new Set(), heard: new Set() };
  #noticed = false;

  constructor(spread: JobPlan, queue: Queue<SentJob, unknown>) {
    this.#spread = spread;
    this.#queue = queue;
  }

  /** Gives out jobs and takes results until all are in, or enough of them, or the budget is over. Returns whether all are in. */
  async finish(events: QueueEvents): Promise<boolean> {
    const { taken } = this.#standing;
    const { jobs, budgetMs = null, onProgress } = this.#spread;
    const elapsed = stopwatch();
    const awake = new Waiter();
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
    while (!this.#isDone() && !(budgetMs !== null && elapsed() >= budgetMs)) {
      const looksAtAll = sinceLook() >= lookEveryMs;
      if (looksAtAll && pass === null) sinceLook = stopwatch();
      pass ??= this.#pass(looksAtAll, elapsed()).catch(throwRefusal);
      if (await endsWithin(pass, lookEveryMs)) {
        pass = null;
        sinceReached = stopwatch();
        onProgress?.(taken.size / jobs);
        if (!this.#isDone() && this.#standing.heard.size === 0) await awake.sleep(lookEveryMs);
      } else if (sinceReached() >= awayMsMax) {
        throw new NudgeLabError('queue-unreachable', { message: `Redis has been away for ${awayMsMax / 1_000} s.` });
      }
    }
    return taken.size === jobs;
  }

  #isDone(): boolean {
    return this.#standing.taken.size === this.#spread.jobs || this.#spread.isEnough?.() === true;
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
    const address = withoutPassword(this.#spread.address);
    this.#spread.onNotice(`No worker takes jobs at ${address}: start some with nudgelab worker --queue ${address}`);
  }

  /** Takes back the jobs that no one waits for any more. */
  async forget(): Promise<void> {
    const removals = [...this.#standing.outstanding].map((number) => this.#queue.remove(this.#jobId(number)));
    await endsWithin(Promise.allSettled(removals), lookEveryMs);
  }

  async #giveOut(): Promise<void> {
    const { outstanding } = this.#standing;
    const numbers: number[] = [];
    const atOnce = this.#spread.outstanding ?? outstandingDefault;
    while (outstanding.size + numbers.length < atOnce && this.#standing.next < this.#spread.jobs) {
      numbers.push(this.#standing.next);
      this.#standing.next += 1;
    }
    for (const number of numbers) outstanding.add(number);
    await this.#add(numbers);
  }

  async #add(numbers: readonly number[]): Promise<void> {
    const { kind, program, payloadOf } = this.#spread;
    for (let from = 0; from < numbers.length; from += sentTogether) {
      const some = numbers.slice(from, from + sentTogether);
      const jobs = await Promise.all(
        some.map(async (number) => ({
          name: kind,
          data: { program, payload: await payloadOf(number) },
          opts: {
            jobId: this.#jobId(number),
            attempts: attemptsMax,
            backoff: { type: 'fixed', delay: lookEveryMs },
          },
        })),
      );
      await this.#queue.addBulk(jobs);
    }
  }

  /** Looks at jobs: takes their results, gives them out again when Redis forgot them, or ends when one failed. */
  async #takeIn(numbers: readonly number[]): Promise<void> {
    const lost: number[] = [];
    for (let from = 0; from < numbers.length; from += sentTogether) {
      await Promise.all(
        numbers.slice(from, from + sentTogether).map(async (number) => {
          const job = await this.#queue.getJob(this.#jobId(number));
          if (job === undefined) lost.push(number);
          else if (job.finishedOn !== undefined) await this.#take(number, job);
        }),
      );
    }
    await this.#add(lost);
  }

  async #take(number: number, job: Job<SentJob, unknown>): Promise<void> {
    const { outstanding, taken } = this.#standing;
    if (job.failedReason !== undefined && job.returnvalue === null) {
      throw new NudgeLabError('queue-job-failed', {
        message: `${this.#spread.failureOf(number)}: ${job.failedReason}.`,
      });
    }
    if (!taken.has(number)) {
      taken.add(number);
      await this.#spread.take(number, job.returnvalue);
    }
    outstanding.delete(number);
    await job.remove();
  }

  #jobId(number: number): string {
    return `${this.#id}-${number}`;
  }
}
