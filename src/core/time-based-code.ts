import { createHmac } from 'node:crypto';

const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';
const bitsPerCharacter = 5;
const digits = 6;
const msPerSecond = 1_000;

/** Parameters of a time-based one-time code. */
export interface TimeBasedSecret {
  readonly secret: Uint8Array;
  /** Validity period of a code in seconds. */
  readonly periodSeconds: number;
}

/**
 * Computes the one-time code at a given time (RFC 6238), with SHA-1 and six digits as in all authenticator apps.
 * The time is in milliseconds since the epoch.
 */
export function timeBasedCode({ secret, periodSeconds }: TimeBasedSecret, atMs: number): string {
  const counter = Buffer.alloc(8);
  counter.writeBigUInt64BE(BigInt(Math.floor(atMs / msPerSecond / periodSeconds)));
  const hash = createHmac('sha1', secret).update(counter).digest();
  const start = hash.readUInt8(hash.length - 1) & 0x0f;
  const number = (hash.readUInt32BE(start) & 0x7fff_ffff) % 10 ** digits;
  return String(number).padStart(digits, '0');
}

/** Computes the remaining validity of the current code in milliseconds. */
export function codeValidForMs({ periodSeconds }: TimeBasedSecret, atMs: number): number {
  const periodMs = periodSeconds * msPerSecond;
  return periodMs - (atMs % periodMs);
}

/**
 * Formats the URL for the QR code that sets up an authenticator app (key URI format). `issuer` is the issuing
 * organization, and `account` is the account name.
 */
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

/** Encodes bytes in base32 (RFC 4648) without padding. */
export function encodeBase32(bytes: Uint8Array): string {
  const bits = [...bytes].map((byte) => byte.toString(2).padStart(8, '0')).join('');
  const groups = bits.match(/.{1,5}/g) ?? [];
  return groups.map((group) => alphabet[Number.parseInt(group.padEnd(bitsPerCharacter, '0'), 2)]).join('');
}
