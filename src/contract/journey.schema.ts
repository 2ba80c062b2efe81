import { z } from 'zod';
import { nudgeStates, targetedMethods } from '../../machines/vocabulary.ts';
import { parseInstant } from '../core/clock.ts';
import { attemptInputSchema, sessionInputFields } from './context.schema.ts';
import { entryResponse } from './control-responses.schema.ts';
import { credentialSchema } from './credential.schema.ts';
import { attemptPatchSchema, tenantFactsSchema, userFactsSchema } from './facts.schema.ts';
import { faultsSchema } from './fault.schema.ts';
import { credentialKeys, profileSchema, tenantSettingsSchema } from './sandbox.schema.ts';
import { verdictSchema, verdictSummarySchema } from './verdict.schema.ts';

/** Format name in the first line of a journey file. */
export const journeyFormat = 'nudgelab-journey';
export const journeyVersion = 1;

const count = z.int().min(0);
const instant = z.string().refine((text) => parseInstant(text) !== null, { message: 'must be an ISO 8601 instant' });

/** Digest of this line and all previous lines as 16 hexadecimal digits, which detects changed or missing lines. */
const digest = z.string().regex(/^[0-9a-f]{16}$/, 'must be 16 hexadecimal digits');

const clockSetting = z.union([
  z.strictObject({ running: z.literal(true), offsetMs: z.number() }),
  z.strictObject({ running: z.literal(false), nowMs: z.number() }),
]);

const head = z.strictObject({
  kind: z.literal('journey'),
  format: z.literal(journeyFormat),
  version: z.literal(journeyVersion),
  sandbox: z.string(),
  ruleset: z.string(),
  /** SHA-256 digest of the ruleset's file (OC35); omitted for a built-in ruleset. */
  rulesetDigest: z
    .string()
    .regex(/^[0-9a-f]{64}$/, 'must be 64 hexadecimal digits')
    .optional(),
  seed: z.int().min(0),
  /** Virtual time of the initial state. */
  at: instant,
  clock: clockSetting,
  /** Exported range of the journal: the first and last sequence numbers, and the user if it is limited to one. */
  slice: z.strictObject({ from: count, to: count, user: z.string().nullable() }),
  digest,
});

const tenant = z.strictObject({
  kind: z.literal('tenant'),
  tenant: tenantFactsSchema,
  settings: tenantSettingsSchema,
  digest,
});

const openPrompt = z.strictObject({
  id: z.string(),
  method: z.enum(targetedMethods),
  required: z.boolean(),
  phase: z.enum(['offered', 'setup', 'error']),
  shownAtMs: z.number(),
  leftAtMs: z.number().nullable(),
});

const user = z.strictObject({
  kind: z.literal('user'),
  /** Journeys never contain credentials: pages use those of the fixtures. */
  user: userFactsSchema.extend(profileSchema.omit(credentialKeys).shape),
  credentials: z.array(credentialSchema).optional(),
  lifecycle: z
    .strictObject({
      state: z.enum(nudgeStates),
      openPrompts: z.array(openPrompt),
      registered: z.enum(targetedMethods).nullable(),
    })
    .optional(),
  digest,
});

const sandboxState = z.strictObject({
  kind: z.literal('sandboxState'),
  faults: faultsSchema,
  occurrences: z.array(count),
  acceptedTerms: z.array(z.string()),
  nextSignIns: z.record(z.string(), attemptInputSchema.extend(sessionInputFields)),
  digest,
});

const signIn = z.strictObject({
  kind: z.literal('signIn'),
  id: z.string(),
  userId: z.string(),
  startedAtMs: z.number(),
  patch: attemptPatchSchema,
  screen: z.string(),
  context: z.strictObject({ pending: z.array(z.string()), required: z.boolean() }),
  evaluation: z.looseObject({ outcome: verdictSchema.shape.outcome, digest: z.string() }).nullable(),
  interstitials: z.array(z.string()),
  factors: z.looseObject({}),
  digest,
});

/** Observable results of an event. */
const eventOutcome = z.strictObject({
  user: z.string().optional(),
  screen: z.string().optional(),
  ...verdictSummarySchema.partial().shape,
  /** Digest of the full verdict, including every gate and its evaluated facts. */
  verdict: z.string().optional(),
  nudgeStatus: z
    .strictObject({ state: z.enum(nudgeStates), count, snoozedAtMs: z.number().nullable() })
    .nullable()
    .optional(),
});

const event = z.strictObject({
  kind: z.literal('event'),
  step: z.int().min(1),
  /** Sequence number in the original journal. */
  place: z.int().min(1),
  at: instant,
  event: entryResponse.shape.event,
  outcome: eventOutcome,
  digest,
});

const end = z.strictObject({
  kind: z.literal('end'),
  steps: count,
  /** Number of omitted events by type, including events of other users if the journey is limited to one. */
  omitted: z.record(z.string(), count),
  otherUsersEvents: count,
  /** Digest of the final state. */
  state: z.string(),
  digest,
});

/** Line of a journey file. */
export const journeyLineSchema = z.discriminatedUnion('kind', [head, tenant, user, sandboxState, signIn, event, end]);

export type JourneyLine = z.infer<typeof journeyLineSchema>;
type LineOf<K extends JourneyLine['kind']> = Extract<JourneyLine, { kind: K }>;
export type JourneyHead = LineOf<'journey'>;
export type JourneyEvent = LineOf<'event'>;
export type JourneyOutcome = JourneyEvent['outcome'];
