import type { PasskeyTransport } from '../contract/credential.schema.ts';
import type { Misbehavior } from './misbehavior.ts';
import type { AuthenticatorProfile } from './profile.ts';

/** Options of `WebAuthn.addVirtualAuthenticator` in the Chrome DevTools protocol. */
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

/** AAGUID of every Chromium virtual authenticator. Chromium does not allow another value. */
export const virtualAuthenticatorAaguid = '01020304-0506-0708-0102-030405060708';

/**
 * Returns the options that make Chromium's virtual authenticator match a profile and a misbehavior, so a test
 * covers all of the browser's code. Returns `null` if no options match. Chromium supports one transport and the
 * backup flags, but no choice of AAGUID, attestation or algorithm. Its user either approves or refuses
 * verification.
 */
export function virtualAuthenticatorOptions(
  profile: AuthenticatorProfile,
  misbehavior: Misbehavior,
): VirtualAuthenticatorOptions | null {
  const [only, ...others] = profile.transports;
  const transport = only === undefined || others.length > 0 ? undefined : transportNames[only];
  if (transport === undefined || !fitsChromium(profile)) return null;
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

/** Checks whether a profile needs nothing that Chromium decides by itself. */
function fitsChromium({ aaguid, attestation, algorithm }: AuthenticatorProfile): boolean {
  const anyMake = aaguid === null || aaguid === virtualAuthenticatorAaguid;
  return anyMake && attestation === 'none' && algorithm === 'ES256';
}
