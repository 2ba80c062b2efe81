import type { OperatingSystem, PasskeyType } from '../../machines/vocabulary.ts';
import { aaguidFor } from '../contract/aaguids.ts';
import { detectPasskeyType, isOnDevice } from '../contract/passkey-type-detection.ts';
import { type AuthenticatorProfile, zeroAaguid } from './profile.ts';

type Traits = Pick<AuthenticatorProfile, 'transports' | 'attachment' | 'algorithm'>;

const transportsOf: Readonly<Record<PasskeyType, AuthenticatorProfile['transports']>> = {
  'windows-hello-for-business': ['internal'],
  'windows-bound': ['internal'],
  'password-manager': ['internal', 'hybrid'],
  keychain: ['internal', 'hybrid'],
  'mac-platform-sso': ['internal'],
  'handset-vendor': ['internal', 'hybrid'],
  'authenticator-app': ['internal', 'hybrid'],
  'security-key': ['usb', 'nfc'],
};

/** One of a phone or of synced passkeys is the device's on its own systems, and reached over the air elsewhere. */
function traitsOf(type: PasskeyType, os: OperatingSystem): Traits {
  return {
    transports: transportsOf[type],
    attachment: isOnDevice(type, os) ? 'platform' : 'cross-platform',
    // The keys of that hardware are RSA keys.
    algorithm: type === 'windows-hello-for-business' ? 'RS256' : 'ES256',
  };
}

const syncedTypes: readonly PasskeyType[] = ['password-manager', 'keychain', 'handset-vendor'];

/**
 * The authenticator that makes a passkey of a row of the R12 matrix, as it stands before a browser on an operating system: its
 * attachment follows from the system, and the authenticator app has a make for each phone. The device-bound ones (A31) attest by
 * an authority when asked, the synced ones do not attest. Never fails: on a system that lacks the authenticator it is one that
 * claims to be there.
 */
export function getAuthenticatorProfile(type: PasskeyType, os: OperatingSystem): AuthenticatorProfile {
  const synced = syncedTypes.includes(type);
  return {
    ...traitsOf(type, os),
    aaguid: aaguidFor(type, os),
    backupEligible: synced,
    backupState: synced,
    attestation: synced ? 'none' : 'packed-ca',
    userVerification: true,
    residentKey: true,
  };
}

/**
 * An authenticator without a make of its own, whose passkeys are of a type only because decision A51 derives it on that
 * operating system; `null` where nothing leads there. Chromium's virtual authenticator can be one of these.
 */
export function findZeroAaguidProfile(type: PasskeyType, os: OperatingSystem): AuthenticatorProfile | null {
  const known = getAuthenticatorProfile(type, os);
  const transports = type === 'security-key' ? (['usb'] as const) : (['internal'] as const);
  const attachment = type === 'security-key' ? 'cross-platform' : 'platform';
  const kind = detectPasskeyType({ aaguid: zeroAaguid, transports, backupEligible: known.backupEligible, os });
  if (kind.type !== type) return null;
  return { ...known, aaguid: null, transports, attachment, attestation: 'none', algorithm: 'ES256' };
}
