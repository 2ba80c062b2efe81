import { createHash, createHmac } from 'node:crypto';

/** SHA-256 works on blocks of so many bytes; a key is filled up to one. */
const blockBytes = 64;
const outerPad = 0x5c;
const innerPad = 0x36;
const shownDigits = 24;

/** Names that stand for people: HMAC-SHA256 of their id in lower case, under a key that the caller keeps. */
export class Pseudonyms {
  readonly #key: Buffer;

  /** Takes the key; one that is longer than a block is hashed first, as HMAC says. */
  constructor(key: Uint8Array) {
    this.#key = Buffer.from(key);
  }

  /** The name that stands for an id. */
  of(id: string): string {
    return `u-${createHmac('sha256', this.#key).update(id.toLowerCase()).digest('hex').slice(0, shownDigits)}`;
  }

  /** The same as an expression of SQL. Takes the expression of the id. */
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
