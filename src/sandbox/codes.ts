import type { MethodKind } from '../../machines/own/own-ruleset.ts';
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

/** Authenticator app entry of an account: its secret and its current code. */
export interface TimedCode {
  /** Secret in base32, as encoded in the setup URL. */
  readonly secret: string;
  readonly code: string;
  /** Remaining validity of the code, in milliseconds of virtual time. */
  readonly validForMs: number;
  /** Content of the QR code, in the key URI format. */
  readonly setupAddress: string;
}

const issuer = 'NudgeLab';
const secretBytes = 20;
const periodSeconds = 30;

/**
 * Verifies second-factor codes: the test code of each user, and the time-based codes of apps and hardware tokens.
 */
export class Codes {
  readonly #recorder: Recorder;

  constructor(recorder: Recorder) {
    this.#recorder = recorder;
  }

  /**
   * Returns true if a code is correct for the second factor of a sign-in. The user's test code is valid for every
   * method. For an app or a hardware token, the time-based code of the current step or of an adjacent step is also
   * valid. `isGiven` compares a valid code with the entered one.
   */
  async accepts(signInId: string, isGiven: (code: string) => boolean): Promise<boolean> {
    const state = this.#recorder.state();
    const signIn = state.signIns.get(signInId);
    const user = state.users.get(signIn?.userId ?? '');
    if (signIn === undefined || user === undefined) return false;
    const method = resolveMfaMethod(signIn.patch, user.facts);
    // No one can know a code that was not delivered, so every entered code is rejected.
    if ((method === 'sms' || method === 'voice') && signIn.factors.codeLost === true) return false;
    if (isGiven(user.profile.code)) return true;
    if (method !== 'authenticator-totp' && method !== 'hardware-totp') return false;
    return this.#acceptsTimed(user, isGiven);
  }

  /**
   * Returns true if a code is correct for the setup of an own campaign's method: the user's test code or, for an
   * authenticator app, the time-based code of the current step or of an adjacent step. Throws `user-not-found`.
   */
  acceptsInSetup(userId: string, kind: MethodKind, isGiven: (code: string) => boolean): boolean {
    const user = this.#recorder.state().users.get(userId);
    if (user === undefined) throw unknownUser(userId);
    return isGiven(user.profile.code) || (kind === 'totp' && this.#acceptsTimed(user, isGiven));
  }

  #acceptsTimed(user: UserRecord, isGiven: (code: string) => boolean): boolean {
    const secret = this.#getSecret(user);
    const nowMs = this.#recorder.nowMs();
    return [-1, 0, 1].some((step) => isGiven(timeBasedCode(secret, nowMs + step * periodSeconds * 1000)));
  }

  /** Returns the code that the app or token of a user shows now. Throws `user-not-found`. */
  async timedCode(userId: string): Promise<TimedCode> {
    const user = this.#recorder.state().users.get(userId);
    if (user === undefined) throw unknownUser(userId);
    const secret = this.#getSecret(user);
    const nowMs = this.#recorder.nowMs();
    return {
      secret: encodeBase32(secret.secret),
      code: timeBasedCode(secret, nowMs),
      validForMs: codeValidForMs(secret, nowMs),
      setupAddress: formatSetupUrl(secret, issuer, user.profile.userPrincipalName),
    };
  }

  #getSecret({ facts }: UserRecord): TimeBasedSecret {
    const secret = seededBytes(`${this.#recorder.state().seed} ${facts.id}`, 'totp secret', secretBytes);
    return { secret, periodSeconds };
  }
}
