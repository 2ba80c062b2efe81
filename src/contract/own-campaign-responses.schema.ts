import { z } from 'zod';
import { reasonSchema } from './verdict.schema.ts';

const count = z.int().min(0);

/** Texts of the screens of an own campaign. */
const screenTexts = z
  .record(
    z.string(),
    z.strictObject({
      heading: z.string().nullable(),
      text: z.string().nullable(),
      buttons: z.record(z.string(), z.string()),
    }),
  )
  .describe('Texts of the screens by name; null stands for the generic text.');

/** Prompt of an own campaign with the texts of its ruleset. */
export const ownPromptResponse = z.strictObject({
  method: z.strictObject({ id: z.string(), label: z.string(), kind: z.string() }),
  answers: z
    .array(z.strictObject({ id: z.string(), label: z.string() }))
    .describe('Answers that the prompt offers now.'),
  deadlineAt: z.string().nullable(),
  edition: z.string().nullable(),
  variant: z.string().nullable(),
  skippable: z.boolean(),
  snoozesLeft: count.nullable(),
  errorSkippable: z.boolean().describe('True if the error screen of a failed setup can be skipped.'),
  waitMs: z.number().nullable().describe('Time until the next prompt after a skip; null if the cadence states none.'),
  screens: screenTexts,
});

/** Response of `GET sandboxes/{sandbox}/ruleset`: the ruleset of a sandbox as its clock has it in force. */
export const sandboxRulesetResponse = z.strictObject({
  ruleset: z.string(),
  title: z.string(),
  version: z.string().describe('Version of the ruleset; empty if the file does not state it.'),
  base: z.enum(['own', 'registration-campaign']).describe('Kind of campaign that the ruleset states in the end.'),
  digest: z.string().nullable(),
  edition: z.string().nullable().describe('Edition in force; null before the first one, or without editions.'),
  editions: z.array(z.strictObject({ id: z.string(), from: z.iso.datetime() })),
  settings: z.array(
    z.strictObject({
      name: z.string(),
      type: z.string(),
      value: z.unknown().describe('Value in force: instants in ISO 8601, durations in milliseconds such as 60000ms.'),
      isDefault: z.boolean().describe('True if the tenant does not set the value.'),
    }),
  ),
  method: z
    .strictObject({ id: z.string(), label: z.string(), kind: z.string() })
    .nullable()
    .describe('Method that the prompt of an own campaign asks for; null for a registration campaign.'),
  answers: z
    .array(
      z.strictObject({
        id: z.string(),
        label: z.string(),
        effects: z.array(z.string()),
        whenRequired: z.enum(['refused', 'offered']),
        hasButton: z.boolean().describe('False for closing, expiry and the choice of setup.'),
      }),
    )
    .describe('Answers of an own campaign; empty for a registration campaign.'),
  screens: screenTexts,
  reasons: z
    .array(reasonSchema)
    .describe('Codes of the reasons for which the rules in force show no prompt, in the order of the gates.'),
});
