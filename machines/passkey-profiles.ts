import { targetsUser } from './membership.ts';
import type { PasskeyPolicy, PasskeyProfile, PasskeyType, UserFacts } from './vocabulary.ts';

/** Passkey types that a provider synchronizes between devices (A31). All other types are device-bound. */
const syncedTypes: readonly PasskeyType[] = ['password-manager', 'keychain', 'handset-vendor'];

/**
 * Passkey types that make a profile eligible if its allow list contains one, in rulesets that treat profiles as
 * eligibility (A30).
 */
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

/** Returns true if passkeys of this type are synced (A31). */
function isSynced(type: PasskeyType): boolean {
  return syncedTypes.includes(type);
}

/**
 * Returns the passkey profiles of a user, collected from every include target that contains the user. A user
 * without a profile gets one unrestricted profile (A29).
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
 * Returns true if the passkey policy allows a passkey for a user: it must pass the policy's own key restrictions
 * and those of at least one of the user's profiles. `attested` is true if the passkey's model is attested, which a
 * profile can require.
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

/**
 * Returns true if a profile is restricted, for R11.7 in ruleset `seed`: synced only, device-bound only, attestation
 * enforced or AAGUID restrictions.
 */
export function isRestricted(profile: PasskeyProfile): boolean {
  return profile.passkeyTypes !== 'any' || profile.attestationEnforced || profile.keyRestrictions !== null;
}

/**
 * Returns true if a profile allows a prompt of the provider-managed campaign in ruleset 2026-09 (A30, A31).
 * Eligible profiles are unrestricted, synced only or device-bound only without key restrictions, allow lists with
 * one of the listed types, and device-bound with attestation enforced. A block list makes a profile ineligible.
 */
export function isEligible(profile: PasskeyProfile): boolean {
  const { keyRestrictions, attestationEnforced, passkeyTypes } = profile;
  if (keyRestrictions?.type === 'block') return false;
  if (keyRestrictions?.kinds.some((kind) => eligibleAllowListTypes.includes(kind))) return true;
  if (attestationEnforced) return passkeyTypes === 'deviceBound';
  return keyRestrictions === null;
}

/** Part of the R12 suppression matrix that applies under an eligible profile (A30, A31). */
export type Suppression = 'by-matrix' | 'everywhere' | 'never';

/**
 * Returns how a passkey suppresses the prompt under one eligible profile, for provider-managed campaigns in ruleset
 * 2026-09. With an allow list or enforced attestation, every allowed passkey suppresses the prompt everywhere. With
 * any other profile, the matrix decides for the allowed types.
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
