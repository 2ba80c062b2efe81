import { z } from 'zod';
import { snoozeDaysMax, snoozeDaysMin } from '../../machines/campaign-limits.ts';
import { allUsersId, isAllUsers } from '../../machines/membership.ts';
import {
  authenticationModes,
  browsers,
  campaignStateSettings,
  mfaMethods,
  mfaProviders,
  operatingSystems,
  passkeyTypes,
  profilePasskeyTypes,
  registeredMethods,
  subscriptions,
  surfaces,
  type TargetedMethod,
  targetedMethods,
  targetTypes,
  userTypes,
} from '../../machines/vocabulary.ts';

/** Non-empty id. Only the policy API requires GUIDs. */
const id = z.string().min(1).max(256);

/**
 * Instant in milliseconds on the virtual clock, from 1970 to the end of 9999, the range that ISO 8601 can represent.
 */
const instantMs = z.number().min(0).max(253_402_300_799_999);

/** Snooze record of a user: the snooze count and the start of the latest snooze. */
const snoozeSchema = z.strictObject({
  count: z.int().min(0).default(0),
  snoozedAtMs: instantMs.nullable().default(null),
});

/** Latest allowed snooze time, 9999-01-01 in milliseconds. The end of any snooze that starts by then fits ISO 8601. */
const snoozedAtMsMax = 253_370_764_800_000;

/** Snooze record as the control API accepts it (A3). The limit keeps the end of the snooze a valid instant. */
export const snoozeRecordSchema = snoozeSchema.extend({
  snoozedAtMs: z.number().min(0).max(snoozedAtMsMax).nullable().default(null),
});

const targetFields = { targetType: z.enum(targetTypes), id };

const excludeTarget = z
  .strictObject({ ...targetFields, id: id.meta({ not: { const: allUsersId } }) })
  .refine((target) => !isAllUsers(target.id), {
    message: `${allUsersId} is not an object id and cannot be excluded (A37)`,
    path: ['id'],
  });

/** Include target. `all_users` means every user and is only valid with type `group`. */
const includeTarget = z
  .strictObject({ ...targetFields, targetedAuthenticationMethod: z.enum(targetedMethods) })
  .refine((target) => target.targetType === 'group' || !isAllUsers(target.id), {
    message: `${allUsersId} requires targetType group`,
    path: ['targetType'],
  })
  .meta({
    if: { type: 'object', properties: { id: { const: allUsersId } }, required: ['id'] },
    // biome-ignore lint/suspicious/noThenProperty: the keyword of JSON Schema.
    then: { type: 'object', properties: { targetType: { const: 'group' } } },
  });

const keyRestrictions = z
  .strictObject({ type: z.enum(['allow', 'block']), kinds: z.array(z.enum(passkeyTypes)) })
  .nullable();

const everybody = { targetType: 'group', id: allUsersId } as const;

const campaign = z
  .strictObject({
    state: z.enum(campaignStateSettings).nullable().default(null),
    snoozeDurationInDays: z.int().min(snoozeDaysMin).max(snoozeDaysMax).nullable().default(null),
    enforceRegistrationAfterAllowedSnoozes: z.boolean().nullable().default(null),
    includeTargets: z
      .array(includeTarget)
      .default([])
      // R2, A16: all include targets name one method.
      .meta({
        anyOf: targetedMethods.map((method) => ({
          type: 'array',
          items: { type: 'object', properties: { targetedAuthenticationMethod: { const: method } } },
        })),
      }),
    excludeTargets: z.array(excludeTarget).default([]),
  })
  .refine((settings) => oneMethod(settings.includeTargets), {
    message: 'must name one method: a campaign targets one method at a time (R2, A16)',
    path: ['includeTargets'],
  });

const authenticatorPolicy = z.strictObject({
  state: z.enum(['enabled', 'disabled']).default('enabled'),
  includeTargets: z
    .array(z.strictObject({ ...targetFields, authenticationMode: z.enum(authenticationModes).default('any') }))
    .default([{ ...everybody, authenticationMode: 'any' }]),
  excludeTargets: z.array(excludeTarget).default([]),
});

const passkeyProfile = z.strictObject({
  id,
  passkeyTypes: z.enum(profilePasskeyTypes).default('any'),
  attestationEnforced: z.boolean().default(false),
  keyRestrictions: keyRestrictions.default(null),
});

