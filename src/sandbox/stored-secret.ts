import { newSecret } from '../core/secrets.ts';
import type { Recorder } from './recorder.ts';

/** Secret of one sandbox, which is created at first use and stored next to the journal before it is used. */
export class StoredSecret {
  readonly #recorder: Recorder;
  readonly #name: string;
  #key: Promise<string> | null = null;

  /** Creates the secret. `name` is its name in the journal store. */
  constructor(recorder: Recorder, name: string) {
    this.#recorder = recorder;
    this.#name = name;
  }

  /** Returns the secret. Throws `store-failed`. */
  get(): Promise<string> {
    if (this.#key === null) {
      const key = this.#load();
      this.#key = key;
      // Every waiting caller receives the failure. The next call tries again.
      key.catch(() => {
        this.#key = null;
      });
    }
    return this.#key;
  }

  async #load(): Promise<string> {
    const { store, sandboxId } = this.#recorder;
    const kept = await store.kept(sandboxId, this.#name);
    if (kept !== null) return kept;
    const made = newSecret();
    await store.keep(sandboxId, this.#name, made);
    return made;
  }
}
