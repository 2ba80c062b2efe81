import { methodEnablement, targetsUser, transitiveGroups } from '../../machines/membership.ts';
import {
  type ExcludeTarget,
  type PasskeyType,
  type RegisteredMethod,
  registeredMethods,
  type TenantFacts,
  type UserFacts,
} from '../../machines/vocabulary.ts';
import type { PreferredMethod, UserProfile } from '../contract/sandbox.schema.ts';

/** User data that the registration report is derived from. */
export interface RegisteredUser {
  readonly facts: UserFacts;
  readonly profile: UserProfile;
}

/** Tenant data that the registration report is derived from. */
export interface RegistrationPolicy {
  readonly methodsPolicy: TenantFacts['methodsPolicy'];
  readonly groups: TenantFacts['groups'];
  /** Preferences of the system for a method: its state and targets, as the policy contains them. */
  readonly systemPreferences: Readonly<Record<string, unknown>>;
  /** `true` if users can reset their own passwords. */
  readonly resetsPasswords: boolean;
}

/** Telephone of a user that is registered for authentication. */
export type PhoneType = 'mobile' | 'alternateMobile' | 'office';

/** Name of the method that the registration report shows as preferred. */
type ReportedPreference = PreferredMethod | 'none';

/** Registration report of one user, except for names and times. Names of methods are those of the specification. */
export interface RegistrationDetails {
  readonly isAdmin: boolean;
  readonly isMfaCapable: boolean;
  readonly isMfaRegistered: boolean;
  readonly isPasswordlessCapable: boolean;
  readonly isSsprRegistered: boolean;
  readonly isSsprEnabled: boolean;
  readonly isSsprCapable: boolean;
  readonly methodsRegistered: readonly string[];
  readonly userPreferredMethodForSecondaryAuthentication: ReportedPreference;
  readonly isSystemPreferredAuthenticationMethodEnabled: boolean;
  readonly systemPreferredAuthenticationMethods: readonly ReportedPreference[];
}

/**
 * Lists the registered telephones of a user. `sms` means the mobile phone, which `voice` can also call, and `voice`
 * alone means the office phone. Further telephones that `voice` calls next to a mobile phone are those whose number is
 * in the directory data.
 */
export function listPhoneTypes({ facts: { methods }, profile }: RegisteredUser): readonly PhoneType[] {
  const [texts, calls] = [methods.includes('sms'), methods.includes('voice')];
  const { alternateMobile, office } = profile.directory?.phones ?? {};
  return [
    ...(texts ? (['mobile'] as const) : []),
    ...(texts && calls && alternateMobile !== undefined ? (['alternateMobile'] as const) : []),
    ...(calls && (!texts || office !== undefined) ? (['office'] as const) : []),
  ];
}

const phoneNames: Readonly<Record<PhoneType, string>> = {
  mobile: 'mobilePhone',
  office: 'officePhone',
  alternateMobile: 'alternateMobilePhone',
};

/** Telephones in the order of the report. */
const phoneOrder: readonly PhoneType[] = ['mobile', 'office', 'alternateMobile'];

/** Names of passkeys in the order of the report. */
const passkeyNames: readonly (readonly [PasskeyType, string])[] = [
  ['windows-hello-for-business', 'windowsHelloForBusiness'],
  ['windows-bound', 'passKeyDeviceBoundWindowsHello'],
  ['mac-platform-sso', 'macOsSecureEnclaveKey'],
  ['authenticator-app', 'passKeyDeviceBoundAuthenticator'],
  ['security-key', 'passKeyDeviceBound'],
  ['password-manager', 'passKeySynced'],
  ['keychain', 'passKeySynced'],
  ['handset-vendor', 'passKeySynced'],
];

/** Preferences by the methods of the facts. */
const preferences: Readonly<Record<RegisteredMethod, PreferredMethod>> = {
  sms: 'sms',
  voice: 'voiceMobile',
  'authenticator-totp': 'oath',
  'authenticator-push': 'push',
  'hardware-totp': 'oath',
};

/** Order in which the system prefers methods. */
const systemOrder: readonly PreferredMethod[] = ['push', 'oath', 'sms', 'voiceMobile'];

/** Lists the registered methods of a user by the names of the report. */
function listRegisteredNames(user: RegisteredUser, policy: RegistrationPolicy): readonly string[] {
  const { facts, profile } = user;
  const { methods } = facts;
  const phones = listPhoneTypes(user);
  const { email, temporaryAccessPass } = profile.directory ?? {};
  const types = new Set(facts.passkeys.map(({ type }) => type));
  const names = [
    ...phoneOrder.filter((type) => phones.includes(type)).map((type) => phoneNames[type]),
    ...(methods.includes('authenticator-push') ? ['vendorAuthenticatorPush'] : []),
    ...(isPasswordlessByPhone(user, policy) ? ['vendorAuthenticatorPasswordless'] : []),
    ...(methods.includes('authenticator-totp') ? ['softwareOneTimePasscode'] : []),
    ...(methods.includes('hardware-totp') ? ['hardwareOneTimePasscode'] : []),
    ...(email === undefined ? [] : ['email']),
    ...(temporaryAccessPass === undefined ? [] : ['temporaryAccessPass']),
    ...passkeyNames.flatMap(([type, name]) => (types.has(type) ? [name] : [])),
  ];
  return [...new Set(names)];
}

