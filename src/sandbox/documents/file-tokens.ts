import { computeHmac } from '../../core/hmac.ts';
import { newSecret, sameSecret } from '../../core/secrets.ts';
import type { Recorder } from '../recorder.ts';

/** Under which name the key stands beside the journal. */
const keyName = 'document-file-key';

/** Proofs in the addresses of private files: each for one record, and until a time of the virtual clock. */
export class FileTokens {
  readonly #recorder: Recorder;
  #key: Promise<string> | null = null;

  constructor(recorder: Recorder) {
    this.#recorder = recorder;
  }

  /** A proof for the files of a record. Takes its unique identifier, and until when it holds in ms. Throws `store-failed`. */
  async sign(uid: string, endsAtMs: number): Promise<string> {
    const ends = endsAtMs.toString(36);
    return `${ends}.${computeHmac(await this.#held(), 'document-file', uid, ends)}`;
  }

  /** Whether a proof lets its holder read the files of a record now. */
  async holds(uid: string, token: string): Promise<boolean> {
    const [ends = '', proof = ''] = token.split('.');
    const endsAtMs = Number.parseInt(ends, 36);
    if (!Number.isFinite(endsAtMs) || endsAtMs <= this.#recorder.nowMs()) return false;
    return sameSecret(proof, computeHmac(await this.#held(), 'document-file', uid, ends));
  }

  /** The key; it is made at first use and kept before it is used. */
  #held(): Promise<string> {
    if (this.#key === null) {
      const key = this.#load();
      this.#key = key;
      // A failure is told to anyone who asked; the next one asks again.
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
