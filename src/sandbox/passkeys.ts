import { transitiveGroups } from '../../machines/membership.ts';
import { allowsPasskey, findPasskeyProfiles } from '../../machines/passkey-profiles.ts';
import type { OperatingSystem, Passkey, PasskeyType, TenantFacts, UserFacts } from '../../machines/vocabulary.ts';
import { aaguidFor, representativeAaguids } from '../contract/aaguids.ts';
import type { PasskeyCredential, PasskeyTransport } from '../contract/credential.schema.ts';
import { readMetadataBlob, type SignedMetadata } from '../contract/passkey-settings.schema.ts';
import type { TenantSettings } from '../contract/sandbox.schema.ts';
import { parseInstant } from '../core/clock.ts';
import { type SeededCredential, seededCredential, seededCredentialId } from '../core/seeded-key.ts';
import type { SandboxState, UserRecord } from '../journal/state.ts';

/** Passkey of a user with the data used to verify it. */
export interface StoredPasskey {
  /** Position in the list of the user's passkeys, from 0. */
  readonly place: number;
  readonly passkey: Passkey;
  readonly credential: PasskeyCredential;
  /** Key of a test passkey from a fixture or the software authenticator, or `null` if the passkey is real. */
  readonly testKey: SeededCredential | null;
}

/** Passkey that was created on a page and verified. */
export interface MadePasskey {
  readonly passkey: Passkey;
  readonly credential: PasskeyCredential;
  /** True if the passkey's model is attested, which a profile of the policy can require. */
  readonly attested: boolean;
}

/** Returns true if the passkey policy of a tenant allows a user to register a passkey of this type. */
export function mayRegister(
  tenant: TenantFacts,
  user: UserFacts,
  made: { readonly type: PasskeyType; readonly attested: boolean },
): boolean {
  const policy = tenant.methodsPolicy.fido2;
  return allowsPasskey(
    policy,
    findPasskeyProfiles(policy, user.id, transitiveGroups(tenant.groups, user.groups)),
    made,
  );
}

/** Status reports after which no server may trust a model any more (FIDO Metadata Service 3, 3.1.4). */
const compromisedStatuses: readonly string[] = [
  'USER_VERIFICATION_BYPASS',
  'ATTESTATION_KEY_COMPROMISE',
  'USER_KEY_REMOTE_COMPROMISE',
  'USER_KEY_PHYSICAL_COMPROMISE',
];

/**
 * Returns the attestation result that a server would find for a passkey that the model registers without an
 * authenticator. Device-bound passkeys attest their model, and the metadata decides whether it is trusted. The
 * result is `refused` if the metadata reports the model as compromised or is outdated. `os` is the system where the
 * passkey is created, and `nowMs` the virtual time.
 */
export function getAttestation(
  settings: TenantSettings,
  type: PasskeyType,
  { os, nowMs }: { readonly os: OperatingSystem; readonly nowMs: number },
): 'trusted' | 'untrusted' | 'refused' {
  const metadata = settings.passkeys?.metadata;
  if (passkeyTraits[type].backupEligible) return 'untrusted';
  if (metadata === undefined) return 'trusted';
  const { lists, compromised, nextUpdate } =
    'blob' in metadata
      ? listedBy(metadata, type, os)
      : {
          lists: metadata.types.includes(type),
          compromised: metadata.compromised.includes(type),
          nextUpdate: metadata.nextUpdate,
        };
  if (!lists) return 'untrusted';
  return compromised || nowMs > (parseInstant(nextUpdate) ?? 0) ? 'refused' : 'trusted';
}

function listedBy({ blob }: SignedMetadata, type: PasskeyType, os: OperatingSystem) {
  const payload = readMetadataBlob(blob);
  const entry = payload?.entries.find(({ aaguid }) => aaguid === aaguidFor(type, os));
  const compromised = entry?.statusReports.some(({ status }) => compromisedStatuses.includes(status)) === true;
  return { lists: entry !== undefined, compromised, nextUpdate: payload?.nextUpdate ?? '' };
}

