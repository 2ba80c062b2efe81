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

/** The cookie of a browser that has signed in to the console. */
export const sessionCookieName = 'nudgelab-console';

/** Where the cookie of the console is sent: to its pages and to the API that they ask, and nowhere else. */
export const sessionPaths: readonly string[] = ['/_console', '/_control/v1'];

const msPerSecond = 1_000;
const visibleCharacters = /^[\x21-\x7e]+$/;

/** Lists what the console has sealed. */
type ConsoleSealPurpose = Extract<HmacPurpose, `console-${string}`>;

/**
 * Guards the control API and the console by one key. The key itself is not kept: a digest of it is compared, and what sessions
 * are sealed with is derived from it, so that another key ends them all.
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
  /** Sessions that were signed out before their time, the oldest first. */
  readonly #ended = new Set<string>();

  /** Takes the key, and real time in ms where it is not the machine's. Throws `config-invalid` for a key that is none. */
  constructor(key: string, nowMs: () => number = machineNowMs) {
    refuseWeakKey(key);
    this.#comparing = generateKeySync('hmac', { length: 256 });
    this.#digest = this.#digestOf(key);
    this.#sealing = createSecretKey(Buffer.from(hkdfSync('sha256', key, '', 'nudgelab console session', 32)));
    this.#nowMs = nowMs;
  }

  /**
   * Checks a key that someone gives, in a time that tells nothing of it. Takes the key and the address of who gives it. After
   * some wrong ones an address has to wait, whatever it gives: throws `too-many-requests`.
   */
  admits(given: string, address: string): boolean {
    // Addresses share counters, so that anyone who has many of them pushes none out.
    const guesser = String(sharedCounter(this.#digestOf(guesserOf(address)), keyAttemptCounters));
    const nowMs = this.#nowMs();
    const waitMs = this.#guesses.waitMs(guesser, nowMs);
    if (waitMs > 0) throw tooManyGuesses(waitMs);
    if (sameSecret(this.#digestOf(given), this.#digest)) return true;
    this.#guesses.note(guesser, nowMs);
    return false;
  }

  /** The value of a new session's cookie. */
  beginSession(): string {
    const session = `${(this.#nowMs() + consoleSessionLifetimeMs).toString(36)}.${randomId()}`;
    return `${session}.${this.seal('console-session', session)}`;
  }

  /** The session that a request carries the cookie of; `null` without one that holds. */
  sessionOf({ headers }: Pick<IncomingMessage, 'headers'>): string | null {
    return cookiesNamed(headers.cookie, sessionCookieName).find((value) => this.#holds(value)) ?? null;
  }

  /** Ends a session before its time. */
  endSession(session: string): void {
    this.#ended.add(session);
    if (this.#ended.size <= endedConsoleSessionsMax) return;
    for (const oldest of this.#ended) {
      this.#ended.delete(oldest);
      break;
    }
  }

  /** Computes a seal that only the holder of the key can make of a text, and that proves nothing for any other purpose. */
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

  #digestOf(text: string): string {
    return createHmac('sha256', this.#comparing).update(text).digest('base64url');
  }
}

/** A key is sent in a header, and is guessed at by anyone who reaches the server. */
function refuseWeakKey(key: string): void {
  if (key.length >= controlKeyCharactersMin && key.length <= controlKeyCharactersMax && visibleCharacters.test(key)) {
    return;
  }
  throw new NudgeLabError('config-invalid', {
    message: `The access key has ${controlKeyCharactersMin} to ${controlKeyCharactersMax} visible ASCII characters, and no blanks.`,
  });
}

const addressGroups = 8;

/** Who has one address of the sixth version has its whole network of 64 bits, which is four of its eight groups. */
function guesserOf(address: string): string {
  if (!address.includes(':') || address.includes('.')) return address;
  const [before = [], after = []] = address.split('::').map((part) => part.split(':'));
  const zeros = new Array<string>(Math.max(0, addressGroups - before.length - after.length)).fill('0');
  return [...before, ...zeros, ...after].slice(0, addressGroups / 2).join(':');
}

function tooManyGuesses(waitMs: number): NudgeLabError {
  return new NudgeLabError('too-many-requests', {
    message: 'Too many wrong access keys came from this address.',
    headers: { 'Retry-After': String(Math.ceil(waitMs / msPerSecond)) },
  });
}
