import { computeHmac } from '../../core/hmac.ts';
import { sameSecret } from '../../core/secrets.ts';
import type { Recorder } from '../recorder.ts';
import { StoredSecret } from '../stored-secret.ts';

/** Name of the key in the journal store. */
const keyName = 'document-file-key';

/** Tokens in the URLs of private files. A token is valid for one record and until a time of the virtual clock. */
export class FileTokens {
  readonly #recorder: Recorder;
  readonly #secret: StoredSecret;

  constructor(recorder: Recorder) {
    this.#recorder = recorder;
    this.#secret = new StoredSecret(recorder, keyName);
  }

  /** Creates a token for the files of a record. `endsAtMs` is its expiry in milliseconds. Throws `store-failed`. */
  async sign(uid: string, endsAtMs: number): Promise<string> {
    const ends = endsAtMs.toString(36);
    return `${ends}.${computeHmac(await this.#secret.get(), 'document-file', uid, ends)}`;
  }

  /** Returns true if a token currently grants access to the files of a record. */
  async holds(uid: string, token: string): Promise<boolean> {
    const [ends = '', proof = ''] = token.split('.');
    const endsAtMs = Number.parseInt(ends, 36);
    if (!Number.isFinite(endsAtMs) || endsAtMs <= this.#recorder.nowMs()) return false;
    return sameSecret(proof, computeHmac(await this.#secret.get(), 'document-file', uid, ends));
  }
}