const passkeyPolicy = z.strictObject({
  state: z.enum(['enabled', 'disabled']).default('enabled'),
  selfService: z.boolean().default(true),
  keyRestrictions: keyRestrictions.default(null),
  includeTargets: z
    .array(z.strictObject({ ...targetFields, profiles: z.array(id).default([]) }))
    .default([{ ...everybody, profiles: [] }]),
  excludeTargets: z.array(excludeTarget).default([]),
  profiles: z.array(passkeyProfile).default([]),
});

/** Value of a fact or a setting that the ruleset declares. The ruleset determines its type. */
const declaredValueSchema = z.union([
  z.boolean(),
  z.number(),
  z.string().max(1_024),
  z.array(z.string().max(256)).max(256),
  z.null(),
]);

/** Values of facts or settings that the ruleset declares, by name. */
const declaredValuesSchema = z.record(z.string().min(1).max(64), declaredValueSchema);

/** Facts of a tenant. Every key is optional and defaults to the value in this schema. */
export const tenantFactsSchema = z.strictObject({
  id: id.default('tenant'),
  subscription: z.enum(subscriptions).default('paid'),
  campaign: campaign.prefault({}),
  rollout: z
    .strictObject({
      method: z.boolean().default(false),
      snoozeDays: z.boolean().default(false),
      snoozeLimit: z.boolean().default(false),
      targeting: z.boolean().default(false),
    })
    .prefault({}),
  methodsPolicy: z
    .strictObject({ authenticator: authenticatorPolicy.prefault({}), fido2: passkeyPolicy.prefault({}) })
    .prefault({}),
  groups: z.record(id, z.array(id)).default({}),
  options: z.strictObject({ strictDevice: z.boolean().default(false) }).prefault({}),
  facts: declaredValuesSchema.optional().describe('Facts that the ruleset declares, by name.'),
  settings: declaredValuesSchema
    .optional()
    .describe('Settings of the ruleset that differ from their defaults, by name.'),
});

/** Facts of a user. Every key except the id is optional and defaults to the value in this schema. */
export const userFactsSchema = z.strictObject({
  id,
  type: z.enum(userTypes).default('member'),
  groups: z.array(id).default([]),
  methods: z.array(z.enum(registeredMethods)).default(['sms']),
  passkeys: z
    .array(
      z.strictObject({
        type: z.enum(passkeyTypes),
        deviceId: id.default('device-1'),
        /** Id of the credential that verifies the passkey. A passkey that was not created on a page has none. */
        credentialId: id.optional(),
      }),
    )
    .default([]),
  mfaCapable: z.boolean().default(true),
  snooze: snoozeSchema.prefault({}),
  facts: declaredValuesSchema.optional().describe('Facts that the ruleset declares, by name.'),
});

const attemptFields = {
  os: z.enum(operatingSystems),
  browser: z.enum(browsers).nullable(),
  surface: z.enum(surfaces),
  deviceId: id,
  mfa: z.strictObject({
    completed: z.boolean().optional(),
    provider: z.enum(mfaProviders).optional(),
    method: z.enum(mfaMethods).nullable().optional(),
  }),
  ssoSession: z.boolean(),
  registeredThisSession: z.boolean(),
  conditionalAccess: z.strictObject({
    registrationPageBlocked: z.boolean().optional(),
    registrationConditionMet: z.boolean().optional(),
  }),
  termsOfUse: z.boolean(),
  customControls: z.boolean(),
  nowMs: instantMs,
  facts: declaredValuesSchema.describe('Facts of the attempt that the ruleset declares, by name.'),
};

/** Partial attempt. `completeAttempt` adds the missing fields. */
export const attemptPatchSchema = z.strictObject(attemptFields).partial();
/** Partial facts of an attempt. `completeAttempt` adds the defaults. */
export type AttemptPatch = z.infer<typeof attemptPatchSchema>;

/** Line of `explain --facts`: facts, and the ruleset if it is not the default. */
export const factsSchema = z.strictObject({
  ruleset: z.string().optional(),
  tenant: tenantFactsSchema.prefault({}),
  user: userFactsSchema,
  attempt: attemptPatchSchema.prefault({}),
});

/** Returns `true` if all include targets name the same method (R2, A16). */
export function oneMethod(targets: readonly { readonly targetedAuthenticationMethod: TargetedMethod }[]): boolean {
  return new Set(targets.map((target) => target.targetedAuthenticationMethod)).size <= 1;
}
