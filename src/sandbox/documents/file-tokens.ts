import { computeHmac } from '../../core/hmac.ts';
import { newSecret, sameSecret } from '../../core/secrets.ts';
import type { Recorder } from '../recorder.ts';

/** Name of the key in the journal store. */
const keyName = 'document-file-key';

/** Tokens in the URLs of private files. A token is valid for one record and until a time of the virtual clock. */
export class FileTokens {
  readonly #recorder: Recorder;
  #key: Promise<string> | null = null;

  constructor(recorder: Recorder) {
    this.#recorder = recorder;
  }

  /** Creates a token for the files of a record. `endsAtMs` is its expiry in milliseconds. Throws `store-failed`. */
  async sign(uid: string, endsAtMs: number): Promise<string> {
    const ends = endsAtMs.toString(36);
    return `${ends}.${computeHmac(await this.#held(), 'document-file', uid, ends)}`;
  }

  /** Returns true if a token currently grants access to the files of a record. */
  async holds(uid: string, token: string): Promise<boolean> {
    const [ends = '', proof = ''] = token.split('.');
    const endsAtMs = Number.parseInt(ends, 36);
    if (!Number.isFinite(endsAtMs) || endsAtMs <= this.#recorder.nowMs()) return false;
    return sameSecret(proof, computeHmac(await this.#held(), 'document-file', uid, ends));
  }

  /** Returns the key, which is created at first use and stored before it is used. */
  #held(): Promise<string> {
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
    const kept = await store.kept(sandboxId, keyName);
    if (kept !== null) return kept;
    const made = newSecret();
    await store.keep(sandboxId, keyName, made);
    return made;
  }
}
