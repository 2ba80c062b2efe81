import { readingsFrom } from '../campaign-facts.ts';
import { holds } from '../own/condition.ts';
import { findPasskeyProfiles, isEligible, type Suppression, suppressionUnder } from '../passkey-profiles.ts';
import { hasMatrixColumn } from '../platform.ts';
import type {
  AttemptFacts,
  EffectiveCampaign,
  MatrixPlatform,
  Passkey,
  PasskeyPolicy,
  PasskeyType,
  Platform,
  Ruleset,
  TenantFacts,
  UserFacts,
} from '../vocabulary.ts';
import { type GateFacts, met, notApplicable, type Rule, stopped } from './rule.ts';

interface LocalPasskeyFacts {
  readonly tenant: Pick<TenantFacts, 'options'> & {
    readonly methodsPolicy: { readonly fido2: Pick<PasskeyPolicy, 'includeTargets' | 'profiles'> };
  };
  readonly user: Pick<UserFacts, 'id' | 'passkeys'>;
  readonly attempt: Pick<AttemptFacts, 'deviceId'>;
  readonly campaign: Pick<EffectiveCampaign, 'state'>;
  readonly memberOf: ReadonlySet<string>;
  readonly platform: Platform;
}

/** Passkey types that belong to the device that created them if the tenant sets `strictDevice` (A9, A32). */
const deviceBoundPlatformTypes: readonly PasskeyType[] = [
  'windows-hello-for-business',
  'windows-bound',
  'mac-platform-sso',
];

/**
 * R11.3 and R12: A local passkey for this device-and-browser combination suppresses the prompt. The suppression
 * matrix of the ruleset decides. Under provider management, a ruleset that treats profiles as eligibility narrows
 * or overrides the matrix (A30, A31).
 */
export const localPasskeyRule: Rule<LocalPasskeyFacts> = {
  id: 'R11.3',
  summary: 'Passkey: the user has no local passkey for this device and browser.',
  source: ['R11.3', 'R12', 'A9', 'A29', 'A30', 'A31', 'A32'],
  appliesTo: 'fido2',
  reads: [
    'tenant.options.strictDevice',
    'tenant.methodsPolicy.fido2.includeTargets',
    'tenant.methodsPolicy.fido2.profiles',
    'user.id',
    'user.passkeys',
    'attempt.deviceId',
    'campaign.state',
    'memberOf',
    'platform',
  ],
  reasons: ['local-passkey'],
  evaluate: (facts, ruleset) => {
    const { platform } = facts;
    if (!hasMatrixColumn(platform)) return notApplicable({ platform });
    const types = facts.user.passkeys.map((passkey) => passkey.type);
    const suppressor = facts.user.passkeys.find((passkey) =>
      suppressions(facts, ruleset, passkey.type).some(
        (suppression) =>
          suppression === 'everywhere' ||
          (suppression === 'by-matrix' && matrixSuppresses(facts, ruleset, passkey, platform)),
      ),
    );
    return suppressor === undefined
      ? met({ platform, passkeys: types })
      : stopped('local-passkey', { platform, passkeys: types, suppressedBy: suppressor.type });
  },
};

/** Returns one suppression per relevant profile, or a single `by-matrix` if the whole matrix applies. */
function suppressions(facts: LocalPasskeyFacts, ruleset: Ruleset, type: PasskeyType): readonly Suppression[] {
  if (facts.campaign.state !== 'providerManaged' || ruleset.profiles === 'restrictions') return ['by-matrix'];
  const { extension } = ruleset;
  const hasAllTypes =
    extension !== undefined &&
    extension.allPasskeyTypes !== null &&
    holds(extension.allPasskeyTypes, readingsFrom(facts as Partial<GateFacts>, extension));
  const byProfile = findPasskeyProfiles(facts.tenant.methodsPolicy.fido2, facts.user.id, facts.memberOf)
    .filter(isEligible)
    .map((profile) => suppressionUnder(profile, type));
  return hasAllTypes ? [...byProfile, 'by-matrix'] : byProfile;
}

function matrixSuppresses(
  facts: LocalPasskeyFacts,
  ruleset: Ruleset,
  passkey: Passkey,
  platform: MatrixPlatform,
): boolean {
  if (!ruleset.matrix[passkey.type][platform]) return false;
  const bound = facts.tenant.options.strictDevice && deviceBoundPlatformTypes.includes(passkey.type);
  return !bound || passkey.deviceId === facts.attempt.deviceId;
}
