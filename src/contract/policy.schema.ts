import { z } from 'zod';
import { snoozeDaysMax, snoozeDaysMin } from '../../machines/campaign-limits.ts';
import {
  authenticationModes,
  type CampaignSettings,
  campaignStateSettings,
  targetTypes,
} from '../../machines/vocabulary.ts';

/** What is configured explicitly or left to the provider. */
export const featureStates = ['default', 'enabled', 'disabled'] as const;

/** How far a tenant has moved to this policy from the ones before it. */
export const migrationStates = ['preMigration', 'migrationInProgress', 'migrationComplete'] as const;

/** A digit on the keypad of a phone. */
export const voiceReportingCodeMin = 0;
export const voiceReportingCodeMax = 9;

/** Zero has one sign on the wire and in the facts. */
const wholeNumber = (min: number, max: number) =>
  z
    .int()
    .min(min)
    .max(max)
    .overwrite((value) => value + 0);

const excludeTargetSchema = z.strictObject({ targetType: z.enum(targetTypes), id: z.string() });

/** The method is the tenant's own word for the authenticator app, or `fido2`. */
const includeTargetSchema = excludeTargetSchema.extend({ targetedAuthenticationMethod: z.string() });

const excludeTargets = z.array(excludeTargetSchema).readonly();

/** The campaign as the wire shows it: what was never set stands there with its default. */
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

/** Methods that no rule reads; they are there because clients expect them, and they never change. */
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

/** The policy as the API answers it; a PATCH carries any part of it. */
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
export type PasskeyConfiguration = z.infer<typeof passkeyConfiguration>;
export type AppConfiguration = z.infer<typeof appConfiguration>;
export type PlainConfiguration = z.infer<typeof plainConfiguration>;

/** The campaign with its defaults made concrete, in the words of the domain: what a PATCH is read against. */
export type ConcreteCampaign = { readonly [K in keyof CampaignSettings]: NonNullable<CampaignSettings[K]> };

/** Between which times the policy was changed, whatever the clock did meanwhile. */
export interface PolicyModified {
  readonly earliestMs: number;
  readonly latestMs: number;
}

/**
 * The policy as a PATCH is read against it: the wire's, but for the campaign, whose methods are the domain's, and the time of the
 * last change, in whose place those of all changes stand.
 */
export type PolicySubject = Omit<Policy, 'registrationEnforcement' | 'lastModifiedDateTime'> & {
  readonly lastModifiedDateTime: PolicyModified;
  readonly registrationEnforcement: { readonly authenticationMethodsRegistrationCampaign: ConcreteCampaign };
};
