import { clockSettingAt, VirtualClock } from '../core/clock.ts';
import { NudgeLabError } from '../core/errors.ts';
import { applyEvent, begin, rebuildState } from '../journal/apply-event.ts';
import { settleDocuments } from '../journal/document-state.ts';
import { validateEvent } from '../journal/event-validation.ts';
import type { EventOf, JournalEntry, JournalEvent } from '../journal/journal-event.ts';
import { settleEndedPrompts } from '../journal/prompts.ts';
import type { SandboxModel } from '../journal/sandbox-model.ts';
import type { SandboxState } from '../journal/state.ts';
import type { JournalStore } from '../journal/store.ts';
import { SharedState } from './shared-state.ts';

/** Hears of every entry once it is safe. */
export type EntryListener = (entry: JournalEntry) => void;

/** Hears that there is something new in the journal, anyone who has written it, and of the end. */
export interface JournalSubscriber {
  readonly written: () => void;
  /** The sandbox answers no more, here at least. */
  readonly ended: () => void;
}

/**
 * The one place where a sandbox changes: it stamps an event with the virtual time, folds it, appends it, and resolves when the
 * store has it. Everything runs in the order of the calls, so two requests never interleave within one event.
 */
export class Recorder {
  readonly sandboxId: string;
  readonly store: JournalStore;
  readonly clock: VirtualClock;
  /** What goes over to another process besides the journal. */
  readonly carried = new SharedState();
  readonly #listeners = new Set<EntryListener>();
  readonly #subscribers = new Set<JournalSubscriber>();
  #follower: EntryListener | null = null;
  #state: SandboxState;
  /** The last entry appended; the state may hold one more when folding it failed. */
  #lastSeq: number;
  /** Why nothing is recorded or answered any more; `null` while all is well. */
  #stopped: NudgeLabError | null = null;
  /** Whether what it showed may never have been written. */
  #lost = false;
  /** How often this process took the sandbox back to its beginning. */
  #resets = 0;
  /** The latest time at which the state was shown; what others write must not be older. */
  #shownMs = Number.NEGATIVE_INFINITY;

  /** Takes the state that the journal in the store folds to. */
  constructor(sandboxId: string, store: JournalStore, state: SandboxState) {
    this.sandboxId = sandboxId;
    this.store = store;
    this.#state = state;
    this.#lastSeq = state.lastSeq;
    this.clock = new VirtualClock(state.clock);
  }

  /** Begins the journal of a new sandbox, folded through a model. Resolves when its first entry is safe. */
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

  /** Whether it answers: not when the sandbox was removed or has failed. */
  get answers(): boolean {
    return this.#stopped === null;
  }

  /** How often this process took the sandbox back to its beginning, for what is kept beside the journal. */
  get resets(): number {
    return this.#resets;
  }

  /** Finds the places in the journal of the latest restore, and of the latest one that led to the beginning; 0 for none. */
  async latestRestores(): Promise<{ readonly anySeq: number; readonly resetSeq: number }> {
    const query = { after: 0, limit: Number.MAX_SAFE_INTEGER, type: 'state.restored' };
    const restores = await this.store.entries(this.sandboxId, query);
    const reset = restores.findLast(({ event }) => event.type === 'state.restored' && event.toSeq === 1);
    return { anySeq: restores.at(-1)?.seq ?? 0, resetSeq: reset?.seq ?? 0 };
  }

  /** The faults that are set. Time does not change them, so that nothing has to be settled first. */
  get faults(): SandboxState['faults'] {
    return this.#state.faults;
  }

