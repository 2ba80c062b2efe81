import { serializeStateGradually } from '../journal/snapshot.ts';
import type { Recorder } from './recorder.ts';

/**
 * Keeps the newest fold of one sandbox in its durable store, so that opening the store folds a short rest of the journal only.
 * It writes every so many entries, a slice at a time between requests, and when the store is closed.
 */
export class SnapshotWriter {
  readonly #recorder: Recorder;
  readonly #digest: string;
  readonly #intervalEntries: number;
  /** The place of the newest fold stored, or being stored. */
  #seq: number;
  #writing: Promise<void> | null = null;

  /** Takes the recorder, the digest of the machines, the entries between two folds and the place of the one stored. */
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
   * Resolves when the fold of all entries so far is stored. A store that fails, a sandbox that was removed or failed, a state
   * too large for one text: none is an error here, as it costs the next opening a longer fold and nothing else.
   */
  async finish(): Promise<void> {
    await this.#writing;
    this.#begin();
    await this.#writing;
  }

  /** Another process has stored the fold after an entry. */
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
    const text = await serializeStateGradually(state);
    await store.saveSnapshot(sandboxId, { name: '', seq, atMs, digest: this.#digest, state: text });
  }
}
