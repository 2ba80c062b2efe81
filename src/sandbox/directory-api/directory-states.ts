import { NudgeLabError } from '../../core/errors.ts';
import { directoryStatesMax } from '../../core/limits.ts';
import { LruMap } from '../../core/lru-map.ts';
import { readHistory } from '../../journal/history.ts';
import { computeModelDigest } from '../../journal/model-digest.ts';
import { restoresUpTo, stateAt } from '../../journal/stored-state.ts';
import type { Recorder } from '../recorder.ts';
import { createUserOrders, DirectoryView } from './directory-view.ts';

/** Number of journal entries per read. */
const entriesPerRead = 5_000;

/** Provides the current state of a sandbox, and earlier ones for the further pages of a list. */
export class DirectoryStates {
  readonly #recorder: Recorder;
  readonly #earlier = new LruMap<number, DirectoryView>({ max: directoryStatesMax });
  readonly #orders = createUserOrders();
  #current: DirectoryView | null = null;

  constructor(recorder: Recorder) {
    this.#recorder = recorder;
  }

  /** Returns the current state. */
  current(): DirectoryView {
    const state = this.#recorder.state();
    if (this.#current?.state !== state || this.#current.seq !== state.lastSeq) {
      this.#current = new DirectoryView(this.#recorder.sandboxId, state, this.#orders);
    }
    return this.#current;
  }

  /** Returns the state at an earlier virtual time, or the first one if the sandbox did not exist yet. */
  async before(atMs: number): Promise<DirectoryView> {
    const current = this.current();
    const { store, sandboxId } = this.#recorder;
    const history = readHistory(current.seq, await restoresUpTo(store, sandboxId, current.seq));
    let found = 1;
    for (const { from, to } of history) {
      for (let after = from - 1; after < to; ) {
        const page = await store.entries(sandboxId, { after, limit: Math.min(entriesPerRead, to - after) });
        for (const entry of page) if (entry.atMs <= atMs) found = entry.seq;
        after = page.at(-1)?.seq ?? to;
      }
    }
    return this.at(found);
  }

  /**
   * Returns the state after an entry, which is rebuilt from the journal if events followed. Throws `bad-request` if
   * the sandbox was restored to an earlier state.
   */
  async at(seq: number): Promise<DirectoryView> {
    const current = this.current();
    if (current.seq === seq) return current;
    await this.requireHistory(seq);
    const { store, sandboxId } = this.#recorder;
    const known = this.#earlier.get(seq);
    if (known !== undefined) return known;
    const digest = store.durable ? computeModelDigest() : '';
    const view = new DirectoryView(sandboxId, await stateAt(store, sandboxId, seq, digest));
    this.#earlier.set(seq, view);
    return view;
  }

  /** Throws `bad-request` if the sandbox was restored to a state before an entry. */
  async requireHistory(seq: number): Promise<void> {
    const { store, sandboxId } = this.#recorder;
    const current = this.current();
    if (current.seq === seq) return;
    const restores = await restoresUpTo(store, sandboxId, current.seq);
    if (readHistory(current.seq, restores).some(({ from, to }) => from <= seq && seq <= to)) return;
    throw new NudgeLabError('bad-request', {
      message: 'The page token has expired: the sandbox was restored to an earlier state. Request the first page.',
    });
  }
}