  /** The virtual time in whole ms. It never goes back but by an event that sets the clock. */
  nowMs(): number {
    return Math.trunc(Math.max(this.clock.nowMs(), this.#state.lastAtMs));
  }

  /**
   * The state as of now: prompts whose lifetime has ended are closed. Readers must not change it. Throws `sandbox-not-found`
   * when the sandbox was removed, `internal-error` when it failed.
   */
  state(): SandboxState {
    if (this.#stopped !== null) throw this.#stopped;
    const nowMs = this.nowMs();
    this.#shownMs = nowMs;
    settleEndedPrompts(this.#state, nowMs);
    settleDocuments(this.#state.documents, nowMs);
    return this.#state;
  }

  /**
   * Folds and appends an event; the state holds it when this returns, and the promise resolves when the store has it.
   * Throws `user-not-found` and `sign-in-not-found` for an event about no one, `journal-full` or `store-failed`, and then nothing
   * has changed. What is appended has been folded, so a journal never holds an entry that cannot be.
   */
  record(event: JournalEvent): Promise<void> {
    if (this.#stopped !== null) throw this.#stopped;
    validateEvent(this.#state, event);
    this.store.admit(this.sandboxId);
    const entry: JournalEntry = { seq: this.#lastSeq + 1, atMs: this.nowMs(), event };
    this.#write(entry, () => applyEvent(this.#state, entry));
    if (event.type === 'clock.set') this.clock.apply(event.clock);
    return this.#acknowledge(entry);
  }

  /**
   * Records an event and says what it led to. What is said is looked at before the wait, so that it shows this change and none
   * that came after it. Takes what looks. Throws as `record` does.
   */
  async recordAndSay<T>(event: JournalEvent, look: () => T): Promise<T> {
    const safe = this.record(event);
    try {
      return look();
    } finally {
      await safe;
    }
  }

  /** Waits until the store has everything that answers may show; `null` when it has. Rejects when it never will. */
  settled(): Promise<void> | null {
    return this.#lost ? Promise.reject(this.#stopped) : this.store.flushed();
  }

  /**
   * Folds what another process has written since. Takes the entries that follow, in order. Returns whether that could be done:
   * not when the sandbox went back to an earlier state, or when the other's clock was behind what was shown here; then the
   * state is to be read from the store and adopted.
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

  /** Goes on from a state that was read from the store. */
  adopt(state: SandboxState): void {
    this.#state = state;
    this.#lastSeq = state.lastSeq;
    this.#shownMs = Number.NEGATIVE_INFINITY;
    this.clock.apply(state.clock);
    this.wake();
  }

  /** Tells those who attend to look into the journal, which another process has written to. */
  wake(): void {
    for (const { written } of this.#subscribers) written();
  }

  /**
   * Goes back to an earlier state, as one more event. Takes the state after an entry of this journal, which becomes the state
   * of this sandbox, and the virtual time that the clock is to show; it runs or stands as it did there. Throws as `record`
   * does; but a sandbox that failed works again.
   */
  restore(state: SandboxState, atMs: number): Promise<void> {
    if (this.#stopped !== null && this.#stopped.code !== 'internal-error') throw this.#stopped;
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
   * Ends it: anyone who still holds it is told why, `sandbox-not-found` unless there is another reason, and is shown nothing that
   * may be lost then.
   */
  stop(reason?: NudgeLabError): void {
    this.#lost = reason !== undefined;
    this.#stopped =
      reason ?? new NudgeLabError('sandbox-not-found', { message: `Sandbox ${this.sandboxId} was removed.` });
    const subscribers = [...this.#subscribers];
    this.#listeners.clear();
    this.#subscribers.clear();
    for (const { ended } of subscribers) ended();
  }

  /** Calls back whenever the journal has grown, and once when the sandbox ends; returns the function that ends it. */
  attend(subscriber: JournalSubscriber): () => void {
    this.#subscribers.add(subscriber);
    return () => this.#subscribers.delete(subscriber);
  }

  /** Calls back for every entry from now on; returns the function that ends it. A listener that throws hears no more. */
  listen(listener: EntryListener): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** How many listen. */
  get listeners(): number {
    return this.#listeners.size + this.#subscribers.size;
  }

  /** Sets the one that hears of every entry before the listeners do, and counts as none of them. */
  follow(follower: EntryListener): void {
    this.#follower = follower;
  }

  /** Nothing foreseen throws here; if something does, the state is half changed and must not be shown or built upon. */
  #write(entry: JournalEntry, apply: () => void): void {
    try {
      apply();
      this.store.append(this.sandboxId, entry);
      this.#lastSeq = entry.seq;
    } catch (cause) {
      this.#stopped = new NudgeLabError('internal-error', {
        message: `Sandbox ${this.sandboxId} stopped at entry ${entry.seq}, ${entry.event.type}; restore or reset it.`,
        cause,
      });
      throw this.#stopped;
    }
  }

  async #acknowledge(entry: JournalEntry): Promise<void> {
    const pending = this.store.flushed();
    if (pending !== null) await pending;
    this.#follower?.(entry);
    this.#tellAll(entry);
  }

  #tellAll(entry: JournalEntry): void {
    for (const listener of this.#listeners) this.#tell(listener, entry);
    this.wake();
  }

  /** The entry is safe whatever a listener makes of it. */
  #tell(listener: EntryListener, entry: JournalEntry): void {
    try {
      listener(entry);
    } catch {
      this.#listeners.delete(listener);
    }
  }
}
