import { z } from 'zod';
import { snoozeDaysMax, snoozeDaysMin } from '../../machines/campaign-limits.ts';
import { gateIds, mfaMethods, targetedMethods } from '../../machines/vocabulary.ts';
import { campaignFacts, dataGateSchema, ownRulesetShape } from './ruleset.schema.ts';
import { conditionSchema } from './ruleset-values.schema.ts';

const days = z.int().min(snoozeDaysMin).max(snoozeDaysMax);

const useGate = z.strictObject({
  use: z.enum(gateIds).describe('Id of the built-in gate.'),
  skipIf: conditionSchema.optional().describe('Condition under which the gate is not applicable.'),
});
const campaignDataGate = dataGateSchema.extend({
  appliesTo: z
    .enum(['both', ...targetedMethods])
    .optional()
    .describe('Targeted method of the gate; both by default.'),
});

const providerManaged = z.strictObject({
  snoozeDays: z
    .discriminatedUnion('by', [
      z.strictObject({
        by: z.literal('switch').describe('The rollout switch selects the value.'),
        before: days.describe('Days before the rollout.'),
        after: days.describe('Days after the rollout.'),
      }),
      z.strictObject({
        by: z.literal('method').describe('The targeted method selects the value.'),
        vendorAuthenticator: days.describe('Days of app campaigns.'),
        fido2: days.describe('Days of passkey campaigns.'),
      }),
    ])
    .describe('Snooze duration in days.'),
  limited: z
    .discriminatedUnion('by', [
      z.strictObject({
        by: z.literal('switch').describe('The rollout switch selects the value.'),
        before: z.boolean().describe('Value before the rollout.'),
        after: z.boolean().describe('Value after the rollout.'),
      }),
      z.strictObject({
        by: z.literal('method').describe('The targeted method selects the value.'),
        vendorAuthenticator: z.boolean().describe('Value of app campaigns.'),
        fido2: z.boolean().describe('Value of passkey campaigns.'),
      }),
    ])
    .describe('Whether registration is required after the snooze limit.'),
});

const profileReading = z.enum(['restrictions', 'eligibility']);

const { ruleset, version, format, title, description, source, base, settings, reasons, matrix } = ownRulesetShape;

/** Schemas of the keys of a ruleset with the base `registration-campaign`, which are read one by one. */
export const campaignRulesetShape = {
  ruleset,
  version,
  format,
  title,
  description,
  source,
  base,
  campaign: z
    .array(
      z.strictObject({
        when: conditionSchema.optional().describe('Condition on facts of the tenant; always by default.'),
        set: z
          .strictObject({
            state: z.enum(['enabled', 'disabled', 'providerManaged']).optional().describe('State of the campaign.'),
            method: z.enum(targetedMethods).optional().describe('Targeted method.'),
            snoozeDays: days.optional().describe('Snooze duration in days.'),
            limited: z.boolean().optional().describe('Whether snoozes are limited.'),
          })
          .describe('Values over those of the effective campaign.'),
      }),
    )
    .max(32)
    .optional()
    .describe('Changes of the effective campaign, in order.'),
  settings,
  facts: campaignFacts,
  factors: z
    .strictObject({
      unusable: z
        .array(
          z.strictObject({
            when: conditionSchema.optional().describe('Users concerned; all by default.'),
            methods: z.array(z.enum(mfaMethods)).min(1).describe('Second factors that pages do not offer.'),
          }),
        )
        .max(32)
        .optional()
        .describe('Second factors that pages do not offer.'),
    })
    .optional()
    .describe('What applies to second factors.'),
  gates: z
    .array(z.union([useGate, campaignDataGate]))
    .max(128)
    .describe('Gates in the order of evaluation: built-in ones by use, and data.'),
  reasons,
  matrix,
  profiles: z
    .union([
      profileReading,
      z.strictObject({
        as: profileReading.describe('How profiles are read.'),
        allTypes: conditionSchema.optional().describe('Users who have a profile of all passkey types besides.'),
      }),
    ])
    .optional()
    .describe('Passkey profiles under provider management: as restrictions (R11.7) or as eligibility (A30).'),
  providerManaged: providerManaged.optional().describe('Values of a campaign that the provider manages.'),
  limits: z
    .strictObject({
      snoozeLimit: z.int().min(1).max(100).describe('Number of snoozes before registration is required.'),
      snoozeDaysDefault: days.describe('Snooze duration in days if none is configured.'),
      day: z.string().describe('Length of a day of the snooze duration, such as 24h.'),
      promptLifetime: z.string().describe('Lifetime of a prompt without an action, such as 15m.'),
    })
    .optional()
    .describe('Limits of the lifecycle. Editions cannot change them.'),
  requirement: ownRulesetShape.requirement,
  editions: ownRulesetShape.editions,
} as const;

/** Keys of a ruleset with the base `registration-campaign`. */
export type CampaignRulesetKey = keyof typeof campaignRulesetShape;

/** Patch of gates by id: a change of a gate, `null` to leave it out, or a new gate with `after`. */
const gatesPatch = z.record(z.string(), z.looseObject({}).nullable());

/** Keys that every ruleset file states itself. */
const stated = { ruleset: true, version: true, format: true, title: true, base: true } as const;

/** Schema of a ruleset file over a registration campaign or another ruleset, whose keys it merges over. */
export const mergedRulesetSchema = z
  .strictObject({
    ...ownRulesetShape,
    ...campaignRulesetShape,
    gates: z
      .union([campaignRulesetShape.gates, ownRulesetShape.gates, gatesPatch])
      .describe('Gates: a list, or a patch by id.'),
    facts: ownRulesetShape.facts,
    matrix: z.looseObject({}).describe('Passkey types by platform; 1 suppresses the prompt.'),
    providerManaged: z.looseObject({}).describe('Values of a campaign that the provider manages.'),
    limits: z.looseObject({}).describe('Limits of the lifecycle.'),
  })
  .partial()
  .required(stated);

/** Ruleset as its shape was accepted. Conditions are not parsed. */
export type WrittenCampaignRuleset = z.infer<z.ZodObject<typeof campaignRulesetShape>>;
