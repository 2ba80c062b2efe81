import { z } from 'zod';
import { nudgeStates, reasonCodes, targetedMethods, verdictOutcomes } from '../../machines/vocabulary.ts';
import { parseInstant } from '../core/clock.ts';
import { attemptInputSchema } from './context.schema.ts';
import { credentialSchema } from './credential.schema.ts';
import { attemptPatchSchema, tenantFactsSchema, userFactsSchema } from './facts.schema.ts';
import { faultsSchema } from './fault.schema.ts';
import { profileSchema, tenantSettingsSchema } from './sandbox.schema.ts';

/** What the first line of a journey calls its format, and the version that this program writes. */
export const journeyFormat = 'nudgelab-journey';
export const journeyVersion = 1;

const count = z.int().min(0);
const instant = z.string().refine((text) => parseInstant(text) !== null, { message: 'an ISO 8601 instant' });

/** Digest of this line and of all before it: 16 hexadecimal digits; what was changed or cut off is noticed by it. */
const digest = z.string().regex(/^[0-9a-f]{16}$/, '16 hexadecimal digits');

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
  seed: z.int().min(0),
  /** Virtual time of the state that the journey begins with. */
  at: instant,
  clock: clockSetting,
  /** The part of the journal: its first and last place, and the one user it is about. */
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

/** What a user signs in with is no part of a journey: pages take the password and code of the fixtures. */
const { password: _password, code: _code, ...shownOfProfile } = profileSchema.shape;

const user = z.strictObject({
  kind: z.literal('user'),
  user: userFactsSchema.extend(shownOfProfile),
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
  nextSignIns: z.record(z.string(), attemptInputSchema),
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
  evaluation: z.looseObject({ outcome: z.enum(verdictOutcomes), digest: z.string() }).nullable(),
  interstitials: z.array(z.string()),
  factors: z.looseObject({}),
  digest,
});

/** What followed from an event, as far as someone could see it. */
const eventOutcome = z.strictObject({
  user: z.string().optional(),
  screen: z.string().optional(),
  outcome: z.enum(verdictOutcomes).optional(),
  reason: z.enum(reasonCodes).nullable().optional(),
  /** Digest of the whole verdict, with every gate and what it looked at. */
  verdict: z.string().optional(),
  nudgeStatus: z
    .strictObject({ state: z.enum(nudgeStates), count, snoozedAtMs: z.number().nullable() })
    .nullable()
    .optional(),
});

const event = z.strictObject({
  kind: z.literal('event'),
  step: z.int().min(1),
  /** Place in the journal that it was taken from. */
  place: z.int().min(1),
  at: instant,
  event: z.looseObject({ type: z.string() }),
  outcome: eventOutcome,
  digest,
});

const end = z.strictObject({
  kind: z.literal('end'),
  steps: count,
  /** Events that are no part of a journey, counted by type; those of other users, where it is about one. */
  omitted: z.record(z.string(), count),
  otherUsersEvents: count,
  /** Digest of the state after the last step. */
  state: z.string(),
  digest,
});

/** One line of a journey. */
export const journeyLineSchema = z.discriminatedUnion('kind', [head, tenant, user, sandboxState, signIn, event, end]);

export type JourneyLine = z.infer<typeof journeyLineSchema>;
type LineOf<K extends JourneyLine['kind']> = Extract<JourneyLine, { kind: K }>;
export type JourneyHead = LineOf<'journey'>;
export type JourneyEvent = LineOf<'event'>;
export type JourneyOutcome = JourneyEvent['outcome'];
