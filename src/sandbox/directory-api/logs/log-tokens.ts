import { NudgeLabError } from '../../../core/errors.ts';
import { computeHmac } from '../../../core/hmac.ts';
import { sameSecret } from '../../../core/secrets.ts';
import type { StoredSecret } from '../../stored-secret.ts';
import type { LogPosition } from './log-walk.ts';

/** Position of a page of a log: the last entry of the journal at the first page, and the last row before this page. */
export interface LogPage extends LogPosition {
  readonly seq: number;
}

/** Number of values in a token. */
const values = 3;

const form = /^((?:-?[0-9a-z]{1,11}\.){3})([\w-]{43})$/;

/** Signs and reads the page tokens of the logs. A token is valid for one log with its filter and order. */
export class LogTokens {
  readonly #secret: StoredSecret;

  constructor(secret: StoredSecret) {
    this.#secret = secret;
  }

  /** Creates a token. `list` identifies the list. Throws `store-failed`. */
  async sign({ seq, atMs, index }: LogPage, list: string): Promise<string> {
    const key = await this.#secret.get();
    const position = [seq, atMs, index].map((value) => value.toString(36)).join('.');
    return `${position}.${computeHmac(key, 'log-page', position, list)}`;
  }

  /** Reads a token. Throws `bad-request` for a token that was not created for this list. */
  async read(token: string, list: string): Promise<LogPage> {
    const [, dotted = '', proof = ''] = form.exec(token) ?? [];
    const position = dotted.slice(0, -1);
    const key = await this.#secret.get();
    const numbers = position.split('.').map((text) => Number.parseInt(text, 36));
    const [seq = 0, atMs = 0, index = 0] = numbers;
    const isSigned = proof !== '' && sameSecret(proof, computeHmac(key, 'log-page', position, list));
    if (isSigned && numbers.length === values) return { seq, atMs, index };
    throw new NudgeLabError('bad-request', {
      problems: [{ location: '$skiptoken', message: 'is not a token that this list returned; follow @odata.nextLink' }],
    });
  }
}
