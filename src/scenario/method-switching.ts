import { type MfaMethod, mfaMethods } from '../../machines/vocabulary.ts';
import { NudgeLabError } from '../core/errors.ts';

/** Creates the error for a step that selects a second-factor method that is not offered. */
export function wayNotOffered(wanted: MfaMethod, offered: readonly MfaMethod[]): NudgeLabError {
  const others = offered.length > 1 ? `there are ${offered.join(', ')}` : 'the user holds no second method to choose';
  return new NudgeLabError('driver-failed', {
    message: `"Sign in another way" does not offer ${wanted}; ${others}.`,
  });
}

/**
 * Rejects a step whose `mfa.method` the user has not registered, if the service requests a second factor, because
 * no page can request it. The service sends a text message to a user without methods. Throws `driver-failed`.
 *
 * @param named - method in the step, if any
 * @param held - registered methods of the user
 */
export function refuseMethodNotHeld(named: MfaMethod | null | undefined, held: readonly MfaMethod[]): void {
  const askable: readonly MfaMethod[] = held.length > 0 ? held : ['sms'];
  if (named === undefined || named === null || askable.includes(named)) return;
  const offered = mfaMethods.filter((method) => held.includes(method));
  const allowed = held.length > 0 ? `there are ${offered.join(', ')}` : 'the user holds none, and is asked for sms';
  throw new NudgeLabError('driver-failed', {
    message: `mfa.method ${named} is none of the user's methods; ${allowed}.`,
  });
}

/** Creates the error for a step that selects another method in a sign-in without a second factor of the service. */
export function nothingToChoose(wanted: MfaMethod): NudgeLabError {
  return new NudgeLabError('driver-failed', {
    message:
      `otherWay ${wanted} was never chosen: this sign-in does not ask for a second factor of the service. ` +
      'Leave otherWay out, or leave out what keeps the second factor away (ssoSession, mfa.completed, mfa.provider).',
  });
}
