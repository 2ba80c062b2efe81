import { createHmac } from 'node:crypto';

const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';
const bitsPerCharacter = 5;
const digits = 6;
const msPerSecond = 1_000;

/** What a time-based one-time code is made from. */
export interface TimeBasedSecret {
  readonly secret: Uint8Array;
  /** How long a code lasts, in seconds. */
  readonly periodSeconds: number;
}

/** The code of a moment by RFC 6238, with SHA-1 and six digits as every authenticator app has it. Takes ms since the epoch. */
export function timeBasedCode({ secret, periodSeconds }: TimeBasedSecret, atMs: number): string {
  const counter = Buffer.alloc(8);
  counter.writeBigUInt64BE(BigInt(Math.floor(atMs / msPerSecond / periodSeconds)));
  const hash = createHmac('sha1', secret).update(counter).digest();
  const start = hash.readUInt8(hash.length - 1) & 0x0f;
  const number = (hash.readUInt32BE(start) & 0x7fff_ffff) % 10 ** digits;
  return String(number).padStart(digits, '0');
}

/** How long the code of a moment is still good, in ms. */
export function codeValidForMs({ periodSeconds }: TimeBasedSecret, atMs: number): number {
  const periodMs = periodSeconds * msPerSecond;
  return periodMs - (atMs % periodMs);
}

/** The address that a QR code carries into an app (the key URI format). Takes who issues it, and the name of the account. */
export function formatSetupUrl({ secret, periodSeconds }: TimeBasedSecret, issuer: string, account: string): string {
  const parameters = {
    issuer,
    secret: encodeBase32(secret),
    algorithm: 'SHA1',
    digits: String(digits),
    period: String(periodSeconds),
  };
  const query = Object.entries(parameters).map(([name, value]) => `${name}=${encodeURIComponent(value)}`);
  return `otpauth://totp/${encodeURIComponent(issuer)}:${encodeURIComponent(account)}?${query.join('&')}`;
}

/** Bytes in base32 (RFC 4648), without padding. */
export function encodeBase32(bytes: Uint8Array): string {
  const bits = [...bytes].map((byte) => byte.toString(2).padStart(8, '0')).join('');
  const groups = bits.match(/.{1,5}/g) ?? [];
  return groups.map((group) => alphabet[Number.parseInt(group.padEnd(bitsPerCharacter, '0'), 2)]).join('');
}
