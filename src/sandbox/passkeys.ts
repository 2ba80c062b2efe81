import { transitiveGroups } from '../../machines/membership.ts';
import { admitsPasskey, profilesOf } from '../../machines/passkey-profiles.ts';
import type { Passkey, PasskeyType, TenantFacts, UserFacts } from '../../machines/vocabulary.ts';
import { representativeAaguids } from '../contract/aaguids.ts';
import type { PasskeyCredential, PasskeyTransport } from '../contract/credential.schema.ts';
import { type SeededCredential, seededCredential } from '../core/seeded-key.ts';
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
  return admitsPasskey(policy, profilesOf(policy, user.id, transitiveGroups(tenant.groups, user.groups)), made);
}

/**
 * The passkeys of a user. One that was not made at a page has a test credential, which depends on the seed of the sandbox, the
 * user, the kind and the device alone, so that any authenticator can hold it.
 */
export function heldPasskeys({ seed }: Pick<SandboxState, 'seed'>, user: UserRecord): readonly HeldPasskey[] {
  const alike = new Map<string, number>();
  return user.facts.passkeys.map((passkey, place) => {
    const credential = user.credentials.find(({ id }) => id === passkey.credentialId);
    if (credential !== undefined) {
      const testKey = credential.seededBy === undefined ? null : seededCredential(credential.seededBy);
      return { place, passkey, credential, testKey };
    }
    const sort = `${passkey.type} ${passkey.deviceId}`;
    const nth = (alike.get(sort) ?? 0) + 1;
    alike.set(sort, nth);
    const seededBy = `${seed} ${user.facts.id} ${sort} ${nth}`;
    const testKey = seededCredential(seededBy);
    return { place, passkey, credential: testCredential(passkey.type, testKey, seededBy), testKey };
  });
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
