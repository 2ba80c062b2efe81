import { z } from 'zod';
import { nudgeStates } from '../../machines/vocabulary.ts';
import { clientsMax, listRowsMax, tokenLifetimeMaxSeconds } from '../core/limits.ts';
import { clientSchema } from './client.schema.ts';
import { attemptInputSchema, sessionInputFields } from './context.schema.ts';
import { snoozeRecordSchema, tenantFactsSchema } from './facts.schema.ts';
import { faultSchema, faultsMax } from './fault.schema.ts';
import { fixtureGiven } from './fixture-given.ts';
import { lookupSchema } from './lookup.schema.ts';
import { sandboxUserSchema, tenantSettingsSchema } from './sandbox.schema.ts';
import { signingAlgorithms } from './signing-algorithms.ts';
import { syntheticUsersSchema } from './synthetic-users.schema.ts';
import { reasonSchema } from './verdict.schema.ts';

/**
 * Request and query schemas of the control API. All objects are strict, so misspelled keys are rejected, not ignored.
 */

const listRowsDefault = 100;

const sandboxId = z
  .string()
  .regex(
    /^[a-z0-9][a-z0-9-]{0,62}$/,
    'must start with a lower-case letter or digit, followed by up to 62 of those or hyphens',
  );

/** ISO 8601 instant with a time zone. */
const instantSchema = z.iso.datetime({
  offset: true,
  error: 'must be an ISO 8601 instant such as 2026-01-05T09:00:00.000Z',
});

/** Request body of `PUT clock`. Omitted properties stay unchanged. */
export const clockRequest = z.strictObject({ now: instantSchema.optional(), running: z.boolean().optional() });

/** Settings of the tenant that no rule reads, and settings that the ruleset declares. The sandbox checks the latter. */
const allSettings = tenantSettingsSchema.catchall(z.unknown());

/** Tenant in a fixture or a scenario: its facts, and its settings under `settings`. */
const tenantWithSettings = tenantFactsSchema.extend({
  settings: allSettings
    .optional()
    .describe('Settings of the tenant that no rule reads, and settings that the ruleset declares, by name.'),
});

/** Faults in full, or by fixtures. */
const givenFaults = z.array(fixtureGiven('faults', faultSchema)).max(faultsMax);

/** User in a request body, which `userRequest` parses later. */
const givenUser = z.unknown();

/** Request body of `POST sandboxes`. `users` is a list, or an object keyed by id. `userRequest` parses each user. */
export const sandboxRequest = z.strictObject({
  id: sandboxId.optional(),
  tenant: fixtureGiven('tenants', tenantWithSettings).optional(),
  users: z
    .union([z.array(fixtureGiven('users', givenUser, true)), z.record(z.string(), fixtureGiven('users', givenUser))], {
      error: 'must be a list of users, or an object of users by id',
    })
    .meta({
      description:
        'Each user as in PUT users/{user}; in a list, with its id. A user of a list without an id has the name of its fixture.',
    })
    .optional(),
  syntheticUsers: syntheticUsersSchema
    .optional()
    .describe('Additional synthetic users, which are computed when they are needed and take no memory.'),
  clock: z.union([instantSchema, clockRequest], { error: 'must be an ISO 8601 instant or {now, running}' }).optional(),
  settings: allSettings.optional(),
  clients: z
    .array(fixtureGiven('clients', clientSchema, true))
    .max(clientsMax)
    .optional(),
  faults: givenFaults.optional(),
  lookup: fixtureGiven('lookup', lookupSchema).optional(),
  seed: z.int().optional(),
  ruleset: z.string().optional(),
});

/** Request body of `POST clock/advance`. The durations are added. */
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

/** Empty POST request body. */
export const emptyRequest = z.strictObject({});

/** Request body of `POST sign-ins/{id}/push`. `number` is the number that the sign-in page displays. */
export const pushRequest = z.strictObject({ approve: z.boolean(), number: z.string().max(2).optional() });

/**
 * Merge patch (RFC 7396). Objects are merged, and `null` resets a key to its default. The merged result is validated.
 */
export const mergePatchRequest = z.record(z.string(), z.unknown());

/** Request body of `PUT snooze`, the only explicit reset of the snooze count and timer (A3). */
export const snoozeRequest = snoozeRecordSchema;

/** Request body of `PUT tenant`: the facts and optionally the settings, in full or by a fixture. */
export const tenantRequest = fixtureGiven('tenants', tenantWithSettings);

/** Request body of `PUT users/{userId}` in full. The derived `nudgeStatus` of a response is allowed and ignored. */
export const userRequest = sandboxUserSchema
  .partial({ id: true })
  .extend({ snooze: snoozeRequest.prefault({}), nudgeStatus: z.unknown().optional() });

/** Request body of `PUT users/{userId}`: the user in full or by a fixture. */
export const putUserRequest = fixtureGiven('users', userRequest);

/** Request body of `PATCH users/{userId}`: a merge patch. The `nudgeStatus` of a response is ignored. */
export const userPatchRequest = z.looseObject({
  snooze: z
    .looseObject({ snoozedAtMs: snoozeRecordSchema.shape.snoozedAtMs.unwrap().optional() })
    .nullable()
    .optional(),
  nudgeStatus: z.unknown().optional(),
});

