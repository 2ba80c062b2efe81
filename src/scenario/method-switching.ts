import { type MfaMethod, mfaMethods } from '../../machines/vocabulary.ts';
import { NudgeLabError } from '../core/errors.ts';

/** Creates the error for a step that selects a second-factor method that is not offered. */
export function wayNotOffered(wanted: MfaMethod, offered: readonly MfaMethod[]): NudgeLabError {
  const others = offered.length > 1 ? `use one of ${offered.join(', ')}` : 'the user has no second method to choose';
  return new NudgeLabError('driver-failed', {
    message: `"Sign in another way" does not offer ${wanted}; ${others}.`,
  });
}

/**
 * Rejects a step whose `mfa.method` the user has not registered, if the service requests a second factor, because
 * no page can request it. The service sends a text message to a user without methods. Throws `driver-failed`.
 *
 * @param named - method in the step, if any
 * @param methods - registered methods of the user
 */
export function refuseMethodNotHeld(named: MfaMethod | null | undefined, methods: readonly MfaMethod[]): void {
  const askable: readonly MfaMethod[] = methods.length > 0 ? methods : ['sms'];
  if (named === undefined || named === null || askable.includes(named)) return;
  const offered = mfaMethods.filter((method) => methods.includes(method));
  const allowed = methods.length > 0 ? `use one of ${offered.join(', ')}` : 'the user has none, so sms is used';
  throw new NudgeLabError('driver-failed', {
    message: `mfa.method ${named} is not a method of the user; ${allowed}.`,
  });
}

/** Creates the error for a step that selects another method in a sign-in without a second factor of the service. */
export function nothingToChoose(wanted: MfaMethod): NudgeLabError {
  return new NudgeLabError('driver-failed', {
    message:
      `otherWay ${wanted} was never chosen: this sign-in does not request a second factor of the service. ` +
      'Remove otherWay, or remove what prevents the second factor (ssoSession, mfa.completed, mfa.provider).',
  });
}
