import { createHmac, createSecretKey, generateKeySync, hkdfSync, type KeyObject } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { AttemptLimiter, sharedCounter } from '../../core/attempt-limiter.ts';
import { machineNowMs } from '../../core/clock.ts';
import { NudgeLabError } from '../../core/errors.ts';
import { computeHmac, type HmacPurpose } from '../../core/hmac.ts';
import { randomId } from '../../core/ids.ts';
import {
  consoleSessionLifetimeMs,
  controlKeyCharactersMax,
  controlKeyCharactersMin,
  endedConsoleSessionsMax,
  keyAttemptCounters,
  keyAttemptsMax,
  keyAttemptWindowMs,
} from '../../core/limits.ts';
import { sameSecret } from '../../core/secrets.ts';
import { cookiesNamed } from '../identity/session.ts';

/** Name of the cookie for a signed-in console session. */
export const sessionCookieName = 'nudgelab-console';

/** Paths that receive the session cookie: the console and its API. */
export const sessionPaths: readonly string[] = ['/_console', '/_control/v1'];

const msPerSecond = 1_000;
const visibleCharacters = /^[\x21-\x7e]+$/;

/** Purposes of signatures that the console uses. */
type ConsoleSealPurpose = Extract<HmacPurpose, `console-${string}`>;

/**
 * Protects the control API and the console with one key. The key itself is not stored. Candidates are compared by
 * digest, and the signing key for sessions is derived from the control key, so changing the key ends all sessions.
 */
export class ControlAccess {
  readonly #comparing: KeyObject;
  readonly #digest: string;
  readonly #sealing: KeyObject;
  readonly #nowMs: () => number;
  readonly #guesses = new AttemptLimiter({
    attemptsMax: keyAttemptsMax,
    windowMs: keyAttemptWindowMs,
  });
  /** Sessions that were signed out before they expired, oldest first. */
  readonly #ended = new Set<string>();

  /**
   * Creates the access control.
   *
   * @param key - the control key
   * @param nowMs - returns the current real time in milliseconds
   * @throws NudgeLabError `config-invalid` if the key is invalid
   */
  constructor(key: string, nowMs: () => number = machineNowMs) {
    refuseWeakKey(key);
    this.#comparing = generateKeySync('hmac', { length: 256 });
    this.#digest = this.#computeDigest(key);
    this.#sealing = createSecretKey(Buffer.from(hkdfSync('sha256', key, '', 'nudgelab console session', 32)));
    this.#nowMs = nowMs;
  }

  /**
   * Checks a submitted key in constant time. An address with too many failed attempts is throttled for any key.
   *
   * @param given - the submitted key
   * @param address - IP address of the sender
   * @returns `true` if the key is correct
   * @throws NudgeLabError `too-many-requests` if the address is throttled
   */
  admits(given: string, address: string): boolean {
    // Addresses share a fixed set of counters, so an attacker with many addresses cannot evict other counters.
    const guesser = String(sharedCounter(this.#computeDigest(toSubject(address)), keyAttemptCounters));
    const nowMs = this.#nowMs();
    const waitMs = this.#guesses.waitMs(guesser, nowMs);
    if (waitMs > 0) throw tooManyGuesses(waitMs);
    if (sameSecret(this.#computeDigest(given), this.#digest)) return true;
    this.#guesses.note(guesser, nowMs);
    return false;
  }

  /** Creates a session and returns its cookie value. */
  beginSession(): string {
    const session = `${(this.#nowMs() + consoleSessionLifetimeMs).toString(36)}.${randomId()}`;
    return `${session}.${this.seal('console-session', session)}`;
  }

  /** Returns the session in the request cookie, or `null` if there is no valid session. */
  findSession({ headers }: Pick<IncomingMessage, 'headers'>): string | null {
    return cookiesNamed(headers.cookie, sessionCookieName).find((value) => this.#holds(value)) ?? null;
  }

  /** Ends a session before it expires. */
  endSession(session: string): void {
    this.#ended.add(session);
    if (this.#ended.size <= endedConsoleSessionsMax) return;
    for (const oldest of this.#ended) {
      this.#ended.delete(oldest);
      break;
    }
  }

  /** Signs a text with a key derived from the control key. The signature is valid only for this purpose. */
  seal(purpose: ConsoleSealPurpose, text: string): string {
    return computeHmac(this.#sealing, purpose, text);
  }

  #holds(value: string): boolean {
    const sealedAt = value.lastIndexOf('.');
    const session = value.slice(0, sealedAt);
    if (sealedAt === -1 || !sameSecret(value.slice(sealedAt + 1), this.seal('console-session', session))) return false;
    const endsAtMs = Number.parseInt(session.split('.', 1)[0] ?? '', 36);
    return this.#nowMs() < endsAtMs && !this.#ended.has(value);
  }

  #computeDigest(text: string): string {
    return createHmac('sha256', this.#comparing).update(text).digest('base64url');
  }
}

/** Rejects weak keys. The key is sent in a header, and any client that reaches the server can try to guess it. */
function refuseWeakKey(key: string): void {
  if (key.length >= controlKeyCharactersMin && key.length <= controlKeyCharactersMax && visibleCharacters.test(key)) {
    return;
  }
  throw new NudgeLabError('config-invalid', {
    message: `The control key must have ${controlKeyCharactersMin} to ${controlKeyCharactersMax} visible ASCII characters without spaces.`,
  });
}

const addressGroups = 8;

/** Returns the throttling id of an IP address. An IPv6 sender controls a /64 network, which is four of eight groups. */
function toSubject(address: string): string {
  if (!address.includes(':') || address.includes('.')) return address;
  const [before = [], after = []] = address.split('::').map((part) => part.split(':'));
  const zeros = new Array<string>(Math.max(0, addressGroups - before.length - after.length)).fill('0');
  return [...before, ...zeros, ...after].slice(0, addressGroups / 2).join(':');
}

function tooManyGuesses(waitMs: number): NudgeLabError {
  return new NudgeLabError('too-many-requests', {
    message: 'Too many incorrect control keys from this address.',
    headers: { 'Retry-After': String(Math.ceil(waitMs / msPerSecond)) },
  });
}
