import type { OperatingSystem, PasskeyType } from '../../machines/vocabulary.ts';

/** Public sources of the table rows, as read in 2026. */
export const aaguidSources = {
  /** The community list of passkey providers, passkeydeveloper/passkey-authenticator-aaguids. */
  community: 'https://github.com/passkeydeveloper/passkey-authenticator-aaguids',
  /** The FIDO metadata service, in which manufacturers publish their security key models. */
  metadata: 'https://mds3.fidoalliance.org/',
  /** The public documentation of the provider, which lists its own authenticators. */
  documentation: 'the public documentation of the provider',
} as const;
export type AaguidSource = keyof typeof aaguidSources;

/** Authenticator model with its name and its row of the R12 suppression matrix. */
export interface AaguidRow {
  /** AAGUID in lower case with hyphens. */
  readonly aaguid: string;
  readonly type: PasskeyType;
  /** Name that is displayed on pages. */
  readonly name: string;
  readonly source: AaguidSource;
  /** Operating system of the model, set only if a passkey type has one model per operating system. */
  readonly os?: OperatingSystem;
}

type Make = readonly [aaguid: string, name: string, source: AaguidSource, os?: OperatingSystem];

/**
 * Authenticator models of each passkey type. The first model of a type supplies the AAGUID if facts name only the type.
 * Windows Hello keys are divided by storage: hardware keys have the type `windows-hello-for-business`, enclave and
 * software keys have the type `windows-bound`. The browser's own key store on a Mac is omitted because no row of the
 * matrix describes it, so its type is derived like that of any unknown model (A51).
 */
const makes: Readonly<Record<PasskeyType, readonly [Make, ...Make[]]>> = {
  'windows-hello-for-business': [['08987058-cadc-4b81-b6e1-30de50dcbe96', 'Windows Hello', 'documentation']],
  'windows-bound': [
    ['9ddd1817-af5a-4672-a2b9-3e3dd95000a9', 'Windows Hello (enclave)', 'documentation'],
    ['6028b017-b1d4-4c02-b4b3-afcdafc96bb2', 'Windows Hello (software)', 'documentation'],
  ],
  'password-manager': [
    ['ea9b8d66-4d01-1d21-3ce4-b6b48cb575d4', 'Google Password Manager', 'community'],
    ['d3452668-01fd-4c12-926c-83a4204853aa', 'Edge password manager', 'community'],
    ['bada5566-a7aa-401f-bd96-45619a55120d', '1Password', 'community'],
    ['d548826e-79b4-db40-a3d8-11116f7e8349', 'Bitwarden', 'community'],
    ['531126d6-e717-415c-9320-3d9aa6981239', 'Dashlane', 'community'],
    ['0ea242b4-43c4-4a1b-8b17-dd6d0b6baec6', 'Keeper', 'community'],
    ['b84e4048-15dc-4dd0-8640-f4f60813c8af', 'NordPass', 'community'],
    ['b78a0a55-6ef8-d246-a042-ba0f6d55050c', 'LastPass', 'community'],
    ['50726f74-6f6e-5061-7373-50726f746f6e', 'Proton Pass', 'community'],
    ['f3809540-7f14-49c1-a8b3-8f813b225541', 'Enpass', 'community'],
    ['fdb141b2-5d84-443e-8a35-4698c205a502', 'KeePassXC', 'community'],
  ],
  keychain: [
    ['fbfc3007-154e-4ecc-8c0b-6e020557d7bd', 'iCloud Keychain', 'community'],
    ['dd4ec289-e01d-41c9-bb89-70fa845d4bf2', 'iCloud Keychain (managed)', 'community'],
  ],
  'mac-platform-sso': [['7fd635b3-2ef9-4542-8d9d-164f2c771efc', 'Platform credential for macOS', 'documentation']],
  'handset-vendor': [['53414d53-554e-4700-0000-000000000000', 'Samsung Pass', 'community']],
  'authenticator-app': [
    ['90a3ccdf-635c-4729-a248-9b709135078f', 'authenticator app (iOS)', 'documentation', 'ios'],
    ['de1e552d-db1d-4423-a619-566b625cdc84', 'authenticator app (Android)', 'documentation', 'android'],
  ],
  'security-key': [
    ['2fc0579f-8113-47ea-b116-bb5a8db9202a', 'YubiKey 5 with NFC', 'metadata'],
    ['d7781e5d-e353-46aa-afe2-3ca49f13332a', 'YubiKey 5 with NFC (5.7)', 'metadata'],
    ['cb69481e-8ff7-4039-93ec-0a2729a154a8', 'YubiKey 5 (5.1)', 'metadata'],
    ['ee882879-721c-4913-9775-3dfcce97072a', 'YubiKey 5 (5.2)', 'metadata'],
    ['24673149-6c86-42e7-98d9-433fb5b73296', 'YubiKey 5 with Lightning', 'metadata'],
    ['c1f9a0bc-1dd2-404a-b27f-8e29047a43fd', 'YubiKey 5 FIPS with NFC', 'metadata'],
    ['d8522d9f-575b-4866-88a9-ba99fa02f35b', 'YubiKey Bio', 'metadata'],
    ['f8a011f3-8c0a-4d15-8006-17111f9edc7d', 'Security Key by Yubico', 'metadata'],
    ['42b4fb4a-2866-43b2-9bf7-6c6669c2e5d3', 'Titan Security Key v2', 'metadata'],
    ['12ded745-4bed-47d4-abaa-e713f51d6393', 'Feitian AllinOne', 'metadata'],
    ['50a45b0c-80e7-f944-bf29-f552bfa2e048', 'ACS FIDO Authenticator', 'metadata'],
    ['7991798a-a7f3-487f-98c0-3faf7a458a04', 'HID Crescendo Key V3', 'metadata'],
  ],
};

const types = Object.keys(makes) as PasskeyType[];

/** Known authenticator models (A51) in matrix order. The representative model of each type comes first in its group. */
export const aaguidTable: readonly AaguidRow[] = types.flatMap((type) =>
  makes[type].map(([aaguid, name, source, os]) => ({
    aaguid,
    type,
    name,
    source,
    ...(os === undefined ? {} : { os }),
  })),
);

/** Representative AAGUID of each passkey type, needed because facts name types but WebAuthn messages carry AAGUIDs. */
export const representativeAaguids: Readonly<Record<PasskeyType, string>> = Object.fromEntries(
  types.map((type) => [type, makes[type][0][0]]),
) as Record<PasskeyType, string>;

/**
 * Returns the AAGUID of a passkey type on an operating system, or its representative AAGUID if no model is specific to
 * it.
 */
export function aaguidFor(type: PasskeyType, os: OperatingSystem): string {
  return aaguidTable.find((row) => row.type === type && row.os === os)?.aaguid ?? representativeAaguids[type];
}

const rowsByAaguid = new Map(aaguidTable.map((row) => [row.aaguid, row]));

/** Finds the table row of an AAGUID, ignoring case. Returns `null` if the AAGUID is not in the table. */
export function findAaguidRow(aaguid: string): AaguidRow | null {
  return rowsByAaguid.get(aaguid.toLowerCase()) ?? null;
}

/** Finds the passkey type of an AAGUID, ignoring case. Returns `null` if the AAGUID is not in the table. */
export function findPasskeyType(aaguid: string): PasskeyType | null {
  return findAaguidRow(aaguid)?.type ?? null;
}
