import { resolveMfaMethod } from '../contract/attempt-facts.ts';
import { seededBytes } from '../core/seeded-key.ts';
import {
  codeValidForMs,
  encodeBase32,
  formatSetupUrl,
  type TimeBasedSecret,
  timeBasedCode,
} from '../core/time-based-code.ts';
import type { UserRecord } from '../journal/state.ts';
import { unknownUser } from './explain.ts';
import type { Recorder } from './recorder.ts';

/** What an authenticator app shows for an account: its secret, and the code of now. */
export interface TimedCode {
  /** The secret in base32, as the setup address carries it. */
  readonly secret: string;
  readonly code: string;
  /** How long the code is good, in ms of virtual time. */
  readonly validForMs: number;
  /** What a QR code carries (the key URI format). */
  readonly setupAddress: string;
}

const issuer = 'NudgeLab';
const secretBytes = 20;
const periodSeconds = 30;

/** The codes of second factors: the test code of each user, and the timed ones of apps and hardware tokens. */
export class Codes {
  readonly #recorder: Recorder;

  constructor(recorder: Recorder) {
    this.#recorder = recorder;
  }

  /**
   * Whether a code is right for the second factor of a sign-in. The user's test code stands for every code; an app or a
   * hardware token may also show a timed one, that of now or one step beside it. Takes how codes are compared.
   */
  async accepts(signInId: string, isGiven: (code: string) => boolean): Promise<boolean> {
    const state = this.#recorder.state();
    const signIn = state.signIns.get(signInId);
    const user = state.users.get(signIn?.userId ?? '');
    if (signIn === undefined || user === undefined) return false;
    const method = resolveMfaMethod(signIn.patch, user.facts);
    // A code that never arrived is known to no one, and what is entered is a guess.
    if ((method === 'sms' || method === 'voice') && signIn.factors.codeLost === true) return false;
    if (isGiven(user.profile.code)) return true;
    if (method !== 'authenticator-totp' && method !== 'hardware-totp') return false;
    const secret = this.#secretOf(user);
    const nowMs = this.#recorder.nowMs();
    return [-1, 0, 1].some((step) => isGiven(timeBasedCode(secret, nowMs + step * periodSeconds * 1000)));
  }

  /** What the app or token of a user shows now. Throws `user-not-found`. */
  async timedCode(userId: string): Promise<TimedCode> {
    const user = this.#recorder.state().users.get(userId);
    if (user === undefined) throw unknownUser(userId);
    const secret = this.#secretOf(user);
    const nowMs = this.#recorder.nowMs();
    return {
      secret: encodeBase32(secret.secret),
      code: timeBasedCode(secret, nowMs),
      validForMs: codeValidForMs(secret, nowMs),
      setupAddress: formatSetupUrl(secret, issuer, user.profile.userPrincipalName),
    };
  }

  #secretOf({ facts }: UserRecord): TimeBasedSecret {
    const secret = seededBytes(`${this.#recorder.state().seed} ${facts.id}`, 'totp secret', secretBytes);
    return { secret, periodSeconds };
  }
}
