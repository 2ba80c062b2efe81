import { captureState } from '../journal/snapshot.ts';
import type { Recorder } from './recorder.ts';

/**
 * Stores snapshots of one sandbox in its durable store, so opening the store replays only the last part of the
 * journal. Snapshots are written after a number of entries, in slices between requests, and when the store is
 * closed.
 */
export class SnapshotWriter {
  readonly #recorder: Recorder;
  readonly #digest: string;
  readonly #intervalEntries: number;
  /** Sequence number of the newest snapshot that is stored or being stored. */
  #seq: number;
  #writing: Promise<void> | null = null;

  /**
   * Creates a writer. `digest` identifies the state machines, and `storedSeq` is the sequence number of the stored
   * snapshot.
   */
  constructor(recorder: Recorder, options: { digest: string; intervalEntries: number; storedSeq: number }) {
    this.#recorder = recorder;
    this.#digest = options.digest;
    this.#intervalEntries = options.intervalEntries;
    this.#seq = options.storedSeq;
    recorder.follow(({ seq }) => {
      if (this.#writing === null && seq - this.#seq >= this.#intervalEntries) this.#begin();
    });
  }

  /**
   * Resolves when a snapshot of all entries so far is stored. A failing store, a removed or failed sandbox, and a
   * state that is too large for one text are not errors here, because they only make the next opening slower.
   */
  async finish(): Promise<void> {
    await this.#writing;
    this.#begin();
    await this.#writing;
  }

  /** Notes that another process has stored the snapshot after an entry. */
  knows(seq: number): void {
    this.#seq = Math.max(this.#seq, seq);
  }

  #begin(): void {
    this.#writing = this.#write()
      .catch(() => undefined)
      .finally(() => {
        this.#writing = null;
      });
  }

  async #write(): Promise<void> {
    const { store, sandboxId } = this.#recorder;
    const state = this.#recorder.state();
    const { lastSeq: seq, lastAtMs: atMs } = state;
    if (seq === this.#seq) return;
    this.#seq = seq;
    const text = await captureState(state)();
    await store.saveSnapshot(sandboxId, { name: '', seq, atMs, digest: this.#digest, state: text });
  }
}
