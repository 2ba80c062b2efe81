import { z } from 'zod';
import { nudgeStates, reasonCodes } from '../../machines/vocabulary.ts';
import { clientsMax, listRowsMax, tokenLifetimeMaxSeconds } from '../core/limits.ts';
import { clientSchema } from './client.schema.ts';
import { attemptInputSchema } from './context.schema.ts';
import { snoozeRecordSchema, tenantFactsSchema } from './facts.schema.ts';
import { faultsSchema } from './fault.schema.ts';
import { lookupSchema } from './lookup.schema.ts';
import { sandboxUserSchema, tenantSettingsSchema } from './sandbox.schema.ts';

/** What the control API takes: bodies and queries. Every object is strict, so a misspelt key is refused and not ignored. */

const listRowsDefault = 100;

const sandboxId = z
  .string()
  .regex(/^[a-z0-9][a-z0-9-]{0,62}$/, 'a lower-case letter or digit, then up to 62 of those or hyphens');

/** An instant as ISO 8601 with a time zone. */
const instantSchema = z.iso.datetime({
  offset: true,
  error: 'an ISO 8601 instant such as 2026-01-05T09:00:00.000Z is wanted',
});

/** `PUT clock`: what is left out stays. */
export const clockRequest = z.strictObject({ now: instantSchema.optional(), running: z.boolean().optional() });

/** `POST sandboxes`. Users stand in a list, or in an object by their ids; each is parsed by `userRequest`. */
export const sandboxRequest = z.strictObject({
  id: sandboxId.optional(),
  tenant: tenantFactsSchema.optional(),
  users: z
    .union([z.array(z.unknown()), z.record(z.string(), z.unknown())], { error: 'a list of users, or users by id' })
    .meta({ description: 'Each user as PUT users/{user} takes it; in a list with its id.' })
    .optional(),
  clock: z
    .union([instantSchema, clockRequest], { error: 'an ISO 8601 instant, or {now, running}, is wanted' })
    .optional(),
  settings: tenantSettingsSchema.optional(),
  clients: z.array(clientSchema).max(clientsMax).optional(),
  faults: faultsSchema.optional(),
  lookup: lookupSchema.optional(),
  seed: z.int().optional(),
  ruleset: z.string().optional(),
});

/** `POST clock/advance`: the parts add up. */
export const advanceRequest = z.strictObject({
  days: z.number().optional(),
  hours: z.number().optional(),
  minutes: z.number().optional(),
  ms: z.number().optional(),
});

export const forkRequest = z.strictObject({ id: sandboxId.optional() });

const snapshotName = z.string().min(1).max(100);

export const snapshotRequest = z.strictObject({ name: snapshotName.optional() });

export const restoreRequest = z.strictObject({ name: snapshotName });

/** A body of a POST that says nothing. */
export const emptyRequest = z.strictObject({});

/** `POST sign-ins/{id}/push`: the number is the one that the page of the sign-in shows. */
export const pushRequest = z.strictObject({ approve: z.boolean(), number: z.string().max(2).optional() });

/** A merge patch (RFC 7396): objects merge, `null` takes a key back to its default. What it leads to is checked whole. */
export const mergePatchRequest = z.record(z.string(), z.unknown());

/** `PUT snooze`: the one labelled reset of count and timer (A3). */
export const snoozeRequest = snoozeRecordSchema;

/** `PUT users/{userId}`. The `nudge status` of an answer may stand in it and is not read: it is derived. */
export const userRequest = sandboxUserSchema
  .partial({ id: true })
  .extend({ snooze: snoozeRequest.prefault({}), nudgeStatus: z.unknown().optional() });

/** `PATCH users/{userId}`: a merge patch; the nudge status of an answer is not read. */
export const userPatchRequest = z.looseObject({
  snooze: z
    .looseObject({ snoozedAtMs: snoozeRecordSchema.shape.snoozedAtMs.unwrap().optional() })
    .nullable()
    .optional(),
  nudgeStatus: z.unknown().optional(),
});

