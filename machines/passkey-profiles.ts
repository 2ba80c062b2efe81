import { targetsUser } from './membership.ts';
import type { PasskeyPolicy, PasskeyProfile, PasskeyType, UserFacts } from './vocabulary.ts';

/** A31: credentials that a provider synchronizes between devices; the other types are device-bound. */
const syncedTypes: readonly PasskeyType[] = ['password-manager', 'keychain', 'handset-vendor'];

/** A30: types of which one in an allow list makes a profile eligible in rulesets that read profiles as eligibility. */
const eligibleAllowListTypes: readonly PasskeyType[] = [
  'keychain',
  'password-manager',
  'authenticator-app',
  'windows-bound',
];

const unrestrictedProfile: PasskeyProfile = {
  id: 'unrestricted',
  passkeyTypes: 'any',
  attestationEnforced: false,
  keyRestrictions: null,
};

/** Whether passkeys of this type are synchronized (A31). */
function isSynced(type: PasskeyType): boolean {
  return syncedTypes.includes(type);
}

/**
 * The passkey profiles that apply to a user: those of every include target that names the user. No profile at all means
 * one unrestricted profile (A29).
 */
export function findPasskeyProfiles(
  policy: Pick<PasskeyPolicy, 'includeTargets' | 'profiles'>,
  userId: UserFacts['id'],
  memberOf: ReadonlySet<string>,
): readonly PasskeyProfile[] {
  const ids = new Set(
    policy.includeTargets
      .filter((target) => targetsUser(target, userId, memberOf))
      .flatMap((target) => target.profiles),
  );
  const profiles = policy.profiles.filter((profile) => ids.has(profile.id));
  return profiles.length === 0 ? [unrestrictedProfile] : profiles;
}

/**
 * Whether the passkey policy admits a passkey of a type for a user: the policy's own key restrictions, and those of one of the
 * user's profiles at least. `attested` says whether its make is attested, which a profile may insist on.
 */
export function allowsPasskey(
  policy: Pick<PasskeyPolicy, 'includeTargets' | 'profiles' | 'keyRestrictions'>,
  profiles: readonly PasskeyProfile[],
  { type, attested }: { readonly type: PasskeyType; readonly attested: boolean },
): boolean {
  if (!passes(policy.keyRestrictions, type)) return false;
  return profiles.some(({ passkeyTypes, attestationEnforced, keyRestrictions }) => {
    if (passkeyTypes !== 'any' && (passkeyTypes === 'synced') !== isSynced(type)) return false;
    return passes(keyRestrictions, type) && (attested || !attestationEnforced);
  });
}

function passes(restrictions: PasskeyPolicy['keyRestrictions'], type: PasskeyType): boolean {
  return restrictions === null || restrictions.kinds.includes(type) === (restrictions.type === 'allow');
}

/** R11.7 in the seed: synced only, device-bound only, attestation enforced or AAGUID restrictions. */
export function isRestricted(profile: PasskeyProfile): boolean {
  return profile.passkeyTypes !== 'any' || profile.attestationEnforced || profile.keyRestrictions !== null;
}

/**
 * Ruleset 2026-09 (A30, A31): whether a profile lets the provider's campaign ask: unrestricted; synced only or device-bound
 * only without key restrictions; an allow list that holds one of the listed types; device-bound with attestation enforced.
 * A block list makes a profile ineligible.
 */
export function isEligible(profile: PasskeyProfile): boolean {
  const { keyRestrictions, attestationEnforced, passkeyTypes } = profile;
  if (keyRestrictions?.type === 'block') return false;
  if (keyRestrictions?.kinds.some((kind) => eligibleAllowListTypes.includes(kind))) return true;
  if (attestationEnforced) return passkeyTypes === 'deviceBound';
  return keyRestrictions === null;
}

/** Which part of the R12 matrix an eligible profile leaves in force (A30, A31). */
export type Suppression = 'by-matrix' | 'everywhere' | 'never';

/**
 * Ruleset 2026-09, provider managed: how a passkey suppresses under one eligible profile. An allow list or enforced
 * attestation lets any passkey that the profile admits suppress everywhere; else the matrix decides for admitted types.
 */
export function suppressionUnder(profile: PasskeyProfile, type: PasskeyType): Suppression {
  const { keyRestrictions, attestationEnforced, passkeyTypes } = profile;
  if (keyRestrictions !== null || attestationEnforced) {
    const listed = keyRestrictions === null || keyRestrictions.kinds.includes(type);
    const attested = !attestationEnforced || !isSynced(type);
    return listed && attested ? 'everywhere' : 'never';
  }
  if (passkeyTypes === 'synced') return isSynced(type) ? 'by-matrix' : 'never';
  if (passkeyTypes === 'deviceBound') return isSynced(type) ? 'never' : 'by-matrix';
  return 'by-matrix';
}
