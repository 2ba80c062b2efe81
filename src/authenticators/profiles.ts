import type { OperatingSystem, PasskeyType } from '../../machines/vocabulary.ts';
import { aaguidTable, representativeAaguids } from '../contract/aaguids.ts';
import { passkeyKindOf } from '../contract/passkey-kind.ts';
import { type AuthenticatorProfile, namelessAaguid } from './profile.ts';

type Traits = Pick<AuthenticatorProfile, 'transports' | 'attachment' | 'algorithm'>;

const onDevice: Traits = { transports: ['internal'], attachment: 'platform', algorithm: 'ES256' };
const onKey: Traits = { transports: ['usb', 'nfc'], attachment: 'cross-platform', algorithm: 'ES256' };

/** One of a phone or of synced passkeys: on its own systems the device's, elsewhere reached over the air. */
function onPhone(own: readonly OperatingSystem[], os: OperatingSystem): Traits {
  const attachment = own.includes(os) ? 'platform' : 'cross-platform';
  return { transports: ['internal', 'hybrid'], attachment, algorithm: 'ES256' };
}

const everywhere: readonly OperatingSystem[] = ['windows', 'macos', 'ios', 'android', 'linux', 'unknown'];

function traitsOf(type: PasskeyType, os: OperatingSystem): Traits {
  switch (type) {
    case 'windows-hello-for-business':
      // The keys of that hardware are RSA keys.
      return { ...onDevice, algorithm: 'RS256' };
    case 'windows-bound':
    case 'mac-platform-sso':
      return onDevice;
    case 'password-manager':
      return onPhone(everywhere, os);
    case 'keychain':
      return onPhone(['macos', 'ios'], os);
    case 'handset-vendor':
      return onPhone(['android'], os);
    case 'authenticator-app':
      return onPhone(['android', 'ios'], os);
    case 'security-key':
      return onKey;
  }
}

const syncedTypes: readonly PasskeyType[] = ['password-manager', 'keychain', 'handset-vendor'];

/**
 * The authenticator that makes a passkey of a row of the R12 matrix, as it stands before a browser on an operating system: its
 * attachment follows from the system, and the authenticator app has a make for each phone. The device-bound ones (A31) attest by
 * an authority when asked, the synced ones do not attest. Never fails: on a system that lacks the authenticator it is one that
 * claims to be there.
 */
export function authenticatorProfileOf(type: PasskeyType, os: OperatingSystem): AuthenticatorProfile {
  const synced = syncedTypes.includes(type);
  return {
    ...traitsOf(type, os),
    aaguid: aaguidOf(type, os),
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
export function namelessProfileOf(type: PasskeyType, os: OperatingSystem): AuthenticatorProfile | null {
  const known = authenticatorProfileOf(type, os);
  const transports = type === 'security-key' ? (['usb'] as const) : (['internal'] as const);
  const attachment = type === 'security-key' ? 'cross-platform' : 'platform';
  const kind = passkeyKindOf({ aaguid: namelessAaguid, transports, backupEligible: known.backupEligible, os });
  if (kind.type !== type) return null;
  return { ...known, aaguid: null, transports, attachment, attestation: 'none', algorithm: 'ES256' };
}

/** The make for that system where the type has one, else its representative. */
function aaguidOf(type: PasskeyType, os: OperatingSystem): string {
  return aaguidTable.find((row) => row.type === type && row.os === os)?.aaguid ?? representativeAaguids[type];
}
