import { type OperatingSystem, type PasskeyType, passkeyTypes } from '../../machines/vocabulary.ts';
import { findPasskeyType } from './aaguids.ts';

/** Passkey properties from a registration, and the operating system of the device. */
export interface PasskeyTraits {
  readonly aaguid: string;
  /** Transports as in WebAuthn. Unknown values are ignored. */
  readonly transports: readonly string[];
  readonly backupEligible: boolean;
  /** Operating system on which the passkey was created. */
  readonly os: OperatingSystem;
}

/** Returns `true` if a text is a passkey type of the R12 matrix. */
export function isPasskeyType(text: string): text is PasskeyType {
  return (passkeyTypes as readonly string[]).includes(text);
}

/** Passkey type of the R12 matrix, and whether it is known from the AAGUID or derived with low confidence. */
export interface DetectedPasskeyType {
  readonly type: PasskeyType;
  readonly confidence: 'known' | 'derived';
}

/**
 * Detects the type of a real passkey (A51). A known AAGUID determines the type. Otherwise, a roaming transport means a
 * security key, a backup-eligible passkey has the usual synced type of its operating system, and a device-bound one the
 * usual device-bound type. Never throws.
 */
export function detectPasskeyType(traits: PasskeyTraits): DetectedPasskeyType {
  const known = findPasskeyType(traits.aaguid);
  return known === null ? { type: derivedType(traits), confidence: 'derived' } : { type: known, confidence: 'known' };
}

function derivedType({ transports, backupEligible, os }: PasskeyTraits): PasskeyType {
  if (isRoaming(transports)) return 'security-key';
  return backupEligible ? syncedTypes[os] : deviceBoundTypes[os];
}

/**
 * Returns `true` for a roaming authenticator. `hybrid` together with `internal` is a phone or computer that can also be
 * used from another device, so it is not roaming.
 */
function isRoaming(transports: readonly string[]): boolean {
  if (transports.includes('hybrid') && !transports.includes('internal')) return true;
  return transports.some((transport) => transport === 'usb' || transport === 'nfc' || transport === 'ble');
}

const syncedTypes: Readonly<Record<OperatingSystem, PasskeyType>> = {
  windows: 'password-manager',
  macos: 'keychain',
  ios: 'keychain',
  android: 'handset-vendor',
  linux: 'password-manager',
  unknown: 'password-manager',
};

const deviceBoundTypes: Readonly<Record<OperatingSystem, PasskeyType>> = {
  windows: 'windows-bound',
  macos: 'mac-platform-sso',
  ios: 'security-key',
  android: 'security-key',
  linux: 'security-key',
  unknown: 'security-key',
};

const everywhere: readonly OperatingSystem[] = ['windows', 'macos', 'ios', 'android', 'linux', 'unknown'];

/** Operating systems on which the authenticator of a type is part of the device. On other systems it is external. */
const ownSystems: Readonly<Record<PasskeyType, readonly OperatingSystem[]>> = {
  'windows-hello-for-business': everywhere,
  'windows-bound': everywhere,
  'password-manager': everywhere,
  keychain: ['macos', 'ios'],
  'mac-platform-sso': everywhere,
  'handset-vendor': ['android'],
  'authenticator-app': ['android', 'ios'],
  'security-key': [],
};

/** Returns `true` if the authenticator of a passkey type is part of a device with this operating system. */
export function isOnDevice(type: PasskeyType, os: OperatingSystem): boolean {
  return ownSystems[type].includes(os);
}
