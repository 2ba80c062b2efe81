import { z } from 'zod';
import {
  gateIds,
  reasonCodes,
  targetedMethods,
  type Verdict,
  verdictOutcomes,
  warningCodes,
} from '../../machines/vocabulary.ts';

const saw = z.record(z.string(), z.unknown());

/** Result of one gate in a verdict. */
export const ruleResultSchema = z.discriminatedUnion('outcome', [
  z.strictObject({ id: z.enum(gateIds), outcome: z.literal(['met', 'not-applicable']), saw }),
  z.strictObject({ id: z.enum(gateIds), outcome: z.literal('stopped'), reason: z.enum(reasonCodes), saw }),
]);

/** Verdict as the rules return it. Every API, report and file projects its part of a verdict from this schema. */
export const verdictSchema = z.strictObject({
  ruleset: z.string(),
  outcome: z.enum(verdictOutcomes),
  /** `null` if the user is prompted. */
  reason: z.enum(reasonCodes).nullable(),
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
