import type { CampaignLimits } from './campaign-limits.ts';
import type { Reason, RuleId } from './gate-ids.ts';
import type { Condition, DeclaredFacts, FactDefinition } from './own/condition-data.ts';

/**
 * Domain types: tenant, user, attempt, campaign, passkey, platform and verdict.
 * The names are those of the specification. Lists are constants, so schemas and tables can share them.
 */

/** Values of `state` in the API. In facts, `null` means that nothing was set and the provider default applies. */
export const campaignStateSettings = ['enabled', 'disabled', 'default'] as const;
export type CampaignStateSetting = (typeof campaignStateSettings)[number];

/** Methods that a campaign can target (R2: one at a time per tenant). */
export const targetedMethods = ['vendorAuthenticator', 'fido2'] as const;
export type TargetedMethod = (typeof targetedMethods)[number];

export const targetTypes = ['user', 'group'] as const;
export type TargetType = (typeof targetTypes)[number];

export const authenticationModes = ['any', 'push', 'deviceBasedPush'] as const;
export type AuthenticationMode = (typeof authenticationModes)[number];

/** Passkey types, the rows of the R12 suppression matrix. */
export const passkeyTypes = [
  'windows-hello-for-business',
  'windows-bound',
  'password-manager',
  'keychain',
  'mac-platform-sso',
  'handset-vendor',
  'authenticator-app',
  'security-key',
] as const;
export type PasskeyType = (typeof passkeyTypes)[number];

/** Platforms that are columns of the R12 suppression matrix. */
export const matrixPlatforms = [
  'windows-chrome',
  'windows-other',
  'mac-chrome',
  'mac-other',
  'ios',
  'android',
] as const;
export type MatrixPlatform = (typeof matrixPlatforms)[number];

/** Device-and-browser combination. `linux` and `unknown` have no matrix column (A36). */
export type Platform = MatrixPlatform | 'linux' | 'unknown';

export const operatingSystems = ['windows', 'macos', 'ios', 'android', 'linux', 'unknown'] as const;
export type OperatingSystem = (typeof operatingSystems)[number];

export const browsers = ['chrome', 'edge', 'firefox', 'safari', 'other'] as const;
export type Browser = (typeof browsers)[number];

export const surfaces = ['browser', 'native-app', 'embedded-app', 'embedded-os-settings', 'oobe'] as const;
export type Surface = (typeof surfaces)[number];

/** Methods other than passkeys that a user can have registered. */
export const registeredMethods = ['sms', 'voice', 'authenticator-totp', 'authenticator-push', 'hardware-totp'] as const;
export type RegisteredMethod = (typeof registeredMethods)[number];

export const mfaMethods = [...registeredMethods, 'passkey'] as const;
export type MfaMethod = (typeof mfaMethods)[number];

export const mfaProviders = ['service', 'external', 'home-tenant'] as const;
export type MfaProvider = (typeof mfaProviders)[number];

export const subscriptions = ['paid', 'free', 'trial'] as const;
export type Subscription = (typeof subscriptions)[number];

export const userTypes = ['member', 'guest'] as const;
export type UserType = (typeof userTypes)[number];

export const profilePasskeyTypes = ['any', 'synced', 'deviceBound'] as const;
export type ProfilePasskeyTypes = (typeof profilePasskeyTypes)[number];

export interface ExcludeTarget {
  readonly targetType: TargetType;
  readonly id: string;
}

export interface IncludeTarget extends ExcludeTarget {
  readonly targetedAuthenticationMethod: TargetedMethod;
}

export interface CampaignSettings {
  readonly state: CampaignStateSetting | null;
  /** Snooze duration in days, 0 to 14, or `null` for the default of 1. */
  readonly snoozeDurationInDays: number | null;
  /** True if registration is required after the snooze limit, or `null` for the default of true. */
  readonly enforceRegistrationAfterAllowedSnoozes: boolean | null;
  readonly includeTargets: readonly IncludeTarget[];
  readonly excludeTargets: readonly ExcludeTarget[];
}

/** Rollout switches of assumption A19, which have an effect only if the campaign is provider managed. */
export interface Rollout {
  readonly method: boolean;
  readonly snoozeDays: boolean;
  readonly snoozeLimit: boolean;
  readonly targeting: boolean;
}

/** Key restrictions. Each passkey type in `kinds` represents the AAGUIDs of that type. */
export interface KeyRestrictions {
  readonly type: 'allow' | 'block';
  readonly kinds: readonly PasskeyType[];
}

export interface PasskeyProfile {
  readonly id: string;
  readonly passkeyTypes: ProfilePasskeyTypes;
  readonly attestationEnforced: boolean;
  readonly keyRestrictions: KeyRestrictions | null;
}

export interface AuthenticatorTarget extends ExcludeTarget {
  readonly authenticationMode: AuthenticationMode;
}

