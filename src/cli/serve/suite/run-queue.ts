import { rmSync } from 'node:fs';
import { NudgeLabError } from '../../../core/errors.ts';
import type { RunList, RunRequest, RunView } from '../../../server/suite-service.ts';
import { RunState } from './run-state.ts';

/** Maximum numbers of queued runs, stored runs, and results of all stored runs together. */
const queuedMax = 10;
const storedRunsMax = 20;
const resultsMax = 200_000;

const retryAfterSeconds = 5;

/** Function that executes one run. It throws the reason if the run could not be executed. */
export type CarryOut = (run: RunState) => Promise<void>;

/** Executes runs one after the other. It queues a limited number of runs and stores the latest ones. */
export class RunQueue {
  readonly #carryOut: CarryOut;
  readonly #nowMs: () => number;
  readonly #runs = new Map<string, RunState>();
  #started = 0;
  #working: Promise<void> | null = null;

  /** Creates a queue from the function that executes a run and a clock in milliseconds. */
  constructor(carryOut: CarryOut, nowMs: () => number) {
    this.#carryOut = carryOut;
    this.#nowMs = nowMs;
  }

  /** Queues a run. Throws `too-many-runs` if the queue is full. */
  start(request: RunRequest): RunView {
    const queued = [...this.#runs.values()].filter(({ state }) => state === 'queued').length;
    if (queued >= queuedMax) {
      throw new NudgeLabError('too-many-runs', {
        message: `${queued} runs are queued, the maximum; try again later.`,
        headers: { 'Retry-After': String(retryAfterSeconds) },
      });
    }
    this.#started += 1;
    const run = new RunState(`r${this.#started}`, request);
    this.#runs.set(run.id, run);
    this.#forgetOldest();
    this.#working ??= this.#work().finally(() => {
      this.#working = null;
    });
    return run.view();
  }

  list(): RunList {
    return { runs: [...this.#runs.values()].reverse().map((run) => run.view()), queuedMax };
  }

  /** Returns a run. Throws `run-not-found`. */
  get(id: string): RunState {
    const run = this.#runs.get(id);
    if (run === undefined) throw new NudgeLabError('run-not-found', { message: `Run ${id} does not exist.` });
    return run;
  }

  /** Cancels a run. A finished run does not change. Throws `run-not-found`. */
  cancel(id: string): RunView {
    const run = this.get(id);
    run.isCancelled = true;
    if (run.state === 'queued') this.#end(run, 'canceled');
    return run.view();
  }

  /** Cancels all runs, and resolves when none is in progress. */
  async close(): Promise<void> {
    for (const id of this.#runs.keys()) this.cancel(id);
    await this.#working;
    for (const run of this.#runs.values()) forgetEvidence(run);
  }

  async #work(): Promise<void> {
    for (;;) {
      const run = [...this.#runs.values()].find(({ state }) => state === 'queued');
      if (run === undefined) return;
      run.state = 'running';
      run.startedAtMs = this.#nowMs();
      run.tell();
      try {
        await this.#carryOut(run);
        this.#end(run, run.isCancelled ? 'canceled' : 'finished');
      } catch (error) {
        run.error = toRunError(error);
        this.#end(run, 'failed');
      }
    }
  }

  #end(run: RunState, state: RunView['state']): void {
    run.state = state;
    run.finishedAtMs = this.#nowMs();
    run.tell();
  }

  #forgetOldest(): void {
    const over = [...this.#runs.values()].filter(({ isFinished }) => isFinished);
    let results = over.reduce((sum, { resultCount }) => sum + resultCount, 0);
    for (const run of over) {
      if (this.#runs.size <= storedRunsMax && results <= resultsMax) return;
      results -= run.resultCount;
      this.#runs.delete(run.id);
      forgetEvidence(run);
    }
  }
}

function forgetEvidence({ evidenceFolder }: RunState): void {
  if (evidenceFolder !== null) rmSync(evidenceFolder, { recursive: true, force: true });
}

function toRunError(error: unknown): NonNullable<RunView['error']> {
  if (error instanceof NudgeLabError) {
    const problems = error.problems.map(({ location: place, message }) => ({ location: place, message }));
    return { code: error.code, message: error.message, problems };
  }
  return { code: 'internal-error', message: error instanceof Error ? error.message : String(error), problems: [] };
}
