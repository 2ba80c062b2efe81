import { z } from 'zod';
import { snoozeDaysMax, snoozeDaysMin } from '../../machines/campaign-limits.ts';
import {
  authenticationModes,
  type CampaignSettings,
  campaignStateSettings,
  targetTypes,
} from '../../machines/vocabulary.ts';

/** States of a feature. `default` leaves the setting to the provider. */
export const featureStates = ['default', 'enabled', 'disabled'] as const;

/** Migration states of a tenant that moves from the legacy policies to this one. */
export const migrationStates = ['preMigration', 'migrationInProgress', 'migrationComplete'] as const;

/** Minimum of the voice reporting code, a digit on the phone keypad. */
export const voiceReportingCodeMin = 0;
export const voiceReportingCodeMax = 9;

/** Creates a schema for an integer range. It converts -0 to 0, which is the only form in responses and facts. */
const wholeNumber = (min: number, max: number) =>
  z
    .int()
    .min(min)
    .max(max)
    .overwrite((value) => value + 0);

const excludeTargetSchema = z.strictObject({ targetType: z.enum(targetTypes), id: z.string() });

/** Include target. The method is the tenant's own name for the authenticator app, or `fido2`. */
const includeTargetSchema = excludeTargetSchema.extend({ targetedAuthenticationMethod: z.string() });

const excludeTargets = z.array(excludeTargetSchema).readonly();

/** Campaign in API format. Settings that were never configured have their default values. */
export const campaignSectionSchema = z.strictObject({
  snoozeDurationInDays: wholeNumber(snoozeDaysMin, snoozeDaysMax),
  enforceRegistrationAfterAllowedSnoozes: z.boolean(),
  state: z.enum(campaignStateSettings),
  excludeTargets,
  includeTargets: z.array(includeTargetSchema).readonly(),
});

export const suspiciousActivitySchema = z.strictObject({
  state: z.enum(featureStates),
  voiceReportingCode: wholeNumber(voiceReportingCodeMin, voiceReportingCodeMax),
  includeTarget: excludeTargetSchema,
});

const credentialPreferencesSchema = z.strictObject({
  state: z.enum(featureStates),
  excludeTargets,
  includeTargets: z.array(excludeTargetSchema).readonly(),
});

const keyRestrictions = z.strictObject({
  isEnforced: z.boolean(),
  enforcementType: z.enum(['allow', 'block']),
  aaGuids: z.array(z.guid()).readonly(),
});

const methodTarget = excludeTargetSchema.extend({ isRegistrationRequired: z.boolean() });

const methodFields = { '@odata.type': z.string(), state: z.enum(['enabled', 'disabled']), excludeTargets };

const passkeyConfiguration = z.strictObject({
  ...methodFields,
  id: z.literal('Fido2'),
  isSelfServiceRegistrationAllowed: z.boolean(),
  isAttestationEnforced: z.boolean(),
  keyRestrictions,
  passkeyProfiles: z
    .array(
      z.strictObject({
        id: z.string(),
        name: z.string(),
        passkeyTypes: z.enum(['deviceBound,synced', 'deviceBound', 'synced']),
        attestationEnforcement: z.enum(['disabled', 'registrationOnly']),
        keyRestrictions,
      }),
    )
    .readonly(),
  defaultPasskeyProfile: z.string().nullable(),
  includeTargets: z.array(methodTarget.extend({ allowedPasskeyProfiles: z.array(z.string()).readonly() })).readonly(),
});

const appFeature = z.strictObject({
  state: z.enum(featureStates),
  includeTarget: excludeTargetSchema,
  excludeTarget: excludeTargetSchema,
});

const appConfiguration = z.strictObject({
  ...methodFields,
  id: z.string(),
  isSoftwareOathEnabled: z.boolean(),
  featureSettings: z.strictObject({
    displayAppInformationRequiredState: appFeature,
    displayLocationInformationRequiredState: appFeature,
  }),
  includeTargets: z.array(methodTarget.extend({ authenticationMode: z.enum(authenticationModes) })).readonly(),
});

const plainTargets = z.array(methodTarget).readonly();

/**
 * Configurations of methods that no rule reads. They are included because clients expect them, and they never change.
 */
const plainConfiguration = z.discriminatedUnion('id', [
  z.strictObject({
    ...methodFields,
    id: z.literal('Sms'),
    includeTargets: z.array(methodTarget.extend({ isUsableForSignIn: z.boolean() })).readonly(),
  }),
  z.strictObject({
    ...methodFields,
    id: z.literal('Voice'),
    isOfficePhoneAllowed: z.boolean(),
    includeTargets: plainTargets,
  }),
  z.strictObject({ ...methodFields, id: z.literal('SoftwareOath'), includeTargets: plainTargets }),
  z.strictObject({ ...methodFields, id: z.literal('HardwareOath'), includeTargets: plainTargets }),
  z.strictObject({
    ...methodFields,
    id: z.literal('TemporaryAccessPass'),
    defaultLifetimeInMinutes: z.int(),
    defaultLength: z.int(),
    minimumLifetimeInMinutes: z.int(),
    maximumLifetimeInMinutes: z.int(),
    isUsableOnce: z.boolean(),
    includeTargets: plainTargets,
  }),
  z.strictObject({
    ...methodFields,
    id: z.literal('Email'),
    allowExternalIdToUseEmailOtp: z.enum(featureStates),
    includeTargets: plainTargets,
  }),
]);

/** Policy in a response. A PATCH request can contain any part of it. */
export const policySchema = z.strictObject({
  '@odata.context': z.string(),
  id: z.string(),
  displayName: z.string(),
  description: z.string(),
  lastModifiedDateTime: z.iso.datetime(),
  policyVersion: z.string(),
  policyMigrationState: z.enum(migrationStates),
  registrationEnforcement: z.strictObject({ authenticationMethodsRegistrationCampaign: campaignSectionSchema }),
  reportSuspiciousActivitySettings: suspiciousActivitySchema,
  systemCredentialPreferences: credentialPreferencesSchema,
  authenticationMethodConfigurations: z
    .array(z.union([passkeyConfiguration, plainConfiguration, appConfiguration]))
    .readonly(),
});

export type Policy = z.infer<typeof policySchema>;
export type PlainConfiguration = z.infer<typeof plainConfiguration>;

/** Campaign settings with defaults applied, in domain terms. PATCH requests are read against them. */
export type ConcreteCampaign = { readonly [K in keyof CampaignSettings]: NonNullable<CampaignSettings[K]> };

/** Earliest and latest time of a policy change, independent of later clock changes. */
export interface PolicyModified {
  readonly earliestMs: number;
  readonly latestMs: number;
}

/**
 * Policy against which a PATCH is read. It has the API format, except that the campaign uses domain method names and
 * the time of the last change is replaced by the time range of all changes.
 */
export type PolicySubject = Omit<Policy, 'registrationEnforcement' | 'lastModifiedDateTime'> & {
  readonly lastModifiedDateTime: PolicyModified;
  readonly registrationEnforcement: { readonly authenticationMethodsRegistrationCampaign: ConcreteCampaign };
};