export interface PasskeyTarget extends ExcludeTarget {
  /** Ids of passkey profiles. An empty list means one unrestricted profile (A29). */
  readonly profiles: readonly string[];
}

export interface AuthenticatorPolicy {
  readonly state: 'enabled' | 'disabled';
  readonly includeTargets: readonly AuthenticatorTarget[];
  readonly excludeTargets: readonly ExcludeTarget[];
}

export interface PasskeyPolicy {
  readonly state: 'enabled' | 'disabled';
  readonly selfService: boolean;
  readonly keyRestrictions: KeyRestrictions | null;
  readonly includeTargets: readonly PasskeyTarget[];
  readonly excludeTargets: readonly ExcludeTarget[];
  readonly profiles: readonly PasskeyProfile[];
}

/** Facts of a tenant: campaign settings, methods policy, rollout, groups and options. */
export interface TenantFacts {
  readonly id: string;
  readonly subscription: Subscription;
  readonly campaign: CampaignSettings;
  readonly rollout: Rollout;
  readonly methodsPolicy: { readonly authenticator: AuthenticatorPolicy; readonly fido2: PasskeyPolicy };
  /** Direct parent groups of each group, by id. */
  readonly groups: Readonly<Record<string, readonly string[]>>;
  readonly options: { readonly strictDevice: boolean };
  /** Facts that the ruleset declares. */
  readonly facts?: DeclaredValues | undefined;
  /** Settings of the ruleset that differ from their defaults. */
  readonly settings?: DeclaredValues | undefined;
}

export interface Passkey {
  readonly type: PasskeyType;
  /** Id of the device that created the passkey. */
  readonly deviceId: string;
  /** Id of the credential used for verification. No rule reads it. */
  readonly credentialId?: string | undefined;
}

/** Snooze record of one user (R7, A8: one timer across devices and methods). */
export interface SnoozeRecord {
  readonly count: number;
  /** Start of the latest counted snooze in milliseconds on the virtual clock, or `null` if there is none. */
  readonly snoozedAtMs: number | null;
}

/**
 * Values of facts or settings that a ruleset declares, by name, as they are written: instants in ISO 8601, durations such
 * as `7d`.
 */
export type DeclaredValues = Readonly<Record<string, boolean | number | string | readonly string[] | null>>;

/** Facts of a user: groups, methods, passkeys and the snooze record. */
export interface UserFacts {
  readonly id: string;
  readonly type: UserType;
  /** Ids of the groups that the user is a direct member of. */
  readonly groups: readonly string[];
  readonly methods: readonly RegisteredMethod[];
  readonly passkeys: readonly Passkey[];
  readonly mfaCapable: boolean;
  readonly snooze: SnoozeRecord;
  /** Facts that the ruleset declares. */
  readonly facts?: DeclaredValues | undefined;
}

export interface MfaFacts {
  readonly completed: boolean;
  readonly provider: MfaProvider;
  readonly method: MfaMethod | null;
}

export interface ConditionalAccessFacts {
  /** True if a policy blocks the page for registering security information everywhere (R13.3, A49). */
  readonly registrationPageBlocked: boolean;
  /** True if the user currently meets the conditions of the policies on that page (R4, A49). */
  readonly registrationConditionMet: boolean;
}

/** Facts of a sign-in attempt: its context, its second factor and its time. */
export interface AttemptFacts {
  readonly os: OperatingSystem;
  readonly browser: Browser | null;
  readonly surface: Surface;
  readonly deviceId: string;
  readonly mfa: MfaFacts;
  readonly ssoSession: boolean;
  readonly registeredThisSession: boolean;
  readonly conditionalAccess: ConditionalAccessFacts;
  readonly termsOfUse: boolean;
  readonly customControls: boolean;
  /** Time of the attempt in milliseconds on the virtual clock. */
  readonly nowMs: number;
  /** Facts that the ruleset declares. */
  readonly facts?: DeclaredValues | undefined;
}

/** Facts that a verdict is evaluated on. */
export interface Facts {
  readonly tenant: TenantFacts;
  readonly user: UserFacts;
  readonly attempt: AttemptFacts;
}

export { type GateId, gateIds, type Reason, type ReasonCode, type RuleId, reasonCodes } from './gate-ids.ts';

/** Facts that a gate evaluated, by name, as plain JSON. */
export type EvaluatedFacts = Readonly<Record<string, unknown>>;

export type GateOutcome =
  | { readonly outcome: 'met'; readonly saw: EvaluatedFacts }
  | { readonly outcome: 'stopped'; readonly reason: Reason; readonly saw: EvaluatedFacts }
  | { readonly outcome: 'not-applicable'; readonly saw: EvaluatedFacts };

/** Result of one rule in a verdict. */
export type RuleResult = { readonly id: RuleId } & GateOutcome;

