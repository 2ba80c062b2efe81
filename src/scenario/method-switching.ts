import { type MfaMethod, mfaMethods } from '../../machines/vocabulary.ts';
import { NudgeLabError } from '../core/errors.ts';

/** The failure of a step that wants a way which is not offered. Takes the wish and what is offered, by method. */
export function wayNotOffered(wanted: MfaMethod, offered: readonly MfaMethod[]): NudgeLabError {
  const others = offered.length > 1 ? `there are ${offered.join(', ')}` : 'the user holds no second method to choose';
  return new NudgeLabError('driver-failed', {
    message: `"Sign in another way" does not offer ${wanted}; ${others}.`,
  });
}

/**
 * Refuses a step whose `mfa.method` the user does not hold, once the sign-in asks for a second factor here: no page can ask for
 * it. Takes the method that the step names, if any, and those held; who holds none is asked for a text message. Throws
 * `driver-failed`.
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

/** The failure of a step that wants another way in a sign-in that never asks for the second factor here. */
export function nothingToChoose(wanted: MfaMethod): NudgeLabError {
  return new NudgeLabError('driver-failed', {
    message:
      `otherWay ${wanted} was never chosen: this sign-in does not ask for a second factor of the service. ` +
      'Leave otherWay out, or leave out what keeps the second factor away (ssoSession, mfa.completed, mfa.provider).',
  });
}
