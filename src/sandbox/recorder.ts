import { VirtualClock } from '../core/clock.ts';
import { applyEntry, begin } from '../journal/fold.ts';
import type { InputOf, JournalEntry, JournalInput } from '../journal/input.ts';
import { settleEndedPrompts } from '../journal/prompts.ts';
import type { SandboxState } from '../journal/state.ts';
import type { JournalStore } from '../journal/store.ts';

/** Hears of every entry once it is safe. */
export type EntryListener = (entry: JournalEntry) => void;

/**
 * The one place where a sandbox changes: it stamps an input with the virtual time, appends it, folds it, and resolves when
 * the store has it. Everything runs in the order of the calls, so two requests never interleave within one input.
 */
export class Recorder {
  readonly sandboxId: string;
  readonly store: JournalStore;
  readonly clock: VirtualClock;
  readonly #listeners = new Set<EntryListener>();
  #state: SandboxState;

  /** Takes the state that the journal in the store folds to. */
  constructor(sandboxId: string, store: JournalStore, state: SandboxState) {
    this.sandboxId = sandboxId;
    this.store = store;
    this.#state = state;
    this.clock = new VirtualClock(state.clock);
  }

  /** Begins the journal of a new sandbox. Resolves when its first entry is safe. */
  static async begin(sandboxId: string, store: JournalStore, input: InputOf<'sandbox.created'>): Promise<Recorder> {
    const atMs = new VirtualClock(input.clock).nowMs();
    const entry: JournalEntry = { seq: 1, atMs, input };
    const state = begin(entry);
    store.append(sandboxId, entry);
    await store.flushed();
    return new Recorder(sandboxId, store, state);
  }

  /** The virtual time in ms. It never goes back but by an input that sets the clock. */
  nowMs(): number {
    return Math.max(this.clock.nowMs(), this.#state.lastAtMs);
  }

  /** The state as of now: prompts whose lifetime has ended are closed. Readers must not change it. */
  state(): SandboxState {
    settleEndedPrompts(this.#state, this.nowMs());
    return this.#state;
  }

  /**
   * Appends and folds an input; the state holds it when this returns, and the promise resolves when the store has it.
   * Throws `journal-full` or `store-failed`, and then nothing has changed.
   */
  record(input: JournalInput): Promise<void> {
    const entry: JournalEntry = { seq: this.#state.lastSeq + 1, atMs: this.nowMs(), input };
    this.store.append(this.sandboxId, entry);
    applyEntry(this.#state, entry);
    if (input.type === 'clock.set') this.clock.apply(input.clock);
    return this.#acknowledge(entry);
  }

  /** Waits until the store has everything that answers may show; `null` when it has. */
  settled(): Promise<void> | null {
    return this.store.flushed();
  }

  /** Takes another state, as a restore does, and lets the clock follow it. */
  replace(state: SandboxState): void {
    this.#state = state;
    this.clock.apply(state.clock);
  }

  /** Calls back for every entry from now on; returns the function that ends it. */
  listen(listener: EntryListener): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** How many listen. */
  get listeners(): number {
    return this.#listeners.size;
  }

  async #acknowledge(entry: JournalEntry): Promise<void> {
    const pending = this.store.flushed();
    if (pending !== null) await pending;
    for (const listener of this.#listeners) listener(entry);
  }
}
