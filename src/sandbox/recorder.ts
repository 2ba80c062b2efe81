import { clockSettingAt, VirtualClock } from '../core/clock.ts';
import { NudgeLabError } from '../core/errors.ts';
import { errorType } from '../core/telemetry.ts';
import { applyEvent, begin, rebuildState } from '../journal/apply-event.ts';
import { settleDocuments } from '../journal/document-state.ts';
import { validateEvent } from '../journal/event-validation.ts';
import type { EventOf, JournalEntry, JournalEvent } from '../journal/journal-event.ts';
import { settleEndedPrompts } from '../journal/prompts.ts';
import type { SandboxModel } from '../journal/sandbox-model.ts';
import type { SandboxState } from '../journal/state.ts';
import type { JournalStore } from '../journal/store.ts';
import { tryGateModules } from './own-explain.ts';
import { SharedState } from './shared-state.ts';
import { startCommit } from './telemetry-spans.ts';

/** Callback for every entry once it is stored. */
export type EntryListener = (entry: JournalEntry) => void;

/** Callbacks for new journal entries, regardless of the process that wrote them, and for the end of the sandbox. */
export interface JournalSubscriber {
  readonly written: () => void;
  /** Called when the sandbox stops responding, at least in this process. */
  readonly ended: () => void;
}

/**
 * Records all changes of a sandbox. The recorder adds the virtual time to an event, applies it, appends it, and
 * resolves when the store has it. Events are processed in the order of the calls, so two requests never interleave
 * within one event.
 */
export class Recorder {
  readonly sandboxId: string;
  readonly store: JournalStore;
  readonly clock: VirtualClock;
  /** State other than the journal that is passed on to another process. */
  readonly carried = new SharedState();
  readonly #listeners = new Set<EntryListener>();
  readonly #subscribers = new Set<JournalSubscriber>();
  #follower: EntryListener | null = null;
  #state: SandboxState;
  /** Sequence number of the last appended entry. The state may include one more if its application failed. */
  #lastSeq: number;
  /** Returns the reason why nothing is recorded or returned any more; `null` if the recorder works. */
  #stopped: (() => NudgeLabError) | null = null;
  /** True if shown changes may never have been written. */
  #lost = false;
  /** Number of times this process reset the sandbox. */
  #resets = 0;
  /** Latest time at which the state was shown. Entries of other processes must not be older. */
  #shownMs = Number.NEGATIVE_INFINITY;

  /** Creates a recorder with the state that results from the stored journal. */
  constructor(sandboxId: string, store: JournalStore, state: SandboxState) {
    this.sandboxId = sandboxId;
    this.store = store;
    this.#state = state;
    this.#lastSeq = state.lastSeq;
    this.clock = new VirtualClock(state.clock);
  }

  /** Starts the journal of a new sandbox with a model. Resolves when the first entry is stored. */
  static async begin(
    sandboxId: string,
    store: JournalStore,
    event: EventOf<'sandbox.created'>,
    model?: SandboxModel,
  ): Promise<Recorder> {
    const atMs = Math.trunc(new VirtualClock(event.clock).nowMs());
    const entry: JournalEntry = { seq: 1, atMs, event };
    const state = begin(entry, model);
    store.append(sandboxId, entry);
    await store.flushed();
    return new Recorder(sandboxId, store, state);
  }

  /** Returns true unless the sandbox was removed or has failed. */
  get answers(): boolean {
    return this.#stopped === null;
  }

  /** Returns the number of resets by this process, for data stored outside the journal. */
  get resets(): number {
    return this.#resets;
  }

  /** Returns the sequence numbers of the latest restore and of the latest reset, or 0 if there is none. */
  async latestRestores(): Promise<{ readonly anySeq: number; readonly resetSeq: number }> {
    const query = { after: 0, limit: Number.MAX_SAFE_INTEGER, type: 'state.restored' };
    const restores = await this.store.entries(this.sandboxId, query);
    const reset = restores.findLast(({ event }) => event.type === 'state.restored' && event.toSeq === 1);
    return { anySeq: restores.at(-1)?.seq ?? 0, resetSeq: reset?.seq ?? 0 };
  }

  /** Returns the configured faults, which do not depend on time, so nothing has to be settled first. */
  get faults(): SandboxState['faults'] {
    return this.#state.faults;
  }

