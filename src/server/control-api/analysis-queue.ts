import type { AnalysisRequest, AnalysisResult, analysisResponse } from '../../contract/analysis.schema.ts';
import type { ResponseBody } from '../../contract/control-responses.schema.ts';
import { errorTable, NudgeLabError } from '../../core/errors.ts';
import { analysesKeptMax, analysesWaitingMax } from '../../core/limits.ts';
import type { Sandbox } from '../../sandbox/sandbox.ts';
import type { AnalysisRun, AnalysisRunner } from '../analysis-runner.ts';

type AnalysisView = ResponseBody<typeof analysisResponse>;

/** Value of `Retry-After` for rejected analyses, in seconds. */
const retryAfterSeconds = 5;

interface StoredAnalysis {
  readonly id: string;
  readonly order: AnalysisRequest;
  readonly sandbox: Sandbox;
  state: AnalysisView['state'];
  progress: number;
  error: AnalysisView['error'];
  run: AnalysisRun | null;
  result: AnalysisResult | null;
  /** Removes the listener for the end of the sandbox. */
  readonly leave: () => void;
}

/** Manages the analyses of a server. One runs at a time, others are queued, and the latest results are kept. */
export class AnalysisQueue {
  readonly #runner: AnalysisRunner | null;
  readonly #isServed: (sandbox: Sandbox) => boolean;
  #analyses: StoredAnalysis[] = [];
  #made = 0;

  /**
   * Creates the queue. `runner` is `null` if no runner is available, and `isServed` reports whether a sandbox still
   * exists.
   */
  constructor(runner: AnalysisRunner | null, isServed: (sandbox: Sandbox) => boolean) {
    this.#runner = runner;
    this.#isServed = isServed;
  }

  /** Lists the analyses of a sandbox, newest first. Throws `analysis-missing` if the server has no runner. */
  list(sandbox: Sandbox): readonly AnalysisView[] {
    this.#sweep();
    return this.#analyses
      .filter((analysis) => analysis.sandbox === sandbox)
      .toReversed()
      .map(toView);
  }

  /**
   * Starts or queues an analysis.
   *
   * @throws NudgeLabError `analysis-missing` if the server has no runner, `too-many-analyses` if the queue is full
   */
  start(sandbox: Sandbox, order: AnalysisRequest): AnalysisView {
    this.#sweep();
    if (this.#analyses.filter(isOpen).length >= analysesWaitingMax) {
      throw new NudgeLabError('too-many-analyses', {
        message: `${analysesWaitingMax} analyses are already queued or running, the maximum.`,
        headers: { 'Retry-After': String(retryAfterSeconds) },
      });
    }
    this.#made += 1;
    const stored: StoredAnalysis = {
      id: `analysis-${this.#made}`,
      order,
      sandbox,
      state: 'queued',
      progress: 0,
      error: null,
      run: null,
      result: null,
      // Deleting a sandbox cancels its analyses immediately, because a forecast would otherwise keep a core busy.
      leave: sandbox.recorder.attend({ written: () => undefined, ended: () => this.#sweep() }),
    };
    this.#analyses.push(stored);
    this.#next();
    return toView(stored);
  }

  /** Returns one analysis. Throws `analysis-missing` or `analysis-not-found`. */
  get(sandbox: Sandbox, id: string): AnalysisView {
    return toView(this.#one(sandbox, id));
  }

  /** Returns the result of an analysis. Throws `analysis-missing`, `analysis-not-found`, or `analysis-not-finished`. */
  result(sandbox: Sandbox, id: string): AnalysisResult {
    const { result, state } = this.#one(sandbox, id);
    if (result !== null) return result;
    throw new NudgeLabError('analysis-not-finished', { message: `Analysis ${id} is ${state}.` });
  }

  /** Cancels a queued or running analysis. Throws `analysis-missing` or `analysis-not-found`. */
  cancel(sandbox: Sandbox, id: string): AnalysisView {
    const stored = this.#one(sandbox, id);
    this.#end(stored);
    return toView(stored);
  }

  /** Cancels an analysis and deletes it. Throws `analysis-missing` or `analysis-not-found`. */
  forget(sandbox: Sandbox, id: string): void {
    const stored = this.#one(sandbox, id);
    this.#end(stored);
    this.#keep(this.#analyses.filter((other) => other !== stored));
  }

  #one(sandbox: Sandbox, id: string): StoredAnalysis {
    this.#sweep();
    const stored = this.#analyses.find((one) => one.id === id && one.sandbox === sandbox);
    if (stored === undefined)
      throw new NudgeLabError('analysis-not-found', { message: `Analysis "${id}" does not exist.` });
    return stored;
  }

  #end(analysis: StoredAnalysis): void {
    if (!isOpen(analysis)) return;
    cancel(analysis);
    this.#next();
  }

  /** Deletes the analyses of deleted sandboxes and the oldest results. Throws `analysis-missing` without a runner. */
  #sweep(): void {
    if (this.#runner === null) throw new NudgeLabError('analysis-missing');
    const gone = this.#analyses.filter(({ sandbox }) => !this.#isServed(sandbox));
    // All of them are canceled before the next analysis starts, because it must not be one of them.
    for (const stored of gone) if (isOpen(stored)) cancel(stored);
    const there = this.#analyses.filter(({ sandbox }) => this.#isServed(sandbox));
    const ended = there.filter((analysis) => !isOpen(analysis));
    const forgotten = new Set(ended.slice(0, Math.max(0, there.length - analysesKeptMax)));
    this.#keep(there.filter((analysis) => !forgotten.has(analysis)));
    this.#next();
  }

  /** Deletes all analyses except these. */
  #keep(kept: readonly StoredAnalysis[]): void {
    for (const stored of this.#analyses) if (!kept.includes(stored)) stored.leave();
    this.#analyses = [...kept];
  }

  #next(): void {
    if (this.#runner === null || this.#analyses.some(({ state }) => state === 'running')) return;
    const stored = this.#analyses.find(({ state }) => state === 'queued');
    if (stored === undefined) return;
    stored.state = 'running';
    stored.run = this.#runner.run(stored.order, stored.sandbox, (share) => {
      stored.progress = Math.min(1, Math.max(stored.progress, share));
    });
    stored.run.result
      .then(
        (result) => {
          if (stored.state !== 'running') return;
          Object.assign(stored, { state: 'finished', progress: 1, result });
        },
        (error: unknown) => {
          if (stored.state !== 'running') return;
          Object.assign(stored, { state: 'failed', error: toAnalysisError(error) });
        },
      )
      .finally(() => {
        stored.run = null;
        this.#next();
      })
      .catch(() => undefined);
  }
}

function cancel(analysis: StoredAnalysis): void {
  analysis.state = 'canceled';
  analysis.run?.cancel();
  analysis.run = null;
}

function isOpen({ state }: StoredAnalysis): boolean {
  return state === 'queued' || state === 'running';
}

function toView({ id, order, state, progress, error }: StoredAnalysis): AnalysisView {
  return { id, kind: order.kind, state, progress, error };
}

function toAnalysisError(error: unknown): AnalysisView['error'] {
  const { code, message, action, problems } =
    error instanceof NudgeLabError ? error : new NudgeLabError('internal-error', { cause: error });
  return { code, title: errorTable[code].title, message, action, problems };
}