/** Request body of `POST users/{userId}/next-sign-in`: attempt facts that apply once, to the next sign-in. */
export const nextSignInRequest = attemptInputSchema.extend(sessionInputFields);

/** Request body of `PUT faults`. It replaces all faults. The `occurrences` of a response are accepted but ignored. */
export const faultsRequest = z.strictObject({ faults: givenFaults, occurrences: z.unknown().optional() });

/** Request body of `POST tokens`. A token without a user and an application belongs to an administrator. */
export const tokenRequest = z.strictObject({
  user: z.string().min(1).optional(),
  app: z.string().min(1).max(256).optional(),
  permissions: z.array(z.string()).default([]),
  roles: z.array(z.string()).default([]),
  expiresInSeconds: z.int().min(1).max(tokenLifetimeMaxSeconds).optional(),
});

/** Request body of `POST keys/rotate`: the algorithm whose key is replaced. Without it, all keys are. */
export const rotateKeysRequest = z.strictObject({ alg: z.enum(signingAlgorithms).optional() });

export const revokeRequest = z.strictObject({ token: z.string().min(1) });

/**
 * Request body of `POST explain`: a hypothetical sign-in. The sandbox ruleset applies unless `ruleset` names another.
 */
export const explainRequest = z.strictObject({
  user: z.string().min(1),
  attempt: attemptInputSchema.extend(sessionInputFields).prefault({}),
  ruleset: z.string().max(64).optional(),
});

/** Request body of `POST campaign/preview`: a policy update as for PATCH, and the attempt facts of the sign-ins. */
export const previewRequest = z.strictObject({
  patch: z.record(z.string(), z.unknown()).default({}),
  rollout: z
    .partialRecord(tenantFactsSchema.shape.rollout.unwrap().keyof(), z.boolean())
    .default({})
    .describe('Rollout switches that are turned on.'),
  attempt: attemptInputSchema.prefault({}),
});

/** Request body of `POST observations`: the requested observations, and whether to delete the sandbox afterwards. */
export const observationsRequest = z.strictObject({
  signIn: z.string().min(1).optional(),
  user: z.string().min(1).optional(),
  journal: z.boolean().default(false),
  transitions: z.boolean().default(false),
  deleteSandbox: z.boolean().default(false),
});

/** Request body of `PUT assumptions`: values by assumption id. */
export const assumptionsRequest = z.record(
  z.string(),
  z.union([z.boolean(), z.number()], { error: 'must be true, false or a number' }),
);

const limit = z.coerce.number().int().min(1).max(listRowsMax).default(listRowsDefault);
const place = z.coerce.number().int().min(0);

/** Query of a paginated list with row ids. `after` is the last id of the previous page. */
export const pageQuery = z.strictObject({ after: z.string().optional(), limit });

/**
 * Query of a user list. `search` matches part of an id or name, `state` filters by nudge state, and `offset` skips
 * users.
 */
export const usersQuery = pageQuery.extend({
  offset: place.default(0),
  search: z.string().max(200).optional(),
  state: z.enum(nudgeStates).optional(),
  reason: z
    .union([z.literal(['none', 'blocked']), reasonSchema])
    .optional()
    .describe(
      'Reason code for which the next sign-in would not prompt these users; none selects users who would be prompted, blocked those whose sign-in would be blocked.',
    ),
});

/** Query of a sign-in list. `before` is the id of a sign-in and limits the list to those that began earlier. */
export const signInsQuery = z.strictObject({ user: z.string().optional(), before: z.string().optional(), limit });

/** Query of the journal. `after` is a sequence number, and `type` selects one event type. */
export const journalQuery = z.strictObject({ after: place.default(0), type: z.string().optional(), limit });

/** Query of a journey export: an inclusive range of sequence numbers and optionally a single user. */
export const journeyQuery = z.strictObject({
  from: place.optional(),
  to: place.optional(),
  user: z.string().optional(),
});

/** Query of the request log: filters, and a page of the latest matching requests. */
export const requestsQuery = z.strictObject({
  path: z.string().optional().describe('Start of the path, with or without the prefix of the sandbox.'),
  status: z
    .string()
    .regex(/^[1-5](\d\d|xx)$/, 'must be a status such as 404, or a class of statuses such as 4xx')
    .optional()
    .describe('A status such as 404, or a class of statuses such as 4xx.'),
  user: z.string().max(256).optional().describe('The id of a user.'),
  control: z
    .stringbool({ error: 'must be true or false' })
    .default(true)
    .describe('Whether the list contains requests below `/_`: the control API, the console, and files of pages.'),
  administration: z
    .stringbool({ error: 'must be true or false' })
    .default(false)
    .describe('Whether the list contains only requests to the policy API and the directory API.'),
  before: z.coerce.number().int().min(1).optional().describe('A sequence number; the list ends before it.'),
  limit,
});

/**
 * Query of an event stream. Without `after`, the stream starts with new events only. A `Last-Event-ID` header takes
 * precedence over `after`.
 */
export const eventsQuery = z.strictObject({
  after: place.optional(),
  /** `true` names each event by its type. Unnamed events are `message` events, so clients need not know the types. */
  named: z.stringbool({ error: 'must be true or false' }).default(true),
});
