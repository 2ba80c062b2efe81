import { z } from 'zod';
import {
  allOutcomes,
  gateIds,
  reasonCodes,
  targetedMethods,
  type Verdict,
  warningCodes,
} from '../../machines/vocabulary.ts';

/** Id of a rule: a built-in gate, or one that a ruleset file states. */
export const ruleIdSchema = z.union([z.enum(gateIds), z.string().regex(/^[A-Z][A-Za-z0-9.]{0,15}$/)]);

/** Code of a reason: a built-in one, or one of a ruleset file. */
export const reasonSchema = z.union([z.enum(reasonCodes), z.string().regex(/^[a-z][a-z0-9-]{0,63}$/)]);

const saw = z.record(z.string(), z.unknown());

/** Result of one gate in a verdict. */
export const ruleResultSchema = z.discriminatedUnion('outcome', [
  z.strictObject({ id: ruleIdSchema, outcome: z.literal(['met', 'not-applicable']), saw }),
  z.strictObject({ id: ruleIdSchema, outcome: z.literal('stopped'), reason: reasonSchema, saw }),
]);

/** Verdict as the rules return it. Every API, report and file projects its part of a verdict from this schema. */
export const verdictSchema = z.strictObject({
  ruleset: z.string(),
  /** Edition in force; `null` before the first one. Absent if the ruleset does not change with time. */
  edition: z.string().nullable().optional(),
  outcome: z.enum(allOutcomes),
  /** `null` if the user is prompted. */
  reason: reasonSchema.nullable(),
  rules: z.array(ruleResultSchema),
  warnings: z.array(z.strictObject({ code: z.enum(warningCodes), message: z.string() })),
  campaign: z.strictObject({
    state: z.enum(['enabled', 'disabled', 'providerManaged']),
    /** Targeted method. `null` if the campaign targets no method. */
    method: z.enum(targetedMethods).nullable(),
    snoozeDays: z.int().min(0),
    limited: z.boolean(),
  }),
}) satisfies z.ZodType<Verdict>;

/** Outcome of a verdict with its reason. */
export const verdictSummarySchema = verdictSchema.pick({ outcome: true, reason: true });

const factValue = z.union([z.boolean(), z.number(), z.string(), z.array(z.string()).readonly(), z.null()]);

/** When, and under which other facts, a sign-in without a prompt would have one (OC47). */
export const counterfactualSchema = z.strictObject({
  promptedFrom: z
    .string()
    .nullable()
    .describe('Earliest time at which the same sign-in would prompt; null if there is none.'),
  promptedIf: z
    .array(z.array(z.strictObject({ fact: z.string(), value: factValue })).readonly())
    .readonly()
    .describe('Smallest changes of facts at the same time with which the sign-in would prompt.'),
  complete: z
    .boolean()
    .describe('False if other times or facts can lead to a prompt: those that are too many, or not finite.'),
});
export type Counterfactual = z.infer<typeof counterfactualSchema>;

/** What verdicts of own campaigns have besides. All of it is absent with a registration campaign. */
export const ownVerdictFields = {
  method: z.string().optional().describe('Method that the prompt of an own campaign asks for.'),
  answers: z.array(z.string()).optional().describe('Ids of the answers that the prompt offers.'),
  deadlineAt: z.string().nullable().optional().describe('End of the deadline; null if there is none.'),
  variant: z.string().nullable().optional().describe('Variant of the rollout; null if there is none.'),
};
