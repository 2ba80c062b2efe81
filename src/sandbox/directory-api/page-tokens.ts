import { NudgeLabError } from '../../core/errors.ts';
import { computeHmac } from '../../core/hmac.ts';
import { sameSecret } from '../../core/secrets.ts';
import type { StoredSecret } from '../stored-secret.ts';

/** Position of a page: the state that the list was read from, and the number of rows before it. */
export interface PagePosition {
  readonly seq: number;
  readonly offset: number;
}

const form = /^([0-9a-z]{1,11})\.([0-9a-z]{1,11})\.([\w-]{43})$/;

/** Signs and reads page tokens. A token is valid for one list of one sandbox with its filter and order. */
export class PageTokens {
  readonly #secret: StoredSecret;

  constructor(secret: StoredSecret) {
    this.#secret = secret;
  }

  /** Creates a token. `list` identifies the list. Throws `store-failed`. */
  async sign({ seq, offset }: PagePosition, list: string): Promise<string> {
    const key = await this.#secret.get();
    return `${seq.toString(36)}.${offset.toString(36)}.${computeHmac(key, 'directory-page', seq, offset, list)}`;
  }

  /** Reads a token. Throws `bad-request` for a token that was not created for this list. */
  async read(token: string, list: string): Promise<PagePosition> {
    const [, seqText = '', offsetText = '', proof = ''] = form.exec(token) ?? [];
    const [seq, offset] = [Number.parseInt(seqText, 36), Number.parseInt(offsetText, 36)];
    const key = await this.#secret.get();
    if (proof !== '' && sameSecret(proof, computeHmac(key, 'directory-page', seq, offset, list)))
      return { seq, offset };
    throw new NudgeLabError('bad-request', {
      problems: [{ location: '$skiptoken', message: 'is not a token that this list returned; follow @odata.nextLink' }],
    });
  }
}
