import type { PasskeyTransport } from '../contract/credential.schema.ts';
import type { Misbehavior } from './misbehavior.ts';
import type { AuthenticatorProfile } from './profile.ts';

/** The options of `WebAuthn.addVirtualAuthenticator` of the Chrome DevTools protocol. */
export interface VirtualAuthenticatorOptions {
  protocol: 'ctap2';
  ctap2Version: 'ctap2_1';
  transport: 'internal' | 'usb' | 'nfc' | 'ble' | 'cable';
  hasResidentKey: boolean;
  hasUserVerification: boolean;
  isUserVerified: boolean;
  automaticPresenceSimulation: boolean;
  defaultBackupEligibility: boolean;
  defaultBackupState: boolean;
}

const transportNames: Readonly<Partial<Record<PasskeyTransport, VirtualAuthenticatorOptions['transport']>>> = {
  internal: 'internal',
  usb: 'usb',
  nfc: 'nfc',
  ble: 'ble',
  hybrid: 'cable',
};

/** The AAGUID of every virtual authenticator of Chromium; it cannot be chosen. */
export const virtualAuthenticatorAaguid = '01020304-0506-0708-0102-030405060708';

/**
 * The options that make Chromium's own virtual authenticator behave like a profile and a misbehavior, so that the whole of the
 * browser's code takes part; `null` when it cannot. It can be told one transport and the backup flags, but no make, no
 * attestation and no algorithm; its user approves, or refuses to be verified.
 */
export function virtualAuthenticatorOptions(
  profile: AuthenticatorProfile,
  misbehavior: Misbehavior,
): VirtualAuthenticatorOptions | null {
  const [only, ...others] = profile.transports;
  const transport = only === undefined || others.length > 0 ? undefined : transportNames[only];
  if (transport === undefined || !hasNoWish(profile)) return null;
  if (misbehavior !== 'approves' && !(misbehavior === 'refuses' && profile.userVerification)) return null;
  return {
    protocol: 'ctap2',
    ctap2Version: 'ctap2_1',
    transport,
    hasResidentKey: profile.residentKey,
    hasUserVerification: profile.userVerification,
    isUserVerified: profile.userVerification && misbehavior === 'approves',
    automaticPresenceSimulation: true,
    defaultBackupEligibility: profile.backupEligible,
    defaultBackupState: profile.backupState,
  };
}

/** Nothing is wished that Chromium decides by itself. */
function hasNoWish({ aaguid, attestation, algorithm }: AuthenticatorProfile): boolean {
  const anyMake = aaguid === null || aaguid === virtualAuthenticatorAaguid;
  return anyMake && attestation === 'none' && algorithm === 'ES256';
}
