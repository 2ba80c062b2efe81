import type { Job, Queue, QueueEvents } from 'bullmq';
import { stopwatch } from '../core/clock.ts';
import { NudgeLabError } from '../core/errors.ts';
import { randomId } from '../core/ids.ts';
import { getTelemetry, inSpan } from '../core/telemetry.ts';
import { withoutEnd } from '../core/text-end.ts';
import { connectToQueue, queueModules, withoutPassword } from './queue-connection.ts';
import { queueName, queuePrefix, type SentJob } from './queue-job.ts';
import { endsWithin, Waiter } from './waiter.ts';

/** Default limit of queued and running jobs, which also limits the data of a run in Redis. */
const outstandingDefault = 64;

/** Number of jobs per Redis request. */
const sentTogether = 8;

/** Interval in milliseconds for checking jobs without any events, and limit for an unreachable Redis. */
const lookEveryMs = 1_000;
const awayMsMax = 120_000;
const noWorkerAfterMs = 3_000;

/** Age in seconds from which workers remove results that no command has processed, because it ended before. */
const unclaimedSeconds = 3_600;

/** Maximum number of attempts if the worker of a job fails. */
const attemptsMax = 3;

/** Work that is split into jobs, numbered from 0, with the functions that create the jobs and process their results. */
export interface JobPlan {
  readonly address: string;
  /** Job type that workers know. */
  readonly kind: string;
  /** `programText`; `null` if the job type verifies the worker's version itself. */
  readonly program: string | null;
  readonly jobs: number;
  /** Maximum number of jobs in progress. Default: 64. */
  readonly outstanding?: number;
  /** Creates the payload of a job; called again if Redis lost the job. */
  readonly createPayload: (number: number) => Promise<unknown>;
  /** Receives the result of each job exactly once, in any order. */
  readonly take: (number: number, result: unknown) => Promise<void> | void;
  /** Returns the failure of a job for an error message, such as "the users 0 to 99 could not be simulated". */
  readonly formatFailure: (number: number) => string;
  /** Returns `true` if no further results are needed; called after each result. */
  readonly isEnough?: () => boolean;
  /** Maximum wait in milliseconds of real time; `null` if unlimited. */
  readonly budgetMs?: number | null;
  readonly onProgress?: ((share: number) => void) | undefined;
  readonly onNotice: (message: string) => void;
  /** Registers a listener for requests to stop, and returns the function that removes it. By default, there are none. */
  readonly onStop?: ((listener: () => void) => () => void) | undefined;
}

/** Progress of a run. Every job is a number, and its result is processed once even if it arrives more often. */
interface Standing {
  next: number;
  readonly outstanding: Set<number>;
  readonly taken: Set<number>;
  /** Jobs with an event that they have ended. */
  heard: Set<number>;
}

/**
 * Distributes the jobs of a plan to workers, a few at a time. Another worker retries the job of a lost worker. If Redis
 * restarts, the function waits for it and sends lost jobs again.
 * @returns `true` if all jobs are done
 * @throws `queue-missing`, `usage-invalid`, `queue-unreachable`, `queue-job-failed`, `command-canceled` after a request
 * to stop, and the errors of the plan's functions
 */
export async function spreadByQueue(spread: JobPlan): Promise<boolean> {
  const modules = await queueModules();
  const connection = await connectToQueue(modules, spread.address);
  const events = new modules.bullmq.QueueEvents(queueName, { connection, prefix: queuePrefix });
  const queue: Queue<SentJob, unknown> = new modules.bullmq.Queue(queueName, {
    connection,
    prefix: queuePrefix,
    // The event stream contains results, and never more than twice the number of outstanding jobs.
    streams: { events: { maxLen: 2 * (spread.outstanding ?? outstandingDefault) } },
  });
  const run = new QueueRun(spread, queue);
  const endListening = spread.onStop?.(() => run.stop());
  try {
    return await inSpan(`jobs ${spread.kind}`, {}, () => run.finish(events));
  } finally {
    endListening?.();
    await run.forget();
    // Without Redis, the events never close.
    await endsWithin(Promise.allSettled([events.close(), queue.close()]), lookEveryMs);
    connection.disconnect();
  }
}

/** Throws an error from Redis itself, such as a write at the memory limit, which only its operator can fix. */
function throwRefusal(error: unknown): never {
  if (!(error instanceof Error && error.name === 'ReplyError')) throw error;
  const [message = ''] = error.message.split('script: ', 1);
  const reason = withoutEnd(message.trimEnd(), '.');
  throw new NudgeLabError('queue-unreachable', { message: `Redis rejected a request: ${reason}.`, cause: error });
}

