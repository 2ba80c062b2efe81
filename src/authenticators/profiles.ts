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

/**
 * Returns the traits of a passkey type. Phone and synced passkeys use a platform authenticator on their own systems
 * and hybrid transport elsewhere.
 */
function getTraits(type: PasskeyType, os: OperatingSystem): Traits {
  return {
    transports: transportsOf[type],
    attachment: isOnDevice(type, os) ? 'platform' : 'cross-platform',
    // Windows Hello for Business hardware uses RSA keys.
    algorithm: type === 'windows-hello-for-business' ? 'RS256' : 'ES256',
  };
}

const syncedTypes: readonly PasskeyType[] = ['password-manager', 'keychain', 'handset-vendor'];

/**
 * Returns the authenticator that creates passkeys of a row of the R12 matrix on an operating system. The system
 * determines its attachment, and the authenticator app has one model per phone system. Device-bound types (A31)
 * attest with a certificate authority on request, and synced types do not attest. The function never fails: on a
 * system that lacks the authenticator, the profile pretends that it exists.
 */
export function getAuthenticatorProfile(type: PasskeyType, os: OperatingSystem): AuthenticatorProfile {
  const synced = syncedTypes.includes(type);
  return {
    ...getTraits(type, os),
    aaguid: aaguidFor(type, os),
    backupEligible: synced,
    backupState: synced,
    attestation: synced ? 'none' : 'packed-ca',
    userVerification: true,
    residentKey: true,
  };
}

/**
 * Returns an authenticator with the zero AAGUID whose passkeys get this type only through assumption A51 on that
 * operating system. Returns `null` if A51 never derives the type there. Chromium's virtual authenticator can match
 * such a profile.
 */
export function findZeroAaguidProfile(type: PasskeyType, os: OperatingSystem): AuthenticatorProfile | null {
  const known = getAuthenticatorProfile(type, os);
  const transports = type === 'security-key' ? (['usb'] as const) : (['internal'] as const);
  const attachment = type === 'security-key' ? 'cross-platform' : 'platform';
  const kind = detectPasskeyType({ aaguid: zeroAaguid, transports, backupEligible: known.backupEligible, os });
  if (kind.type !== type) return null;
  return { ...known, aaguid: null, transports, attachment, attestation: 'none', algorithm: 'ES256' };
}
