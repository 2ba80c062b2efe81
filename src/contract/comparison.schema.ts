import { z } from 'zod';
import { reasonCodes, verdictOutcomes } from '../../machines/vocabulary.ts';

/** What a comparison takes for the answer to a prompt that no one has answered. */
export const assumptions = ['skip', 'register', 'close'] as const;
export type Assumption = (typeof assumptions)[number];

const count = z.int().min(0);

/** One side of a comparison at one attempt: what the rules said, and the gate that stopped first. */
const side = z.strictObject({
  outcome: z.enum(verdictOutcomes),
  reason: z.enum(reasonCodes).nullable(),
  rule: z.string().nullable(),
});
export type VerdictSummary = z.infer<typeof side>;

/** Attempts by what changed of them. */
const changes = z.strictObject({
  attempts: count,
  promptedInBaseline: count,
  promptedInVariant: count,
  requiredBefore: count,
  requiredAfter: count,
  /** Not asked before, asked now. */
  newlyPrompted: count,
  noLongerPrompted: count,
  newlyRequired: count,
  noLongerRequired: count,
});
export type Changes = z.infer<typeof changes>;

/** Certain rests on recorded answers alone; assumed also on what was assumed for this user before. */
const split = z.strictObject({ certain: changes, assumed: changes });

const required = z.strictObject({
  /** Users whose next prompt would be required at their next sign-in. */
  users: count,
  /** Users for whom it would be, once the snooze that is running has elapsed (A46). */
  stillSnoozing: count,
});

const variant = z.strictObject({
  name: z.string(),
  ruleset: z.string(),
  totals: split,
  users: z.strictObject({
    all: count,
    /** Users of whom at least one attempt changed. */
    changed: count,
    newlyPrompted: count,
    noLongerPrompted: count,
    newlyRequired: count,
  }),
  /** Users required at their next sign-in: were the variant switched on at the end of the history, and had it been on throughout. */
  requiredAtNextSignIn: z.strictObject({ ifAppliedNow: required, ifAppliedThroughout: required }),
  /** Answers: those that applied, those that no longer do, and prompts for which one was assumed. */
  actions: z.strictObject({ applied: count, inapplicable: count, assumed: count }),
  /** Attempts by what the rules said before and after, the most frequent first. */
  byRule: z.array(z.strictObject({ before: side, after: side, certain: count, assumed: count })).readonly(),
  byPlatform: z.record(z.string(), split),
  byGroup: z.record(z.string(), split),
  byDay: z.record(z.string(), split),
  warnings: z.array(z.strictObject({ code: z.string(), rule: z.string(), message: z.string() })).readonly(),
});
export type ComparedVariant = z.infer<typeof variant>;

/** What `compare --json` prints. */
export const comparisonSchema = z.strictObject({
  source: z.string(),
  kind: z.enum(['journey', 'import']),
  from: z.string().nullable(),
  to: z.string().nullable(),
  attempts: count,
  users: count,
  assumedAction: z.enum(assumptions),
  baseRuleset: z.string(),
  baseWarnings: z.array(z.strictObject({ code: z.string(), rule: z.string(), message: z.string() })).readonly(),
  variants: z.array(variant).readonly(),
});
export type Comparison = z.infer<typeof comparisonSchema>;
