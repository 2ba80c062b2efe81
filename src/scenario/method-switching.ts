import type { MfaMethod } from '../../machines/vocabulary.ts';
import { NudgeLabError } from '../core/errors.ts';

/** What the page that offers the ways to verify calls each of them; drivers find them by these names, as people do. */
export const wayLabels: Readonly<Record<MfaMethod, string>> = {
  sms: 'A code by text message',
  voice: 'A code by voice call',
  'authenticator-totp': 'A code from the authenticator app',
  'authenticator-push': 'A request in the authenticator app',
  'hardware-totp': 'A code from a hardware token',
  passkey: 'A passkey',
};

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
  const offered = Object.keys(wayLabels).filter((method) => (held as readonly string[]).includes(method));
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

/** The methods of ways by the names under which a page offers them; names that are none of these are left out. */
export function methodsLabelled(labels: readonly string[]): readonly MfaMethod[] {
  return (Object.keys(wayLabels) as MfaMethod[]).filter((method) => labels.includes(wayLabels[method]));
}
