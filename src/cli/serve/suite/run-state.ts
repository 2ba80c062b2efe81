import type { CoverageReport, ScenarioResult } from '../../../contract/result.schema.ts';
import { toInstant } from '../../../core/clock.ts';
import { NudgeLabError } from '../../../core/errors.ts';
import type { RunCharts, RunRequest, RunResult, RunRow, RunView } from '../../../server/suite-service.ts';

/** Test run with its results so far. */
export class RunState {
  readonly id: string;
  readonly request: RunRequest;
  state: RunView['state'] = 'queued';
  total: number | null = null;
  startedAtMs: number | null = null;
  finishedAtMs: number | null = null;
  error: RunView['error'] = null;
  coverage: CoverageReport | null = null;
  charts: RunCharts['machines'] | null = null;
  /** Folder of the evidence; `null` if no evidence can be stored. */
  evidenceFolder: string | null = null;
  isCancelled = false;
  #results: ScenarioResult[] = [];
  readonly #listeners = new Set<() => void>();

  constructor(id: string, request: RunRequest) {
    this.id = id;
    this.request = request;
  }

  get isFinished(): boolean {
    return this.state !== 'queued' && this.state !== 'running';
  }

  get resultCount(): number {
    return this.#results.length;
  }

  view(): RunView {
    const count = (status: ScenarioResult['status']): number =>
      this.#results.filter((result) => result.status === status).length;
    return {
      id: this.id,
      state: this.state,
      request: this.request,
      total: this.total,
      done: this.#results.length,
      passed: count('passed'),
      failed: count('failed'),
      skipped: count('skipped'),
      startedAt: this.startedAtMs === null ? null : toInstant(this.startedAtMs),
      finishedAt: this.finishedAtMs === null ? null : toInstant(this.finishedAtMs),
      error: this.error,
    };
  }

  add(result: ScenarioResult): void {
    this.#results.push(result);
    this.tell();
  }

  /** Replaces results that changed at the end of the whole run, such as a claim that was not confirmed. */
  revise(results: readonly ScenarioResult[]): void {
    const revised = new Map(results.map((result) => [`${result.driver} ${result.id}`, result]));
    this.#results = this.#results.map((result) => revised.get(`${result.driver} ${result.id}`) ?? result);
  }

  rows(after: number, limit: number, status?: RunRow['status']): readonly RunRow[] {
    const rows: RunRow[] = [];
    for (let at = after; at < this.#results.length && rows.length < limit; at += 1) {
      const result = this.#results[at];
      if (result !== undefined && (status === undefined || result.status === status)) rows.push(toRow(result, at + 1));
    }
    return rows;
  }

  /** Returns a result by its index. Throws `not-found` if there is none. */
  result(place: number): RunResult {
    const result = this.#results[place - 1];
    if (result === undefined)
      throw new NudgeLabError('not-found', { message: `Run ${this.id} has no result ${place}.` });
    return { place, result: copied(result) };
  }

  /** Checks whether a file is evidence of a failure in this run. */
  hasEvidence(file: string): boolean {
    return this.#results.some(({ evidence }) => evidence?.includes(file) === true);
  }

  listen(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }

  tell(): void {
    for (const listener of this.#listeners) listener();
  }
}

/** Copies a result for use in a response. */
function copied(result: ScenarioResult): RunResult['result'] {
  return JSON.parse(JSON.stringify(result)) as RunResult['result'];
}

function toRow({ id, name, file, driver, status, durationMs, message }: ScenarioResult, place: number): RunRow {
  return { id, name, file, driver, status, durationMs, place, ...(message === undefined ? {} : { message }) };
}
