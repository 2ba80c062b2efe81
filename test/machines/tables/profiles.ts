import type {
  KeyRestrictions,
  PasskeyProfile,
  PasskeyType,
  ProfilePasskeyTypes,
} from '../../../machines/vocabulary.ts';
import { keys } from '../facts-builder.ts';
import type { Cells } from './matrix.ts';

/** Key restrictions in the columns of the two profile tables. */
export const restrictions: readonly (readonly [string, KeyRestrictions | null])[] = [
  ['none', null],
  ['block', keys('block', 'keychain')],
  ['allow windows-hello-for-business', keys('allow', 'windows-hello-for-business')],
  ['allow windows-bound', keys('allow', 'windows-bound')],
  ['allow password-manager', keys('allow', 'password-manager')],
  ['allow keychain', keys('allow', 'keychain')],
  ['allow mac-platform-sso', keys('allow', 'mac-platform-sso')],
  ['allow handset-vendor', keys('allow', 'handset-vendor')],
  ['allow authenticator-app', keys('allow', 'authenticator-app')],
  ['allow security-key', keys('allow', 'security-key')],
  ['allow security-key and keychain', keys('allow', 'security-key', 'keychain')],
  ['allow nothing', keys('allow')],
];

type Marks = readonly (0 | 1)[];

/** First two fields of a profile, then for each column of `restrictions` whether it allows the prompt. */
export type ProfileRow = readonly [ProfilePasskeyTypes, boolean, Marks];

/** R11.7 in ruleset `seed`: every restriction stops. */
export const seedProfiles: readonly ProfileRow[] = [
  ['any', false, [1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0]],
  ['any', true, [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0]],
  ['synced', false, [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0]],
  ['synced', true, [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0]],
  ['deviceBound', false, [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0]],
  ['deviceBound', true, [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0]],
];

/**
 * R11.7 in ruleset `2026-09` (A30, A31). The rows are unrestricted, synced only or device-bound only without
 * restrictions, an allow list with a keychain, password-manager, authenticator-app or windows-bound AAGUID, and
 * device-bound with enforced attestation.
 */
export const septemberProfiles: readonly ProfileRow[] = [
  ['any', false, [1, 0, 0, 1, 1, 1, 0, 0, 1, 0, 1, 0]],
  ['any', true, [0, 0, 0, 1, 1, 1, 0, 0, 1, 0, 1, 0]],
  ['synced', false, [1, 0, 0, 1, 1, 1, 0, 0, 1, 0, 1, 0]],
  ['synced', true, [0, 0, 0, 1, 1, 1, 0, 0, 1, 0, 1, 0]],
  ['deviceBound', false, [1, 0, 0, 1, 1, 1, 0, 0, 1, 0, 1, 0]],
  ['deviceBound', true, [1, 0, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1]],
];

/**
 * Suppression matrix under one profile: a row for each type that suppresses on any platform, in the columns of R12.
 */
export interface ProfileMatrix {
  readonly claim: string;
  readonly profiles: readonly Omit<PasskeyProfile, 'id'>[];
  readonly suppress: Readonly<Partial<Record<PasskeyType, Cells>>>;
}

const everywhere: Cells = [1, 1, 1, 1, 1, 1];

const syncedOnly = { passkeyTypes: 'synced', attestationEnforced: false, keyRestrictions: null } as const;
const deviceBoundOnly = { passkeyTypes: 'deviceBound', attestationEnforced: false, keyRestrictions: null } as const;
const attested = { passkeyTypes: 'deviceBound', attestationEnforced: true, keyRestrictions: null } as const;
const unrestricted = { passkeyTypes: 'any', attestationEnforced: false, keyRestrictions: null } as const;

function listed(...kinds: readonly PasskeyType[]): Omit<PasskeyProfile, 'id'> {
  return { passkeyTypes: 'any', attestationEnforced: false, keyRestrictions: keys('allow', ...kinds) };
}

const syncedRows = {
  'password-manager': [1, 0, 1, 0, 0, 1],
  keychain: [0, 0, 1, 1, 1, 0],
  'handset-vendor': [0, 0, 0, 0, 0, 1],
} as const satisfies ProfileMatrix['suppress'];

const deviceBoundRows = {
  'windows-hello-for-business': [1, 1, 0, 0, 0, 0],
  'windows-bound': [1, 1, 0, 0, 0, 0],
  'mac-platform-sso': [0, 0, 1, 1, 0, 0],
  'authenticator-app': [0, 0, 0, 0, 1, 1],
  'security-key': everywhere,
} as const satisfies ProfileMatrix['suppress'];

/** Matrices by profile of ruleset `2026-09` in a provider-managed campaign (A29 to A31). */
export const profileMatrices: readonly ProfileMatrix[] = [
  { claim: 'no profile leaves the whole table', profiles: [], suppress: { ...syncedRows, ...deviceBoundRows } },
  {
    claim: 'an unrestricted profile leaves the whole table',
    profiles: [unrestricted],
    suppress: { ...syncedRows, ...deviceBoundRows },
  },
  { claim: 'synced only leaves the synced rows', profiles: [syncedOnly], suppress: syncedRows },
  { claim: 'device-bound only leaves the device-bound rows', profiles: [deviceBoundOnly], suppress: deviceBoundRows },
  {
    claim: 'with enforced attestation any device-bound passkey suppresses everywhere',
    profiles: [attested],
    suppress: {
      'windows-hello-for-business': everywhere,
      'windows-bound': everywhere,
      'mac-platform-sso': everywhere,
      'authenticator-app': everywhere,
      'security-key': everywhere,
    },
  },
  {
    claim: 'under an allow list what is listed suppresses everywhere, and nothing else does',
    profiles: [listed('keychain', 'handset-vendor')],
    suppress: { keychain: everywhere, 'handset-vendor': everywhere },
  },
  {
    claim: 'under an allow list the list alone decides, though the profile is synced only',
    profiles: [{ ...listed('windows-bound'), passkeyTypes: 'synced' }],
    suppress: { 'windows-bound': everywhere },
  },
  {
    claim: 'under a list with attestation a passkey has to be both listed and device-bound',
    profiles: [{ ...listed('keychain', 'windows-bound'), attestationEnforced: true }],
    suppress: { 'windows-bound': everywhere },
  },
  {
    claim: 'of several eligible profiles any one that suppresses is enough',
    profiles: [syncedOnly, listed('windows-bound')],
    suppress: { ...syncedRows, 'windows-bound': everywhere },
  },
  {
    claim: 'a profile that is not eligible suppresses nothing',
    profiles: [syncedOnly, listed('security-key')],
    suppress: syncedRows,
  },
];
