import { type OperatingSystem, type PasskeyType, passkeyTypes } from '../../machines/vocabulary.ts';
import { findPasskeyType } from './aaguids.ts';

/** What a registration tells of a passkey, and where it was made. */
export interface PasskeyTraits {
  readonly aaguid: string;
  /** As WebAuthn names them; a word that it does not know says nothing. */
  readonly transports: readonly string[];
  readonly backupEligible: boolean;
  /** The operating system on which the passkey was made. */
  readonly os: OperatingSystem;
}

/** Whether a text names a row of the R12 matrix. */
export function isPasskeyType(text: string): text is PasskeyType {
  return (passkeyTypes as readonly string[]).includes(text);
}

/** The row of the R12 matrix, and whether it is that of a known make or derived with low confidence. */
export interface DetectedPasskeyType {
  readonly type: PasskeyType;
  readonly confidence: 'known' | 'derived';
}

/**
 * The kind of a real passkey (A51): the row of a known AAGUID. Else a roaming transport makes a security key. Else a
 * backup-eligible one belongs to what syncs on that system, and a device-bound one to the system itself. Never fails.
 */
export function detectPasskeyType(traits: PasskeyTraits): DetectedPasskeyType {
  const known = findPasskeyType(traits.aaguid);
  return known === null ? { type: derivedType(traits), confidence: 'derived' } : { type: known, confidence: 'known' };
}

function derivedType({ transports, backupEligible, os }: PasskeyTraits): PasskeyType {
  if (isRoaming(transports)) return 'security-key';
  return backupEligible ? syncedTypes[os] : deviceBoundTypes[os];
}

/** `hybrid` beside `internal` is a phone or machine that can also be used from another one: not a roaming authenticator. */
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

/** The systems on which the authenticator of a type is part of the device; on the others it is reached from outside. */
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

/** Whether the authenticator of a type is part of the device that runs an operating system. */
export function isOnDevice(type: PasskeyType, os: OperatingSystem): boolean {
  return ownSystems[type].includes(os);
}