/** Derives the registration report of a user. */
export function deriveRegistration(user: RegisteredUser, policy: RegistrationPolicy): RegistrationDetails {
  const { facts, profile } = user;
  const { methods, passkeys } = facts;
  const isSsprRegistered =
    listPhoneTypes(user).length > 0 || profile.directory?.email !== undefined || methods.includes('authenticator-push');
  const isSystemPreferred = isSystemPreferredFor(user, policy);
  return {
    isAdmin: (profile.roles ?? []).length > 0,
    isMfaCapable: facts.mfaCapable,
    isMfaRegistered: methods.length > 0 || passkeys.length > 0,
    isPasswordlessCapable:
      (passkeys.length > 0 && isEnabledFor(policy.methodsPolicy.fido2, facts, policy)) ||
      isPasswordlessByPhone(user, policy),
    isSsprRegistered,
    isSsprEnabled: policy.resetsPasswords,
    isSsprCapable: isSsprRegistered && policy.resetsPasswords,
    methodsRegistered: listRegisteredNames(user, policy),
    userPreferredMethodForSecondaryAuthentication: getPreference(user),
    isSystemPreferredAuthenticationMethodEnabled: isSystemPreferred,
    systemPreferredAuthenticationMethods: isSystemPreferred ? [getSystemPreference(facts)] : [],
  };
}

/** Returns the method that a user prefers, or the first one of the facts. */
export function getPreference({ facts, profile }: RegisteredUser): ReportedPreference {
  const chosen = profile.directory?.preferredMethod;
  if (chosen !== undefined) return chosen;
  const first = registeredMethods.find((method) => facts.methods.includes(method));
  if (first === undefined) return 'none';
  return first === 'voice' ? 'voiceOffice' : preferences[first];
}

function getSystemPreference({ methods }: UserFacts): ReportedPreference {
  return systemOrder.find((name) => methods.some((method) => preferences[method] === name)) ?? 'none';
}

type MethodTargets = Parameters<typeof methodEnablement>[0];

/** Returns `true` if the configuration of a method enables a user. */
export function isEnabledFor(
  method: MethodTargets,
  facts: UserFacts,
  policy: Pick<RegistrationPolicy, 'groups'>,
): boolean {
  if (method.state !== 'enabled') return false;
  const memberOf = listGroups([...method.includeTargets, ...method.excludeTargets], facts, policy);
  return methodEnablement(method, facts.id, memberOf).enabled;
}

const noGroups: ReadonlySet<string> = new Set();

/** Returns the groups of a user, or none if no target depends on them. */
function listGroups(
  targets: readonly ExcludeTarget[],
  facts: UserFacts,
  { groups }: Pick<RegistrationPolicy, 'groups'>,
): ReadonlySet<string> {
  const isNeeded = targets.some(({ targetType, id }) => targetType === 'group' && id !== 'all_users');
  return isNeeded ? transitiveGroups(groups, facts.groups) : noGroups;
}

/** Returns `true` if a user signs in with a push notification instead of a password. */
function isPasswordlessByPhone({ facts, profile }: RegisteredUser, policy: RegistrationPolicy): boolean {
  if (profile.directory?.passwordlessPhone !== true || !facts.methods.includes('authenticator-push')) return false;
  const { authenticator } = policy.methodsPolicy;
  const includeTargets = authenticator.includeTargets.filter(({ authenticationMode }) => authenticationMode !== 'push');
  return isEnabledFor({ ...authenticator, includeTargets }, facts, policy);
}

/**
 * Returns `true` if the system's preference applies to a user. While the provider manages it, an empty include list
 * means everyone.
 */
export function isSystemPreferredFor({ facts }: RegisteredUser, policy: RegistrationPolicy): boolean {
  const { state, includeTargets, excludeTargets } = policy.systemPreferences as {
    readonly state?: string;
    readonly includeTargets?: readonly ExcludeTarget[];
    readonly excludeTargets?: readonly ExcludeTarget[];
  };
  const [included, excluded] = [includeTargets ?? [], excludeTargets ?? []];
  if (state === 'disabled') return false;
  const memberOf = listGroups([...included, ...excluded], facts, policy);
  const isIn = (targets: readonly ExcludeTarget[]) => targets.some((target) => targetsUser(target, facts.id, memberOf));
  return (isIn(included) || (state === 'default' && included.length === 0)) && !isIn(excluded);
}