/** `POST users/{userId}/next-sign-in`: what is known of the attempt in advance, used once. */
export const nextSignInRequest = attemptInputSchema;

/** `PUT faults`: all of them, in place of those that were set. The `occurrences` of an answer are counted and not read. */
export const faultsRequest = z.strictObject({ faults: faultsSchema, occurrences: z.unknown().optional() });

/** `POST tokens`: for a user or an application; for neither it is an administrator's. */
export const tokenRequest = z.strictObject({
  user: z.string().min(1).optional(),
  app: z.string().min(1).max(256).optional(),
  permissions: z.array(z.string()).default([]),
  roles: z.array(z.string()).default([]),
  expiresInSeconds: z.int().min(1).max(tokenLifetimeMaxSeconds).optional(),
});

export const revokeRequest = z.strictObject({ token: z.string().min(1) });

/** `POST explain`: a sign-in that has not taken place, under the ruleset of the sandbox unless another is named. */
export const explainRequest = z.strictObject({
  user: z.string().min(1),
  attempt: attemptInputSchema.prefault({}),
  ruleset: z.string().max(64).optional(),
});

/** `POST campaign/preview`: an update of the policy as PATCH takes it, and what the sign-ins are like. */
export const previewRequest = z.strictObject({
  patch: z.record(z.string(), z.unknown()).default({}),
  rollout: z
    .partialRecord(tenantFactsSchema.shape.rollout.unwrap().keyof(), z.boolean())
    .default({})
    .describe('Switches of the rollout that are turned.'),
  attempt: attemptInputSchema.prefault({}),
});

/** `POST observations`: what to tell, and whether the sandbox is done with afterwards. */
export const observationsRequest = z.strictObject({
  signIn: z.string().min(1).optional(),
  user: z.string().min(1).optional(),
  journal: z.boolean().default(false),
  deleteSandbox: z.boolean().default(false),
});

/** `PUT assumptions`: values by the id of the assumption. */
export const assumptionsRequest = z.record(
  z.string(),
  z.union([z.boolean(), z.number()], { error: 'true, false or a number is wanted' }),
);

const limit = z.coerce.number().int().min(1).max(listRowsMax).default(listRowsDefault);
const place = z.coerce.number().int().min(0);

export const noQuery = z.strictObject({});

/** Pages of a list whose rows have ids: after the id that the page before ended with. */
export const pageQuery = z.strictObject({ after: z.string().optional(), limit });

/** Users of a list: part of an id or a name, and the state of the lifecycle; `offset` passes over some of them. */
export const usersQuery = pageQuery.extend({
  offset: place.default(0),
  search: z.string().max(200).optional(),
  state: z.enum(nudgeStates).optional(),
  reason: z
    .enum(['none', ...reasonCodes])
    .optional()
    .describe('Why their next sign-in would not ask them; none for those whom it would ask.'),
});

/** Sign-ins of a user, and those that began before another. */
export const signInsQuery = z.strictObject({ user: z.string().optional(), before: z.string().optional(), limit });

/** Entries after a place in the journal, and of one type alone when it is named. */
export const journalQuery = z.strictObject({ after: place.default(0), type: z.string().optional(), limit });

/** The part of the journal that becomes a journey: places, both included, and the one user it is about. */
export const journeyQuery = z.strictObject({
  from: place.optional(),
  to: place.optional(),
  user: z.string().optional(),
});

/** Requests whose path begins so. */
export const requestsQuery = z.strictObject({ path: z.string().optional(), limit });

/** Where a stream begins; without it, at what happens from then on. `Last-Event-ID` says the same and wins. */
export const eventsQuery = z.strictObject({
  after: place.optional(),
  /** Whether each event is named by the type of its input; without a name it is a `message`, to be heard without knowing types. */
  named: z.stringbool({ error: 'true or false is wanted' }).default(true),
});
