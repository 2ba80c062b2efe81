import { Worker } from 'node:worker_threads';
import { type ErrorCode, NudgeLabError, type ValidationProblem } from '../../core/errors.ts';
import type { Scenario } from '../../scenario/scenario.ts';
import { listSentRulesets } from '../queue/sent-scenarios.ts';
import { listChangedByJson, type SuiteJobs } from '../queue/suite-by-jobs.ts';

/** Answer of a thread to a job: its result, or the error of the driver. */
export type ThreadAnswer =
  | { readonly result: unknown }
  | { readonly code: ErrorCode; readonly message: string; readonly problems: readonly ValidationProblem[] };

/** Number of scenarios that repays the start of a thread, which loads the server. */
const scenariosMin = 64;

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
  readonly #workers: readonly Worker[];

  /** Starts a number of threads. */
  constructor(threads: number) {
    const extension = import.meta.url.endsWith('.ts') ? 'ts' : 'js';
    const thread = new URL(`./suite-thread.${extension}`, import.meta.url);
    this.#workers = Array.from({ length: threads }, () => new Worker(thread));
  }

  /** Runs jobs until all results, or enough of them, were processed. Throws the errors of the driver. */
  async spread({ jobs, createPayload, take, isEnough }: SuiteJobs): Promise<void> {
    let next = 0;
    const runJobs = async (worker: Worker): Promise<void> => {
      while (next < jobs && isEnough?.() !== true) {
        const number = next;
        next += 1;
        await take(number, await runJob(worker, await createPayload(number)));
      }
    };
    await Promise.all(this.#workers.map(runJobs));
  }

  /** Ends the threads. */
  async close(): Promise<void> {
    await Promise.all(this.#workers.map((worker) => worker.terminate()));
  }
}

/** Sends a job to a thread that has none, and returns its result. */
async function runJob(worker: Worker, payload: unknown): Promise<unknown> {
  const { promise, resolve, reject } = Promise.withResolvers<ThreadAnswer>();
  const end = (code: number): void => reject(new RangeError(`A thread of the run ended with code ${code}.`));
  worker.once('message', resolve).once('error', reject).once('exit', end);
  worker.postMessage(payload);
  try {
    const answer = await promise;
    if ('result' in answer) return answer.result;
    throw new NudgeLabError(answer.code, { message: answer.message, problems: answer.problems });
  } finally {
    worker.off('message', resolve).off('error', reject).off('exit', end);
  }
}