/**
 * Returns the passkeys of a user. A passkey that was not created on a page has a test credential. A test credential
 * depends only on the sandbox's random seed, the user, the passkey type and the device, so any authenticator can
 * hold it.
 */
export function listPasskeys({ seed }: Pick<SandboxState, 'seed'>, user: UserRecord): readonly StoredPasskey[] {
  const seeds = testSeeds(seed, user);
  return user.facts.passkeys.map((passkey, place) => {
    const credential = user.credentials.find(({ id }) => id === passkey.credentialId);
    if (credential !== undefined) {
      const testKey = credential.seededBy === undefined ? null : seededCredential(credential.seededBy);
      return { place, passkey, credential, testKey };
    }
    const seededBy = seeds.get(place) ?? '';
    const testKey = seededCredential(seededBy);
    return { place, passkey, credential: testCredential(passkey.type, testKey, seededBy), testKey };
  });
}

/** Returns the seed texts of test credentials, by the positions of the passkeys that were not created on a page. */
function testSeeds(seed: number, { facts, credentials }: UserRecord): ReadonlyMap<number, string> {
  const alike = new Map<string, number>();
  const seeds = new Map<number, string>();
  facts.passkeys.forEach(({ type, deviceId, credentialId }, place) => {
    if (credentials.some(({ id }) => id === credentialId)) return;
    const sort = `${type} ${deviceId}`;
    const nth = (alike.get(sort) ?? 0) + 1;
    alike.set(sort, nth);
    seeds.set(place, `${seed} ${facts.id} ${sort} ${nth}`);
  });
  return seeds;
}

/** Ids of test credentials, cached by the facts of their user. Changed facts are a new object. */
const testIds = new WeakMap<UserRecord['facts'], ReadonlySet<string>>();

/** Returns true if a user of the sandbox already has a passkey with this credential id (WebAuthn level 3, 7.1). */
export function isCredentialTaken(
  { seed, users }: Pick<SandboxState, 'seed' | 'users'>,
  credentialId: string,
): boolean {
  for (const user of users.stored()) {
    if (user.facts.passkeys.length === 0) continue;
    if (user.credentials.some(({ id }) => id === credentialId)) return true;
    let ids = testIds.get(user.facts);
    if (ids === undefined) {
      ids = new Set(Array.from(testSeeds(seed, user).values(), seededCredentialId));
      testIds.set(user.facts, ids);
    }
    if (ids.has(credentialId)) return true;
  }
  return false;
}

/**
 * Creates the test credential of a passkey registered now. `seededBy` is the seed text of its key, and `nowMs` the
 * virtual time.
 */
export function newTestCredential(type: PasskeyType, seededBy: string, nowMs: number): PasskeyCredential {
  return { ...testCredential(type, seededCredential(seededBy), seededBy), createdAtMs: nowMs };
}

function testCredential(type: PasskeyType, { id, publicKey }: SeededCredential, seededBy: string): PasskeyCredential {
  const { transports, backupEligible } = passkeyTraits[type];
  return {
    id,
    publicKey,
    counter: 0,
    aaguid: representativeAaguids[type],
    transports: [...transports],
    backupEligible,
    backedUp: backupEligible,
    name: 'Test passkey',
    createdAtMs: 0,
    kindConfidence: 'known',
    seededBy,
  };
}

interface PasskeyTraits {
  readonly transports: readonly PasskeyTransport[];
  /** True if the credential can be backed up. Synced passkeys can, and device-bound passkeys cannot (A31). */
  readonly backupEligible: boolean;
}

const bound: PasskeyTraits = { transports: ['internal'], backupEligible: false };
const synced: PasskeyTraits = { transports: ['internal', 'hybrid'], backupEligible: true };

const passkeyTraits: Readonly<Record<PasskeyType, PasskeyTraits>> = {
  'windows-hello-for-business': bound,
  'windows-bound': bound,
  'password-manager': synced,
  keychain: synced,
  'mac-platform-sso': bound,
  'handset-vendor': synced,
  'authenticator-app': { transports: ['hybrid', 'internal'], backupEligible: false },
  'security-key': { transports: ['usb', 'nfc'], backupEligible: false },
};
