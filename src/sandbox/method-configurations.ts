import { comparableId } from '../../machines/membership.ts';
import {
  type KeyRestrictions,
  type PasskeyProfile,
  passkeyTypes,
  type TenantFacts,
} from '../../machines/vocabulary.ts';
import { findPasskeyType, representativeAaguids } from '../contract/aaguids.ts';
import { getInitial } from '../contract/method-configurations/configuration-fields.ts';
import { configurationTypes, getConfigurationType } from '../contract/method-configurations/configuration-types.ts';
import type { MethodConfiguration, MethodTarget } from '../contract/method-configurations/method-configuration.ts';
import {
  noRestrictions,
  type WireKeyRestrictions,
  type WirePasskeyProfile,
} from '../contract/method-configurations/passkey-fields.ts';

type MethodsPolicy = TenantFacts['methodsPolicy'];

/** Configurations that were changed, by id. Those of passkeys and of the app add to the facts what no rule reads. */
export type StoredConfigurations = Readonly<Record<string, MethodConfiguration>>;

/** Parts of the state that the configurations are derived from. */
export interface ConfigurationSource {
  readonly tenant: Pick<TenantFacts, 'methodsPolicy'>;
  readonly extras: { readonly configurations?: StoredConfigurations | undefined };
}

const passkeyId = 'Fido2';
const appId = 'VendorAuthenticator';

/** Returns the configurations of all methods in the order of the reference, then the external ones. */
export function listConfigurations({ tenant, extras }: ConfigurationSource): readonly MethodConfiguration[] {
  const stored = extras.configurations ?? {};
  const listed = configurationTypes.flatMap((type): readonly MethodConfiguration[] => {
    const { id } = type;
    if (id === null) return [];
    const known = stored[id] ?? createInitial(type, id);
    if (id === passkeyId) return [toPasskeyConfiguration(tenant.methodsPolicy.fido2, known)];
    return [id === appId ? toAppConfiguration(tenant.methodsPolicy.authenticator, known) : known];
  });
  const ids = new Set(listed.map(({ id }) => id));
  return [...listed, ...Object.values(stored).filter(({ id }) => !ids.has(id))];
}

/** Returns a configuration that no rule reads, by its id in the words of the specification. */
export function getPlainConfiguration(stored: StoredConfigurations | undefined, id: string): MethodConfiguration {
  return stored?.[id] ?? createInitial(getConfigurationType(id), id);
}

/** Creates the initial configuration of a type. */
export function createInitial(type: (typeof configurationTypes)[number], id: string): MethodConfiguration {
  const everybody = { targetType: 'group', id: 'all_users', isRegistrationRequired: false } as const;
  return {
    id,
    state: type.initialState,
    ...getInitial(type.fields),
    excludeTargets: [],
    includeTargets: type.hasInitialTarget ? [{ ...everybody, ...getInitial(type.targetFields) }] : [],
  };
}

/** Facts and extras after a change of one configuration. */
export interface StoredChange {
  /** Changed facts, or `null` if only extras change. */
  readonly methodsPolicy: MethodsPolicy | null;
  readonly configurations: StoredConfigurations;
}

/**
 * Stores a configuration. What the rules read goes into the facts, so the next verdict uses it.
 *
 * @param before - configuration before the change
 */
export function storeConfiguration(
  source: ConfigurationSource,
  after: MethodConfiguration,
  before: MethodConfiguration,
): StoredChange {
  const { methodsPolicy } = source.tenant;
  const stored = source.extras.configurations ?? {};
  if (after.id === passkeyId) {
    const whole = withAttestation(after, before);
    const configurations = { ...stored, [passkeyId]: whole };
    return { methodsPolicy: { ...methodsPolicy, fido2: toPasskeyFacts(whole) }, configurations };
  }
  const configurations = { ...stored, [after.id]: after };
  if (after.id !== appId) return { methodsPolicy: null, configurations };
  return { methodsPolicy: { ...methodsPolicy, authenticator: toAppFacts(after) }, configurations };
}

