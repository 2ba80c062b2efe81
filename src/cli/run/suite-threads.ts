import { Worker } from 'node:worker_threads';
import { type ErrorCode, NudgeLabError, type ValidationProblem } from '../../core/errors.ts';
import type { Scenario } from '../../scenario/scenario.ts';
import { listSentRulesets } from '../queue/sent-scenarios.ts';
import { listChangedByJson, type SuiteJobs } from '../queue/suite-by-jobs.ts';

/** Job of a thread. */
export interface ThreadJob {
  readonly number: number;
  readonly payload: unknown;
}

/** Answer of a thread to a job: its result, or the error of the driver. */
export type ThreadAnswer = { readonly number: number } & (
  | { readonly result: unknown }
  | { readonly code: ErrorCode; readonly message: string; readonly problems: readonly ValidationProblem[] }
);

/** Number of scenarios for each thread that repays its start, which loads the server. */
const scenariosMin = 96;

/** Maximum number of threads, each of which has a server in memory. */
const threadsMax = 8;

/**
 * Returns the number of threads that run scenarios sooner than this thread alone; 1 if no other can run them.
 * @param scenarios - scenarios of a run
 * @param size - number of concurrent scenarios, number of runs of each, and number of processor cores
 */
export function countThreads(
  scenarios: readonly Scenario[],
  { workers, repeat, cores }: { readonly workers: number; readonly repeat: number; readonly cores: number },
): number {
  const useful = Math.floor((scenarios.length * repeat) / scenariosMin);
  const most = Math.min(cores, workers, threadsMax, useful);
  return most > 1 && canBeSent(scenarios) ? most : 1;
}

/** Returns true for scenarios that are data. Gate modules are code, which no thread receives. */
function canBeSent(scenarios: readonly Scenario[]): boolean {
  return listSentRulesets(scenarios).every(({ text }) => text !== null) && listChangedByJson(scenarios).length === 0;
}

/** Threads that run the scenarios of a suite, each with a server of its own. */
export class SuiteThreads {
  readonly #threads: readonly SuiteThread[];

  /** Starts a number of threads. */
  constructor(threads: number) {
    this.#threads = Array.from({ length: threads }, () => new SuiteThread());
  }

  /**
   * Runs jobs until all results, or enough of them, were processed. Jobs still running then are left to `close`.
   * @param jobs - the jobs
   * @param workers - number of concurrent jobs in all threads
   * @throws the errors of the drivers, and `internal-error` if a thread ends
   */
  async spread({ jobs, createPayload, take, isEnough }: SuiteJobs, workers: number): Promise<void> {
    const enough = Promise.withResolvers<void>();
    let next = 0;
    let ended = false;
    const work = async (thread: SuiteThread): Promise<void> => {
      while (!ended && next < jobs) {
        const number = next;
        next += 1;
        const result = await thread.run({ number, payload: await createPayload(number) });
        if (ended) return;
        await take(number, result);
        if (isEnough?.() === true) enough.resolve();
      }
    };
    const workings = Array.from({ length: workers }, (_, place) =>
      work(this.#threads[place % this.#threads.length] as SuiteThread),
    );
    try {
      await Promise.race([Promise.all(workings), enough.promise]);
    } finally {
      ended = true;
    }
  }

  /** Ends the threads. */
  async close(): Promise<void> {
    await Promise.all(this.#threads.map((thread) => thread.close()));
  }
}

/** Thread that runs several jobs at once. */
class SuiteThread {
  readonly #worker: Worker;
  readonly #waiting = new Map<number, (answer: ThreadAnswer) => void>();
  /** Rejects when the thread ends. */
  readonly #end: Promise<never>;

  constructor() {
    const extension = import.meta.url.endsWith('.ts') ? 'ts' : 'js';
    this.#worker = new Worker(new URL(`./suite-thread.${extension}`, import.meta.url));
    this.#worker.on('message', (answer: ThreadAnswer) => {
      this.#waiting.get(answer.number)?.(answer);
      this.#waiting.delete(answer.number);
    });
    const { promise, reject } = Promise.withResolvers<never>();
    this.#worker.once('error', (cause: Error) => reject(createFailure(cause.message, cause)));
    this.#worker.once('exit', (code) => reject(createFailure(`it ended with code ${code}`)));
    // A thread can end while no job waits for it.
    promise.catch(() => undefined);
    this.#end = promise;
  }

  async run(job: ThreadJob): Promise<unknown> {
    const { promise, resolve } = Promise.withResolvers<ThreadAnswer>();
    this.#waiting.set(job.number, resolve);
    this.#worker.postMessage(job);
    const answer = await Promise.race([promise, this.#end]);
    if ('result' in answer) return answer.result;
    throw new NudgeLabError(answer.code, { message: answer.message, problems: answer.problems });
  }

  async close(): Promise<void> {
    await this.#worker.terminate();
  }
}

function createFailure(reason: string, cause?: Error): NudgeLabError {
  return new NudgeLabError('internal-error', {
    message: `A thread that runs scenarios failed: ${reason}. With --workers 1, the suite runs in one thread.`,
    cause,
  });
}
