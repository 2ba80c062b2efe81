import { resolveMfaMethod } from '../contract/attempt-facts.ts';
import { NudgeLabError } from '../core/errors.ts';
import type { SignInRecord, UserRecord } from '../journal/state.ts';
import type { SignInView } from './sign-in-view.ts';

/** Returns the error that a fault causes for the requested second factor, or `null` if there is none. */
export function findObstacle(
  { patch, factors }: SignInRecord,
  { facts }: UserRecord,
): 'second-factor-rejected' | 'second-factor-pending' | null {
  const method = resolveMfaMethod(patch, facts);
  if (method === 'sms' || method === 'voice') return factors.codeLost === true ? 'second-factor-rejected' : null;
  if (method !== 'authenticator-push') return null;
  if (factors.push?.lost === true) return 'second-factor-pending';
  return factors.push?.answer === 'denied' ? 'second-factor-rejected' : null;
}

/** Returns the error of a skip that the verdict does not allow. */
export function createSkipRefusal(view: SignInView): NudgeLabError {
  return new NudgeLabError('skip-not-allowed', {
    message: `Registering a ${view.method === 'fido2' ? 'passkey' : 'authenticator app'} is required: no snoozes are left.`,
  });
}
