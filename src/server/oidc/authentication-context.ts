import type { MfaMethod } from '../../../machines/vocabulary.ts';

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

/** The `amr` of a sign-in (RFC 8176). Takes its second factor, `null` without one. */
export function amrOf(method: MfaMethod | null): string[] {
  return method === null ? ['pwd'] : [...methodsOf[method]];
}

/** The `acr` of a sign-in. Takes its second factor, `null` without one. */
export function acrOf(method: MfaMethod | null): string {
  return method === null ? acrValues[1] : acrValues[0];
}