/** Resets a configuration to its default. An external one is removed. */
export function resetConfiguration(source: ConfigurationSource, id: string, defaults: MethodsPolicy): StoredChange {
  const { [id]: _removed, ...configurations } = source.extras.configurations ?? {};
  const { methodsPolicy } = source.tenant;
  if (id === passkeyId) return { methodsPolicy: { ...methodsPolicy, fido2: defaults.fido2 }, configurations };
  if (id === appId)
    return { methodsPolicy: { ...methodsPolicy, authenticator: defaults.authenticator }, configurations };
  return { methodsPolicy: null, configurations };
}

function toPasskeyConfiguration(facts: MethodsPolicy['fido2'], known: MethodConfiguration): MethodConfiguration {
  const knownProfiles = known['passkeyProfiles'] as readonly WirePasskeyProfile[];
  const profiles = facts.profiles.map((profile) =>
    toWireProfile(
      profile,
      knownProfiles.find(({ id }) => id === profile.id),
    ),
  );
  const usual = findDefaultProfile(profiles, known);
  return {
    ...known,
    state: facts.state,
    isSelfServiceRegistrationAllowed: facts.selfService,
    isAttestationEnforced: isAttestationEnforced(profiles, usual, known),
    keyRestrictions: toWireRestrictions(facts.keyRestrictions, known['keyRestrictions'] as WireKeyRestrictions),
    passkeyProfiles: profiles,
    defaultPasskeyProfile: usual,
    excludeTargets: facts.excludeTargets.map(({ targetType, id }) => ({ targetType, id })),
    includeTargets: facts.includeTargets.map(({ targetType, id, profiles: allowed }) => ({
      targetType,
      id,
      isRegistrationRequired: isRequired(known, { targetType, id }),
      allowedPasskeyProfiles: [...allowed],
    })),
  };
}

function toPasskeyFacts(configuration: MethodConfiguration): MethodsPolicy['fido2'] {
  const profiles = configuration['passkeyProfiles'] as readonly WirePasskeyProfile[];
  return {
    state: configuration.state,
    selfService: configuration['isSelfServiceRegistrationAllowed'] === true,
    keyRestrictions: toRestrictionFacts(configuration['keyRestrictions'] as WireKeyRestrictions),
    profiles: profiles.map(({ id, passkeyTypes: types, attestationEnforcement, keyRestrictions }) => ({
      id,
      passkeyTypes: types === 'deviceBound,synced' ? 'any' : types,
      attestationEnforced: attestationEnforcement === 'registrationOnly',
      keyRestrictions: toRestrictionFacts(keyRestrictions),
    })),
    excludeTargets: configuration.excludeTargets,
    includeTargets: configuration.includeTargets.map(({ targetType, id, ...fields }) => ({
      targetType,
      id,
      profiles: fields['allowedPasskeyProfiles'] as readonly string[],
    })),
  };
}

/** Returns the default profile: the one that was set if it still exists, or the first one. */
function findDefaultProfile(profiles: readonly WirePasskeyProfile[], known: MethodConfiguration): string | null {
  const { defaultPasskeyProfile: usual, passkeyProfiles: before } = known;
  const isSet = (before as readonly unknown[]).length > 0;
  if (isSet && (usual === null || profiles.some(({ id }) => id === usual))) return usual as string | null;
  return profiles[0]?.id ?? null;
}

function isAttestationEnforced(
  profiles: readonly WirePasskeyProfile[],
  usual: string | null,
  known: MethodConfiguration,
): boolean {
  if (profiles.length === 0) return known['isAttestationEnforced'] === true;
  const meant = usual === null ? profiles : profiles.filter(({ id }) => id === usual);
  return meant.every(({ attestationEnforcement }) => attestationEnforcement === 'registrationOnly');
}

/**
 * Applies a change of `isAttestationEnforced` to the default profile, or to every one if none is the default. A profile
 * that the same request adds or changes keeps what it says itself.
 */
function withAttestation(after: MethodConfiguration, before: MethodConfiguration): MethodConfiguration {
  if (after['isAttestationEnforced'] === before['isAttestationEnforced']) return after;
  const usual = after['defaultPasskeyProfile'];
  const attestationEnforcement = after['isAttestationEnforced'] === true ? 'registrationOnly' : 'disabled';
  const earlier = before['passkeyProfiles'] as readonly WirePasskeyProfile[];
  const isRepeated = (profile: WirePasskeyProfile) =>
    earlier.find(({ id }) => id === profile.id)?.attestationEnforcement === profile.attestationEnforcement;
  const profiles = (after['passkeyProfiles'] as readonly WirePasskeyProfile[]).map((profile) =>
    (usual === null || profile.id === usual) && isRepeated(profile) ? { ...profile, attestationEnforcement } : profile,
  );
  return { ...after, passkeyProfiles: profiles };
}