/** Errors of workers that the sender throws itself, because they say what a worker lacks. */
const workerErrors = ['ruleset-digest-differs'] as const;

/** Creates the error for a failed job. A worker begins its reason with the code of its error. */
function createFailure(what: string, reason: string): NudgeLabError {
  const known = workerErrors.find((code) => reason.startsWith(`${code}: `));
  const code = known ?? 'queue-job-failed';
  const text = known === undefined ? reason : reason.slice(known.length + 2);
  return new NudgeLabError(code, { message: `${what}: ${withoutEnd(text, '.')}.` });
}

class QueueRun {
  readonly #id = randomId();
  readonly #spread: JobPlan;
  readonly #queue: Queue<SentJob, unknown>;
  readonly #standing: Standing = { next: 0, outstanding: new Set(), taken: new Set(), heard: new Set() };
  #noticed = false;
  #stopped = false;
  readonly #awake = new Waiter();

  constructor(spread: JobPlan, queue: Queue<SentJob, unknown>) {
    this.#spread = spread;
    this.#queue = queue;
  }

  /**
   * Sends jobs and processes results until all results are in, enough are in, or the time limit is reached. Returns
   * `true` if all are in.
   */
  async finish(events: QueueEvents): Promise<boolean> {
    const { taken } = this.#standing;
    const { jobs, budgetMs = null, onProgress } = this.#spread;
    const elapsed = stopwatch();
    const awake = this.#awake;
    const listen = ({ jobId }: { readonly jobId: string }): void => {
      this.#hear(jobId);
      awake.wake();
    };
    events.on('completed', listen);
    events.on('failed', listen);
    // A lost connection recovers by itself, and the time limit for that is checked below.
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
        throw new NudgeLabError('queue-unreachable', {
          message: `Redis has been unreachable for ${awayMsMax / 1_000} s.`,
        });
      }
    }
    if (this.#stopped && taken.size < jobs) {
      throw new NudgeLabError('command-canceled', { message: `Canceled after ${taken.size} of ${jobs} jobs.` });
    }
    return taken.size === jobs;
  }

  /** Ends the wait for results. */
  stop(): void {
    this.#stopped = true;
    this.#awake.wake();
  }

  #isDone(): boolean {
    return this.#stopped || this.#standing.taken.size === this.#spread.jobs || this.#spread.isEnough?.() === true;
  }

  #hear(jobId: string): void {
    if (jobId.startsWith(`${this.#id}-`)) this.#standing.heard.add(Number(jobId.slice(this.#id.length + 1)));
  }

  /** Sends as many jobs as the limit allows, and processes the results with events or checks all outstanding jobs. */
  async #pass(looksAtAll: boolean, elapsedMs: number): Promise<void> {
    await this.#giveOut();
    const { outstanding, heard, taken } = this.#standing;
    this.#standing.heard = new Set();
    await this.#takeIn(looksAtAll ? [...outstanding] : [...heard].filter((number) => outstanding.has(number)));
    if (this.#noticed || elapsedMs < noWorkerAfterMs || taken.size > 0) return;
    this.#noticed = true;
    if ((await this.#queue.getWorkersCount()) > 0) return;
    const address = withoutPassword(this.#spread.address);
    this.#spread.onNotice(
      `No worker is connected to ${address}. Start workers with \`nudgelab worker --queue ${address}\`.`,
    );
  }

  /** Removes jobs whose results are no longer needed. */
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
    const { kind, program, createPayload } = this.#spread;
    const span = getTelemetry()?.current() ?? null;
    const trace = span === null ? {} : { traceparent: span.traceparent };
    for (let from = 0; from < numbers.length && !this.#stopped; from += sentTogether) {
      const some = numbers.slice(from, from + sentTogether);
      const jobs = await Promise.all(
        some.map(async (number) => ({
          name: kind,
          data: { program, payload: await createPayload(number), ...trace },
          opts: {
            jobId: this.#jobId(number),
            attempts: attemptsMax,
            backoff: { type: 'fixed', delay: lookEveryMs },
            removeOnComplete: { age: unclaimedSeconds },
            removeOnFail: { age: unclaimedSeconds },
          },
        })),
      );
      await this.#queue.addBulk(jobs);
    }
  }

  /** Checks jobs: processes their results, sends those again that Redis lost, and throws if one failed. */
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
      throw createFailure(this.#spread.formatFailure(number), job.failedReason);
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