  /** Returns the virtual time in whole milliseconds, which moves back only by an event that sets the clock. */
  nowMs(): number {
    return Math.trunc(Math.max(this.clock.nowMs(), this.#state.lastAtMs));
  }

  /**
   * Returns the current state, in which expired prompts are closed. Callers must not modify it. Throws
   * `sandbox-not-found` if the sandbox was removed, or `internal-error` if it failed.
   */
  state(): SandboxState {
    if (this.#stopped !== null) throw this.#stopped();
    const nowMs = this.nowMs();
    this.#shownMs = nowMs;
    settleEndedPrompts(this.#state, nowMs);
    settleDocuments(this.#state.documents, nowMs);
    return this.#state;
  }

  /**
   * Applies and appends an event. The state includes it when this method returns, and the promise resolves when the
   * store has it. Throws `user-not-found` or `sign-in-not-found` for an event about an unknown subject,
   * `journal-full`, or `store-failed`. In these cases nothing has changed. Only applied events are appended, so a
   * journal contains no entry that cannot be applied.
   */
  record(event: JournalEvent): Promise<void> {
    if (this.#stopped !== null) throw this.#stopped();
    validateEvent(this.#state, event);
    this.store.admit(this.sandboxId);
    const entry: JournalEntry = { seq: this.#lastSeq + 1, atMs: this.nowMs(), event };
    tryGateModules(this.#state, event, entry.atMs);
    this.#write(entry, () => applyEvent(this.#state, entry));
    if (event.type === 'clock.set') this.clock.apply(event.clock);
    return this.#acknowledge(entry);
  }

  /**
   * Records an event and returns its effect. `look` reads the effect before the wait, so it shows this change and no
   * later one. Throws the errors of `record`.
   */
  async recordAndSay<T>(event: JournalEvent, look: () => T): Promise<T> {
    const safe = this.record(event);
    try {
      return look();
    } finally {
      await safe;
    }
  }

  /**
   * Waits until the store has everything that responses may show, or returns `null` if it already has. Rejects if it
   * never will.
   */
  settled(): Promise<void> | null {
    return this.#lost ? Promise.reject(this.#stopped?.()) : this.store.flushed();
  }

  /**
   * Applies the entries that another process has written since. Returns false if the sandbox was restored to an
   * earlier state, or if an entry is older than the state shown here. The caller must then read the state from the
   * store and adopt it.
   */
  catchUp(entries: readonly JournalEntry[]): boolean {
    for (const entry of entries) {
      const { event } = entry;
      if (event.type === 'state.restored' || entry.atMs < this.#shownMs) return false;
      applyEvent(this.#state, entry);
      this.#lastSeq = entry.seq;
      this.#tellAll(entry);
      if (event.type !== 'clock.set') continue;
      this.clock.apply(event.clock);
      this.#shownMs = Number.NEGATIVE_INFINITY;
    }
    return true;
  }

  /** Continues from a state that was read from the store. */
  adopt(state: SandboxState): void {
    this.#state = state;
    this.#lastSeq = state.lastSeq;
    this.#shownMs = Number.NEGATIVE_INFINITY;
    this.clock.apply(state.clock);
    this.wake();
  }

  /** Notifies the subscribers that another process has written to the journal. */
  wake(): void {
    for (const { written } of this.#subscribers) written();
  }

  /**
   * Restores an earlier state by a further event. A sandbox that failed works again afterward. Throws the errors of
   * `record`.
   *
   * @param state - state after an entry of this journal, which becomes the state of the sandbox
   * @param atMs - virtual time of the clock, which is running or frozen as it was in that state
   */
  restore(state: SandboxState, atMs: number): Promise<void> {
    const reason = this.#stopped?.();
    if (reason !== undefined && reason.code !== 'internal-error') throw reason;
    this.store.admit(this.sandboxId);
    const clock = clockSettingAt(atMs, state.clock.running);
    const toSeq = state.lastSeq;
    const event: EventOf<'state.restored'> = { type: 'state.restored', toSeq, clock };
    const entry: JournalEntry = { seq: this.#lastSeq + 1, atMs, event };
    this.#write(entry, () => rebuildState([entry], state));
    this.#state = state;
    if (toSeq === 1) this.#resets += 1;
    this.#stopped = null;
    this.clock.apply(clock);
    return this.#acknowledge(entry);
  }

  /**
   * Stops the recorder. Code that still uses it receives the reason as an error, by default `sandbox-not-found`, and
   * cannot read changes that may be lost.
   */
  stop(reason?: NudgeLabError): void {
    this.#lost = reason !== undefined;
    // Most deleted sandboxes are never used again, so the error is created only when one is.
    this.#stopped = () =>
      reason ?? new NudgeLabError('sandbox-not-found', { message: `Sandbox ${this.sandboxId} was deleted.` });
    const subscribers = [...this.#subscribers];
    this.#listeners.clear();
    this.#subscribers.clear();
    for (const { ended } of subscribers) ended();
  }

  /** Subscribes to new journal entries and to the end of the sandbox. Returns a function that unsubscribes. */
  attend(subscriber: JournalSubscriber): () => void {
    this.#subscribers.add(subscriber);
    return () => this.#subscribers.delete(subscriber);
  }

  /**
   * Calls the listener for every new entry. Returns a function that unsubscribes. A listener that throws is removed.
   */
  listen(listener: EntryListener): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** Returns the number of listeners and subscribers. */
  get listeners(): number {
    return this.#listeners.size + this.#subscribers.size;
  }

  /** Sets the follower, which receives every entry before the listeners and is not counted as one. */
  follow(follower: EntryListener): void {
    this.#follower = follower;
  }

  /** Applies and appends an entry. An unexpected error leaves the state half changed, so the recorder stops. */
  #write(entry: JournalEntry, apply: () => void): void {
    try {
      apply();
      this.store.append(this.sandboxId, entry);
      this.#lastSeq = entry.seq;
    } catch (cause) {
      const failure = new NudgeLabError('internal-error', {
        message: `Sandbox ${this.sandboxId} failed at entry ${entry.seq}, ${entry.event.type}; restore or reset it.`,
        cause,
      });
      this.#stopped = () => failure;
      throw failure;
    }
  }

  async #acknowledge(entry: JournalEntry): Promise<void> {
    const commit = startCommit(this.sandboxId, entry);
    try {
      const pending = this.store.flushed();
      if (pending !== null) await pending;
    } catch (error) {
      commit?.fail(errorType(error));
      throw error;
    } finally {
      commit?.end();
    }
    this.#follower?.(entry);
    this.#tellAll(entry);
  }

  #tellAll(entry: JournalEntry): void {
    for (const listener of this.#listeners) this.#tell(listener, entry);
    this.wake();
  }

  /** Calls a listener. The entry is already stored, so an error in the listener has no effect on it. */
  #tell(listener: EntryListener, entry: JournalEntry): void {
    try {
      listener(entry);
    } catch {
      this.#listeners.delete(listener);
    }
  }
}
