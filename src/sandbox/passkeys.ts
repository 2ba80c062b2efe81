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

/** A passkey of a user with what it is verified by. */
export interface HeldPasskey {
  /** Its place in the list of the user's passkeys, from 0. */
  readonly place: number;
  readonly passkey: Passkey;
  readonly credential: PasskeyCredential;
  /** The key of a test passkey: one that a fixture gave, or that the test authenticator made. `null` for a real one. */
  readonly testKey: SeededCredential | null;
}

/** A passkey that was made at a page and verified. */
export interface MadePasskey {
  readonly passkey: Passkey;
  readonly credential: PasskeyCredential;
  /** Whether its make is attested, which a profile of the policy may insist on. */
  readonly attested: boolean;
}

/** Whether the passkey policy of a tenant lets a user register a passkey of this kind. */
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

/** Reports of a status with which no server may trust a model any more (FIDO Metadata Service 3, 3.1.4). */
const compromisedStatuses: readonly string[] = [
  'USER_VERIFICATION_BYPASS',
  'ATTESTATION_KEY_COMPROMISE',
  'USER_KEY_REMOTE_COMPROMISE',
  'USER_KEY_PHYSICAL_COMPROMISE',
];

/**
 * What comes of the attestation of a passkey that the model registers without an authenticator, as a server would find it:
 * device-bound ones attest their model, and metadata decide whether that is trusted. `refused` where the metadata report the model
 * as compromised or are out of date. Takes the system that the passkey is made on, and the virtual time.
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
 * The passkeys of a user. One that was not made at a page has a test credential, which depends on the seed of the sandbox, the
 * user, the kind and the device alone, so that any authenticator can hold it.
 */
export function heldPasskeys({ seed }: Pick<SandboxState, 'seed'>, user: UserRecord): readonly HeldPasskey[] {
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

/** The texts that test credentials are made from, by the places of those passkeys that were not made at a page. */
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

/** The ids of test credentials by the facts of their user; facts that change are others. */
const testIds = new WeakMap<UserRecord['facts'], ReadonlySet<string>>();

/** Whether some user of a sandbox has a passkey of this credential id already (WebAuthn level 3, 7.1). */
export function isCredentialTaken(
  { seed, users }: Pick<SandboxState, 'seed' | 'users'>,
  credentialId: string,
): boolean {
  for (const user of users.values()) {
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

/** A test credential of a passkey that is registered now. Takes the text that its key is made from, and the virtual time. */
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
  /** A31: what syncs may be backed up, what is bound to a device may not. */
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