/** Outcomes of the built-in rulesets. */
export const verdictOutcomes = ['none', 'skippable', 'required'] as const;
/** All outcomes. `blocked`, which ends the sign-in on a page without a way on, is an outcome of ruleset files alone. */
export const allOutcomes = [...verdictOutcomes, 'blocked'] as const;
export type VerdictOutcome = (typeof allOutcomes)[number];

export const warningCodes = [
  'include-targets-empty',
  'unknown-target',
  'campaign-reaches-nobody',
  'passkey-kind-derived',
  'unknown-aaguid',
  'unusable-factor',
  'ruleset-digest-differs',
] as const;
export type WarningCode = (typeof warningCodes)[number];

export interface Warning {
  readonly code: WarningCode;
  readonly message: string;
}

/** Campaign in effect after state, rollout, subscription and ruleset are applied. */
export interface EffectiveCampaign {
  readonly state: 'enabled' | 'disabled' | 'providerManaged';
  /** Targeted method, or `null` if an enabled or disabled campaign has no include targets. */
  readonly method: TargetedMethod | null;
  readonly snoozeDays: number;
  /** True if registration is required after three snoozes (R6, A20). */
  readonly limited: boolean;
}

/** Result of the rules for one sign-in attempt. */
export interface Verdict {
  readonly ruleset: string;
  /** Edition in force, or `null` before the first one. Absent if the ruleset does not change with time (OC35). */
  readonly edition?: string | null | undefined;
  readonly outcome: VerdictOutcome;
  /** Reason code of the first gate that stopped, in ruleset order, or `null` if the user is prompted. */
  readonly reason: Reason | null;
  readonly rules: readonly RuleResult[];
  readonly warnings: readonly Warning[];
  readonly campaign: EffectiveCampaign;
}

/** States of the nudge lifecycle of a user. */
export const nudgeStates = ['notPrompted', 'prompted', 'snoozed', 'registrationRequired', 'registered'] as const;
export type NudgeState = (typeof nudgeStates)[number];

/** Values of a provider-managed campaign, stored in the ruleset. */
export interface ProviderManagedValues {
  /** Snooze duration in days, selected by the rollout switch or by the targeted method (A30). */
  readonly snoozeDays:
    | { readonly by: 'switch'; readonly before: number; readonly after: number }
    | { readonly by: 'method'; readonly vendorAuthenticator: number; readonly fido2: number };
  readonly limited:
    | { readonly by: 'switch'; readonly before: boolean; readonly after: boolean }
    | { readonly by: 'method'; readonly vendorAuthenticator: boolean; readonly fido2: boolean };
}

/** Gate that a ruleset file states as data. */
export interface DataGate {
  readonly summary: string;
  readonly source: readonly string[];
  readonly appliesTo: 'both' | TargetedMethod;
  /** Condition that has to hold. */
  readonly when: Condition;
  /** Reason code of a stop. */
  readonly stop: string;
}

/** Change of the effective campaign (OC18). Its condition reads facts of the tenant only. */
export interface CampaignChange {
  readonly when: Condition | null;
  readonly set: Partial<EffectiveCampaign>;
}

/** What a ruleset file adds to the rules of a registration campaign. Rulesets without any of it have no extension. */
export interface RulesetExtension {
  readonly facts: DeclaredFacts;
  readonly settings: Readonly<Record<string, FactDefinition>>;
  /** Defaults of boolean facts that follow from other facts, by path. */
  readonly derived: Readonly<Record<string, Condition>>;
  readonly campaign: readonly CampaignChange[];
  /** Conditions under which gates are not applicable, by id. */
  readonly skips: Readonly<Record<string, Condition>>;
  readonly gates: Readonly<Record<string, DataGate>>;
  /** Sentences of reason codes. */
  readonly reasons: Readonly<Record<string, string>>;
  readonly requirement: { readonly required: Condition | null; readonly blocked: Condition | null };
  /** Second factors that pages do not offer. */
  readonly unusable: readonly { readonly when: Condition | null; readonly methods: readonly MfaMethod[] }[];
  /** Users who have a passkey profile of all types besides those of the policy. */
  readonly allPasskeyTypes: Condition | null;
}

/** Named and versioned set of rules and matrix data. */
export interface Ruleset {
  readonly id: string;
  /** Ids of the gates in the order of evaluation. */
  readonly order: readonly RuleId[];
  readonly matrix: Readonly<Record<PasskeyType, Readonly<Record<MatrixPlatform, boolean>>>>;
  /**
   * Interpretation of passkey profiles under provider management: as restrictions (R11.7) or as eligibility (A30).
   */
  readonly profiles: 'restrictions' | 'eligibility';
  readonly providerManaged: ProviderManagedValues;
  readonly limits: CampaignLimits;
  readonly extension?: RulesetExtension;
  /** Name of these rules among the editions, or `null` before the first one. Absent if there are no editions. */
  readonly edition?: string | null;
  /** Later rules in the order of their start. Absent if the ruleset does not change with time (OC57). */
  readonly editions?: readonly { readonly fromMs: number; readonly rules: Ruleset }[];
}
