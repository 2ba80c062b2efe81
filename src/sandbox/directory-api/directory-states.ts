import { NudgeLabError } from '../../core/errors.ts';
import { directoryStatesMax } from '../../core/limits.ts';
import { LruMap } from '../../core/lru-map.ts';
import { TimeSlices } from '../../core/time-slices.ts';
import type { JournalRange } from '../../journal/history.ts';
import { computeModelDigest } from '../../journal/model-digest.ts';
import type { SandboxState } from '../../journal/state.ts';
import { advanceState, stateAt } from '../../journal/stored-state.ts';
import type { Recorder } from '../recorder.ts';
import { createUserOrders, DirectoryView } from './directory-view.ts';
import { JournalTimes } from './journal-times.ts';

/** Place of a state: the current one, the one after an entry, or the one at an earlier virtual time. */
export type StatePlace = 'current' | { readonly seq: number } | { readonly atMs: number };

/** Task that reads a state. It pauses only by the slices. */
export type StateTask<Result> = (view: DirectoryView, slices: TimeSlices) => Promise<Result>;

/** Provides the current state of a sandbox, and earlier ones for the further pages of a list. */
export class DirectoryStates {
  readonly #recorder: Recorder;
  readonly #earlier = new LruMap<number, DirectoryView>({ max: directoryStatesMax });
  readonly #orders = createUserOrders();
  readonly #times: JournalTimes;
  #current: DirectoryView | null = null;
  /** State of the reports that lag behind, with its orders, and the current state when it was read. */
  #delayed: DirectoryView | null = null;
  readonly #delayedOrders = createUserOrders();
  #delayedOf: SandboxState | null = null;
  /** Latest task on that state. */
  #turn: Promise<void> = Promise.resolve();

  constructor(recorder: Recorder) {
    this.#recorder = recorder;
    this.#times = new JournalTimes(recorder);
  }

  /** Returns the current state. */
  current(): DirectoryView {
    const state = this.#recorder.state();
    if (this.#current?.state !== state || this.#current.seq !== state.lastSeq) {
      // Earlier states of another history must not be shown.
      if (this.#current !== null && this.#current.state !== state) this.#earlier.clear();
      this.#current = new DirectoryView(this.#recorder.sandboxId, state, this.#orders);
    }
    return this.#current;
  }

  /**
   * Runs a task that reads the state at a place. If the state changes in a pause of the task, the task runs once more, on
   * the state as it was. Throws `bad-request` if the sandbox was restored to an earlier state, and the errors of the task.
   */
  async read<Result>(place: StatePlace, task: StateTask<Result>): Promise<Result> {
    if (place === 'current') return this.#run(this.current(), task);
    if ('atMs' in place) return this.#inTurn(async () => this.#run(await this.#readDelayed(place.atMs), task));
    if (this.#delayed?.seq !== place.seq) return this.#run(await this.#at(place.seq), task);
    return this.#inTurn(async () => this.#run(await this.#at(place.seq), task));
  }

  async #run<Result>(view: DirectoryView, task: StateTask<Result>): Promise<Result> {
    const slices = new TimeSlices();
    const result = await task(view, slices);
    if (!slices.hasPaused || view.state.lastSeq === view.seq) return result;
    return task(await this.#at(view.seq), new TimeSlices());
  }

  /** Runs tasks on the delayed state one after another, because each can change it. */
  #inTurn<Result>(task: () => Promise<Result>): Promise<Result> {
    const result = this.#turn.then(task);
    this.#turn = result.then(
      () => undefined,
      () => undefined,
    );
    return result;
  }

  /**
   * Returns the state at an earlier virtual time, or the first one if the sandbox did not exist yet. It is kept, and as
   * time passes, only the entries since then are applied to it.
   */
  async #readDelayed(atMs: number): Promise<DirectoryView> {
    const seq = await this.#times.findLast(atMs);
    const current = this.current();
    if (seq >= current.seq) return current;
    const delayed = this.#delayedOf === current.state ? this.#delayed : null;
    if (delayed?.seq === seq) return delayed;
    const ranges = cutHistory(await this.#times.readHistory(), seq);
    const { store, sandboxId } = this.#recorder;
    this.#delayed = null;
    let state: SandboxState;
    if (delayed === null || !contains(ranges, delayed.seq)) state = await this.#rebuild(seq);
    else {
      state = delayed.state;
      await advanceState(store, sandboxId, state, ranges);
    }
    this.#delayed = new DirectoryView(sandboxId, state, this.#delayedOrders);
    this.#delayedOf = current.state;
    return this.#delayed;
  }

  /** Returns the state after an entry, which is rebuilt from the journal if events followed. */
  async #at(seq: number): Promise<DirectoryView> {
    const current = this.current();
    if (current.seq === seq) return current;
    await this.requireHistory(seq);
    if (this.#delayed?.seq === seq && this.#delayedOf === current.state) return this.#delayed;
    const known = this.#earlier.get(seq);
    if (known !== undefined) return known;
    const view = new DirectoryView(this.#recorder.sandboxId, await this.#rebuild(seq));
    this.#earlier.set(seq, view);
    return view;
  }

  #rebuild(seq: number): Promise<SandboxState> {
    const { store, sandboxId } = this.#recorder;
    return stateAt(store, sandboxId, seq, store.durable ? computeModelDigest() : '');
  }

  /** Throws `bad-request` if the sandbox was restored to a state before an entry. */
  async requireHistory(seq: number): Promise<void> {
    const current = this.current();
    if (current.seq === seq || contains(await this.#times.readHistory(), seq)) return;
    throw new NudgeLabError('bad-request', {
      message: 'The page token has expired: the sandbox was restored to an earlier state. Request the first page.',
    });
  }
}

/** Returns the part of a history up to one of its entries. */
function cutHistory(history: readonly JournalRange[], seq: number): readonly JournalRange[] {
  return history.filter(({ from }) => from <= seq).map(({ from, to }) => ({ from, to: Math.min(to, seq) }));
}

function contains(history: readonly JournalRange[], seq: number): boolean {
  return history.some(({ from, to }) => from <= seq && seq <= to);
}
