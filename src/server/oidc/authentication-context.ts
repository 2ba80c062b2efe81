import type { AttemptFacts, MfaMethod } from '../../../machines/vocabulary.ts';

/** The second factor of a sign-in, as its facts tell it. */
export type GivenMfa = AttemptFacts['mfa'];

/** What `acr` says: the classes of authentication that the simulator knows, the stronger one first. */
export const acrValues = ['urn:nudgelab:acr:mfa', 'urn:nudgelab:acr:password'] as const;

/** Methods of RFC 8176 that each second factor stands for. A passkey needs no password beside it. */
const methodsOf: Readonly<Record<MfaMethod, readonly string[]>> = {
  sms: ['pwd', 'sms', 'mfa'],
  voice: ['pwd', 'tel', 'mfa'],
  'authenticator-totp': ['pwd', 'otp', 'mfa'],
  'authenticator-push': ['pwd', 'swk', 'mfa'],
  'hardware-totp': ['pwd', 'otp', 'hwk', 'mfa'],
  passkey: ['pop', 'user', 'mfa'],
};

/** Methods of a second factor that another provider vouches for, without saying which it was. */
const methodsElsewhere = ['pwd', 'mfa'] as const;

/** The `amr` of a sign-in (RFC 8176). Takes its second factor; one that was not completed leaves the password alone. */
export function listAmr(mfa: GivenMfa): string[] {
  if (!isGiven(mfa)) return ['pwd'];
  return mfa.provider === 'service' && mfa.method !== null ? [...methodsOf[mfa.method]] : [...methodsElsewhere];
}

/** The `acr` of a sign-in. Takes its second factor; one that was not completed is none. */
export function getAcr(mfa: GivenMfa): string {
  return isGiven(mfa) ? acrValues[0] : acrValues[1];
}

/** The service's own second factor has a method; one of another provider need not say which. */
function isGiven({ completed, provider, method }: GivenMfa): boolean {
  return completed && (provider !== 'service' || method !== null);
}
