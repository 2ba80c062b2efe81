import { createHash, createHmac } from 'node:crypto';

/** Block size of SHA-256 in bytes, to which a key is padded. */
const blockBytes = 64;
const outerPad = 0x5c;
const innerPad = 0x36;
const shownDigits = 24;

/** Pseudonyms of users: HMAC-SHA256 of the lowercase id with a secret key of the caller. */
export class Pseudonyms {
  readonly #key: Buffer;

  /** Creates pseudonyms with a key; a key longer than a block is hashed first, as HMAC requires. */
  constructor(key: Uint8Array) {
    this.#key = Buffer.from(key);
  }

  /** Returns the pseudonym of an id. */
  of(id: string): string {
    return `u-${createHmac('sha256', this.#key).update(id.toLowerCase()).digest('hex').slice(0, shownDigits)}`;
  }

  /** Returns the SQL expression for the pseudonym of an id expression. */
  sql(id: string): string {
    const padded = Buffer.alloc(blockBytes);
    (this.#key.length > blockBytes ? hashed(this.#key) : this.#key).copy(padded);
    const outer = padded.map((byte) => byte ^ outerPad);
    const inner = padded.map((byte) => byte ^ innerPad);
    const hex = (bytes: Uint8Array): string => `unhex('${Buffer.from(bytes).toString('hex')}')`;
    const innerHash = `unhex(sha256(${hex(inner)} || encode(lower(${id}))))`;
    return `'u-' || substr(sha256(${hex(outer)} || ${innerHash}), 1, ${shownDigits})`;
  }
}

function hashed(key: Buffer): Buffer {
  return createHash('sha256').update(key).digest();
}
