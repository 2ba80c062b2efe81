import type { PasskeyType } from '../../machines/vocabulary.ts';

/**
 * One public AAGUID for each type of passkey: facts name types, the wire names AAGUIDs. A type stands for many makes; the one
 * here represents it. Sources: the community list of passkey providers (passkeydeveloper/passkey-authenticator-aaguids), the
 * public metadata service of the key makers, and for the Mac's platform credential its public documentation; read in 2026.
 */
export const representativeAaguids: Readonly<Record<PasskeyType, string>> = {
  /** The operating system's own authenticator with its key in hardware. */
  'windows-hello-for-business': '08987058-cadc-4b81-b6e1-30de50dcbe96',
  /** The same authenticator with its key in a virtualised enclave: a passkey bound to the machine. */
  'windows-bound': '9ddd1817-af5a-4672-a2b9-3e3dd95000a9',
  /** A browser maker's password manager. */
  'password-manager': 'ea9b8d66-4d01-1d21-3ce4-b6b48cb575d4',
  /** The keychain that a phone and a Mac share. */
  keychain: 'fbfc3007-154e-4ecc-8c0b-6e020557d7bd',
  'mac-platform-sso': '7fd635b3-2ef9-4542-8d9d-164f2c771efc',
  /** A handset maker's own password store. */
  'handset-vendor': '53414d53-554e-4700-0000-000000000000',
  /** The authenticator app on a phone. */
  'authenticator-app': '90a3ccdf-635c-4729-a248-9b709135078f',
  /** A security key with USB and NFC. */
  'security-key': '2fc0579f-8113-47ea-b116-bb5a8db9202a',
};

const typesByAaguid = new Map(
  (Object.keys(representativeAaguids) as PasskeyType[]).map((type) => [representativeAaguids[type], type]),
);

/** The passkey type that an AAGUID represents, whatever its case; `null` for one that is not in the list. */
export function passkeyTypeOf(aaguid: string): PasskeyType | null {
  return typesByAaguid.get(aaguid.toLowerCase()) ?? null;
}