function toWireProfile(profile: PasskeyProfile, known: WirePasskeyProfile | undefined): WirePasskeyProfile {
  return {
    id: profile.id,
    name: known?.name ?? profile.id,
    passkeyTypes: profile.passkeyTypes === 'any' ? 'deviceBound,synced' : profile.passkeyTypes,
    attestationEnforcement: profile.attestationEnforced ? 'registrationOnly' : 'disabled',
    keyRestrictions: toWireRestrictions(profile.keyRestrictions, known?.keyRestrictions ?? noRestrictions),
  };
}

/**
 * Returns restrictions with AAGUIDs. Those that a request sent are repeated as long as the facts are what they stand
 * for.
 */
function toWireRestrictions(facts: KeyRestrictions | null, known: WireKeyRestrictions): WireKeyRestrictions {
  if (isSame(toRestrictionFacts(known), facts)) return known;
  if (facts === null) return noRestrictions;
  const aaGuids = facts.kinds.map((kind) => representativeAaguids[kind]);
  return { isEnforced: true, enforcementType: facts.type, aaGuids };
}

/** Returns the types of passkeys with at least one listed AAGUID. An unknown AAGUID stands for no type. */
function toRestrictionFacts({ isEnforced, enforcementType, aaGuids }: WireKeyRestrictions): KeyRestrictions | null {
  if (!isEnforced) return null;
  const listed = new Set(aaGuids.map(findPasskeyType));
  return { type: enforcementType, kinds: passkeyTypes.filter((type) => listed.has(type)) };
}

function isSame(one: KeyRestrictions | null, other: KeyRestrictions | null): boolean {
  if (one === null || other === null) return one === other;
  const kinds = new Set(other.kinds);
  return one.type === other.type && one.kinds.length === kinds.size && one.kinds.every((kind) => kinds.has(kind));
}

/** Lists the AAGUIDs in effect that no row of the table has. */
export function listUnknownAaguids(source: ConfigurationSource): readonly string[] {
  // The facts name only known types; other AAGUIDs are those that a request sent.
  if (source.extras.configurations?.[passkeyId] === undefined) return [];
  const passkeys = listConfigurations(source).find(({ id }) => id === passkeyId);
  if (passkeys === undefined) return [];
  const profiles = passkeys['passkeyProfiles'] as readonly WirePasskeyProfile[];
  const restrictions = [
    passkeys['keyRestrictions'] as WireKeyRestrictions,
    ...profiles.map((one) => one.keyRestrictions),
  ];
  const aaguids = restrictions.flatMap(({ isEnforced, aaGuids }) => (isEnforced ? aaGuids : []));
  return [...new Set(aaguids)].filter((aaguid) => findPasskeyType(aaguid) === null);
}

function toAppConfiguration(facts: MethodsPolicy['authenticator'], known: MethodConfiguration): MethodConfiguration {
  return {
    ...known,
    state: facts.state,
    excludeTargets: facts.excludeTargets.map(({ targetType, id }) => ({ targetType, id })),
    includeTargets: facts.includeTargets.map(({ targetType, id, authenticationMode }) => ({
      targetType,
      id,
      isRegistrationRequired: isRequired(known, { targetType, id }),
      authenticationMode,
    })),
  };
}

function toAppFacts({ state, includeTargets, excludeTargets }: MethodConfiguration): MethodsPolicy['authenticator'] {
  return {
    state,
    excludeTargets,
    includeTargets: includeTargets.map(({ targetType, id, ...fields }) => ({
      targetType,
      id,
      authenticationMode: fields[
        'authenticationMode'
      ] as MethodsPolicy['authenticator']['includeTargets'][number]['authenticationMode'],
    })),
  };
}

function isRequired({ includeTargets }: MethodConfiguration, wanted: Pick<MethodTarget, 'targetType' | 'id'>): boolean {
  const target = includeTargets.find(
    ({ targetType, id }) => targetType === wanted.targetType && comparableId(id) === comparableId(wanted.id),
  );
  return target?.isRegistrationRequired ?? false;
}
