import type { AttemptFacts, MfaMethod } from '../../../machines/vocabulary.ts';

/** Second factor of a sign-in, as in its facts. */
export type GivenMfa = AttemptFacts['mfa'];

/** Supported values of `acr`, stronger ones first. */
export const acrValues = ['urn:nudgelab:acr:mfa', 'urn:nudgelab:acr:password'] as const;

/** Authentication methods of RFC 8176 for each second factor. A passkey needs no password in addition. */
const methodsOf: Readonly<Record<MfaMethod, readonly string[]>> = {
  sms: ['pwd', 'sms', 'mfa'],
  voice: ['pwd', 'tel', 'mfa'],
  'authenticator-totp': ['pwd', 'otp', 'mfa'],
  'authenticator-push': ['pwd', 'swk', 'mfa'],
  'hardware-totp': ['pwd', 'otp', 'hwk', 'mfa'],
  passkey: ['pop', 'user', 'mfa'],
};

/** Authentication methods for a second factor of another provider, which does not report the method. */
const methodsElsewhere = ['pwd', 'mfa'] as const;

/** Returns the `amr` of a sign-in (RFC 8176). Without a completed second factor, it contains only the password. */
export function listAmr(mfa: GivenMfa): string[] {
  if (!isGiven(mfa)) return ['pwd'];
  return mfa.provider === 'service' && mfa.method !== null ? [...methodsOf[mfa.method]] : [...methodsElsewhere];
}

/** Returns the `acr` of a sign-in. A second factor that was not completed does not count. */
export function getAcr(mfa: GivenMfa): string {
  return isGiven(mfa) ? acrValues[0] : acrValues[1];
}

/** Returns `true` for a completed second factor. It needs a method unless another provider verified it. */
function isGiven({ completed, provider, method }: GivenMfa): boolean {
  return completed && (provider !== 'service' || method !== null);
}
