import type { PasskeyProfile, TenantFacts } from '../../machines/vocabulary.ts';
import { representativeAaguids } from './aaguids.ts';
import type { AppConfiguration, PasskeyConfiguration, PlainConfiguration, Policy } from './policy.schema.ts';

type MethodsPolicy = TenantFacts['methodsPolicy'];
type Targets = PasskeyConfiguration['excludeTargets'];

const everybody = { targetType: 'group', id: 'all_users' } as const;
const nobody = { targetType: 'group', id: '00000000-0000-0000-0000-000000000000' } as const;

/**
 * Returns the authentication method configurations of the policy in API format. They are read-only in this API: the
 * control API sets the underlying facts, and no rule reads the methods after the first two.
 *
 * @param authenticatorWireName - the tenant's own name for the authenticator app
 */
export function methodConfigurations(
  { fido2, authenticator }: MethodsPolicy,
  authenticatorWireName: string,
): Policy['authenticationMethodConfigurations'] {
  return [passkeyConfiguration(fido2), appConfiguration(authenticator, authenticatorWireName), ...plainConfigurations];
}

function passkeyConfiguration(policy: MethodsPolicy['fido2']): PasskeyConfiguration {
  const [baseline] = policy.profiles;
  return {
    '@odata.type': getODataType('fido2'),
    id: 'Fido2',
    state: policy.state,
    isSelfServiceRegistrationAllowed: policy.selfService,
    isAttestationEnforced: baseline?.attestationEnforced ?? false,
    keyRestrictions: wireRestrictions(policy.keyRestrictions),
    passkeyProfiles: policy.profiles.map((profile) => ({
      id: profile.id,
      name: profile.id,
      passkeyTypes: profile.passkeyTypes === 'any' ? 'deviceBound,synced' : profile.passkeyTypes,
      attestationEnforcement: profile.attestationEnforced ? 'registrationOnly' : 'disabled',
      keyRestrictions: wireRestrictions(profile.keyRestrictions),
    })),
    defaultPasskeyProfile: baseline?.id ?? null,
    excludeTargets: wireTargets(policy.excludeTargets),
    includeTargets: policy.includeTargets.map(({ targetType, id, profiles }) => ({
      targetType,
      id,
      isRegistrationRequired: false,
      allowedPasskeyProfiles: [...profiles],
    })),
  };
}

function appConfiguration(policy: MethodsPolicy['authenticator'], wireName: string): AppConfiguration {
  const feature = { state: 'default', includeTarget: everybody, excludeTarget: nobody } as const;
  return {
    '@odata.type': getODataType(wireName),
    id: `${wireName.charAt(0).toUpperCase()}${wireName.slice(1)}`,
    state: policy.state,
    isSoftwareOathEnabled: true,
    featureSettings: {
      displayAppInformationRequiredState: feature,
      displayLocationInformationRequiredState: feature,
    },
    excludeTargets: wireTargets(policy.excludeTargets),
    includeTargets: policy.includeTargets.map(({ targetType, id, authenticationMode }) => ({
      targetType,
      id,
      isRegistrationRequired: false,
      authenticationMode,
    })),
  };
}

function wireRestrictions(restrictions: PasskeyProfile['keyRestrictions']): PasskeyConfiguration['keyRestrictions'] {
  if (restrictions === null) return { isEnforced: false, enforcementType: 'allow', aaGuids: [] };
  const aaGuids = restrictions.kinds.map((kind) => representativeAaguids[kind]);
  return { isEnforced: true, enforcementType: restrictions.type, aaGuids };
}

function wireTargets(targets: Targets): Targets {
  return targets.map(({ targetType, id }) => ({ targetType, id }));
}

/** Returns the type name of a configuration. Clients read the name, and the namespace is specific to this project. */
function getODataType(method: string): string {
  return `#graph.${method}AuthenticationMethodConfiguration`;
}

const registered = { ...everybody, isRegistrationRequired: false } as const;

const plainConfigurations: readonly PlainConfiguration[] = [
  {
    '@odata.type': getODataType('sms'),
    id: 'Sms',
    state: 'enabled',
    excludeTargets: [],
    includeTargets: [{ ...registered, isUsableForSignIn: false }],
  },
  {
    '@odata.type': getODataType('voice'),
    id: 'Voice',
    state: 'enabled',
    isOfficePhoneAllowed: false,
    excludeTargets: [],
    includeTargets: [registered],
  },
  {
    '@odata.type': getODataType('softwareOath'),
    id: 'SoftwareOath',
    state: 'enabled',
    excludeTargets: [],
    includeTargets: [registered],
  },
  {
    '@odata.type': getODataType('hardwareOath'),
    id: 'HardwareOath',
    state: 'enabled',
    excludeTargets: [],
    includeTargets: [registered],
  },
  {
    '@odata.type': getODataType('temporaryAccessPass'),
    id: 'TemporaryAccessPass',
    state: 'disabled',
    defaultLifetimeInMinutes: 60,
    defaultLength: 8,
    minimumLifetimeInMinutes: 60,
    maximumLifetimeInMinutes: 480,
    isUsableOnce: false,
    excludeTargets: [],
    includeTargets: [registered],
  },
  {
    '@odata.type': getODataType('email'),
    id: 'Email',
    state: 'enabled',
    allowExternalIdToUseEmailOtp: 'default',
    excludeTargets: [],
    includeTargets: [],
  },
];
