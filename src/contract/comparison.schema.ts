import { z } from 'zod';
import { verdictSummarySchema } from './verdict.schema.ts';

/** Actions that a comparison can assume for prompts without a recorded action. */
export const assumptions = ['skip', 'register', 'close'] as const;
export type Assumption = (typeof assumptions)[number];

const count = z.int().min(0);

/** Verdict of one policy for one attempt, with the first gate that stopped. */
const side = verdictSummarySchema.extend({ rule: z.string().nullable() });
export type VerdictSummary = z.infer<typeof side>;

/** Numbers of attempts by type of change. */
const changes = z.strictObject({
  attempts: count,
  promptedInBaseline: count,
  promptedInVariant: count,
  requiredBefore: count,
  requiredAfter: count,
  /** Attempts that are prompted in the variant but not in the baseline. */
  newlyPrompted: count,
  noLongerPrompted: count,
  newlyRequired: count,
  noLongerRequired: count,
});
export type Changes = z.infer<typeof changes>;

/**
 * Changes split by certainty: `certain` depends only on recorded actions, `assumed` also on assumed actions of the
 * user.
 */
const split = z.strictObject({ certain: changes, assumed: changes });

const required = z.strictObject({
  /** Number of users whose prompt at their next sign-in would be required. */
  users: count,
  /** Number of users whose next prompt would be required once their running snooze ends (A46). */
  stillSnoozing: count,
});

const certainty = z.strictObject({ certain: count, assumed: count });

/** Changes of one user under an own campaign, as numbers of attempts. */
const changedUser = z.strictObject({
  user: z.string(),
  changed: count,
  newlyPrompted: count,
  noLongerPrompted: count,
  newlyRequired: count,
  newlyBlocked: count,
  /** `true` if all of these depend only on recorded actions. */
  certain: z.boolean(),
});

/** Results that only own campaigns have (OC50). */
const ownResults = z.strictObject({
  newlyBlocked: certainty,
  noLongerBlocked: certainty,
  /** Number of users with at least one newly blocked attempt. */
  usersNewlyBlocked: count,
  /** Numbers of users whose next sign-in would be blocked. */
  blockedAtNextSignIn: z.strictObject({ ifAppliedNow: count, ifAppliedThroughout: count }),
  /** Verdicts that depend on the default of a fact that the history lacks, and those facts. */
  defaults: z.strictObject({
    verdicts: count,
    facts: z.array(z.strictObject({ fact: z.string(), verdicts: count })).readonly(),
  }),
  /** Users with changed attempts in order of their ids, up to a maximum. */
  changedUsers: z.array(changedUser).readonly(),
  changedUsersOmitted: count,
});
export type OwnComparison = z.infer<typeof ownResults>;

const variant = z.strictObject({
  name: z.string(),
  ruleset: z.string(),
  totals: split,
  users: z.strictObject({
    all: count,
    /** Number of users with at least one changed attempt. */
    changed: count,
    newlyPrompted: count,
    noLongerPrompted: count,
    newlyRequired: count,
  }),
  /**
   * Users who are required to register at the next sign-in if the variant applies now, or if it had applied throughout.
   */
  requiredAtNextSignIn: z.strictObject({ ifAppliedNow: required, ifAppliedThroughout: required }),
  /** Numbers of recorded actions that applied, recorded actions that are no longer applicable, and assumed actions. */
  actions: z.strictObject({ applied: count, inapplicable: count, assumed: count }),
  /** Attempt counts by verdict before and after, most frequent first. */
  byRule: z.array(z.strictObject({ before: side, after: side, certain: count, assumed: count })).readonly(),
  byPlatform: z.record(z.string(), split),
  byGroup: z.record(z.string(), split),
  byDay: z.record(z.string(), split),
  warnings: z.array(z.strictObject({ code: z.string(), rule: z.string(), message: z.string() })).readonly(),
  own: ownResults.optional(),
});
export type ComparedVariant = z.infer<typeof variant>;

/** Output of `compare --json`. */
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
