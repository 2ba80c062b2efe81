import { z } from 'zod';
import {
  campaignStateSettings,
  gateIds,
  nudgeStates,
  passkeyTypes,
  targetedMethods,
} from '../../machines/vocabulary.ts';
import type { Immutable } from '../core/immutable.ts';
import { credentialSchema } from './credential.schema.ts';
import { tenantFactsSchema, userFactsSchema } from './facts.schema.ts';
import { faultsSchema } from './fault.schema.ts';
import { ownPromptResponse } from './own-campaign-responses.schema.ts';
import { errorSchema } from './problem.schema.ts';
import { ruleKinds } from './rule-catalogue.ts';
import { credentialKeys, profileSchema, tenantSettingsSchema } from './sandbox.schema.ts';
import {
  counterfactualSchema,
  ownVerdictFields,
  reasonSchema,
  ruleIdSchema,
  verdictSchema,
  verdictSummarySchema,
} from './verdict.schema.ts';

/**
 * Response schemas of the control API. Instants are ISO 8601 in UTC. Names ending in `Ms` are milliseconds since the
 * epoch.
 */

const instant = z.iso.datetime();
const count = z.int().min(0);

export const tenantSettingsResponse = tenantSettingsSchema;

/** Common format of all error responses. */
export const errorResponse = z.strictObject({ error: errorSchema });

/** OpenAPI document. */
export const documentResponse = z.looseObject({ openapi: z.string() });

/** Entry points of the control API, as paths. */
export const indexResponse = z.strictObject({
  version: z.string(),
  /** OpenAPI document of this API. */
  openapi: z.string(),
  /** OpenAPI documents of the other APIs. */
  apis: z.strictObject({ policy: z.string(), directory: z.string(), lookup: z.string(), documents: z.string() }),
  sandboxes: z.string(),
  server: z.string(),
  health: z.string(),
  console: z.string(),
});

export const serverResponse = z.strictObject({
  version: z.string(),
  /** Journal store: `memory`, or the name of a persistent store. */
  store: z.string(),
  /** `true` if requests need the control key. */
  keyRequired: z.boolean(),
  /** `true` if the server has scenarios. Otherwise, scenario operations return `suite-missing`. */
  scenarios: z.boolean(),
  /** Available rulesets for sandboxes. */
  rulesets: z.array(z.string()),
  limits: z.strictObject({
    sandboxes: count,
    usersPerSandbox: count,
    entriesPerJournal: count,
    eventStreamsOfASandbox: count,
    bodyBytes: count,
    usersOfAForecast: count,
    daysPerForecast: count,
  }),
});

export const clockResponse = z.strictObject({ now: instant, running: z.boolean() });

/** Id and base URL of a created sandbox. */
export const createdResponse = z.strictObject({ id: z.string(), baseUrl: z.url() });

export const sandboxResponse = createdResponse.extend({
  /** URL of the tenant, from which client libraries form the addresses of the tenant form. */
  tenantUrl: z.url(),
  ruleset: z.string(),
  seed: z.int(),
  clock: clockResponse,
  users: count,
  /** Number of journal entries. */
  entries: count,
});

export const sandboxesResponse = z.strictObject({ sandboxes: z.array(createdResponse), next: z.string().nullable() });

export const snapshotResponse = z.strictObject({ name: z.string(), seq: count });

export const tenantResponse = tenantFactsSchema;

export const nudgeStatusResponse = z.strictObject({
  state: z.enum(nudgeStates),
  snoozes: count,
  /** `null` if snoozes are unlimited. */
  snoozesLeft: count.nullable(),
  snoozedAt: instant.nullable(),
  /** End of the running snooze, when the user may be prompted again. `null` if no snooze is running. */
  nextPromptAt: instant.nullable(),
  /** Open prompts. A prompt has the id of its sign-in, and `unloadedAt` is the time of the unload beacon (A41). */
  openPrompts: z.array(z.strictObject({ id: z.string(), unloadedAt: instant.nullable() })),
});

/** Nudge status of a user: derived state, snooze count and limit, and the next time for a prompt. */
export type NudgeStatus = z.infer<typeof nudgeStatusResponse>;

/**
 * User facts, profile with the test password, and nudge status. The nudge status is derived and ignored in requests.
 */
export const userResponse = userFactsSchema.extend({ ...profileSchema.shape, nudgeStatus: nudgeStatusResponse });

/** Page of a user list without credentials. */
export const usersResponse = z.strictObject({
  users: z.array(userResponse.omit(credentialKeys)),
  next: z.string().nullable(),
  /** Number of users on all pages. */
  total: count,
  /** Number of users evaluated to filter by reason, up to a limit. Absent if no reason was requested. */
  evaluated: count.optional(),
});

/** Number of users in each nudge state. */
export const userSummaryResponse = z.strictObject({
  users: count,
  states: z.record(z.enum(nudgeStates), count),
  /** Time at which the next running snooze ends. */
  nextPromptAt: instant.nullable(),
});

/** Partial attempt as it was submitted. */
const attempt = z.record(z.string(), z.unknown());

export const nextSignInResponse = z.strictObject({ user: z.string(), attempt });

/** Faults of a sandbox. `occurrences` contains the occurrence count of each fault at the same index. */
export const faultsResponse = z.strictObject({ faults: faultsSchema, occurrences: z.array(count) });

export const verdictResponse = verdictSchema.extend(ownVerdictFields);

const sentences = z.partialRecord(ruleIdSchema, z.string());

/** Verdict with a headline and one sentence per rule id. */
export const explainResponse = verdictResponse.extend({
  counterfactual: counterfactualSchema.optional(),
  headline: z.string(),
  sentences,
});

/** Journal entry with credentials redacted. */
export const entryResponse = z.strictObject({
  seq: z.int().min(1),
  atMs: z.number(),
  at: instant,
  event: z.looseObject({ type: z.string() }),
});

/** Journal entries in order. `next` is the `after` value of the next page, or `null` if this page is the last. */
export const journalResponse = z.strictObject({ entries: z.array(entryResponse), next: count.nullable() });

export const countsResponse = z.strictObject({ total: count, counts: z.record(z.string(), count) });

export const signInResponse = z.strictObject({
  id: z.string(),
  userId: z.string(),
  startedAtMs: z.number(),
  startedAt: instant,
  /** State of the sign-in machine. Its page has the same name in other spelling, such as `signed-in` for `signedIn`. */
  screen: z.string(),
  finished: z.boolean(),
  interstitials: z.array(z.string()),
  /** `null` if there is no verdict. */
  outcome: verdictSchema.shape.outcome.nullable(),
  /** Reason of a verdict without a prompt. `null` if there is a prompt or no verdict. */
  reason: verdictSchema.shape.reason,
  method: z.enum(targetedMethods).nullable(),
  own: ownPromptResponse.optional().describe('Prompt of an own campaign; absent without one.'),
  skippable: z.boolean(),
  snoozesLeft: count.nullable(),
  mfaMethod: z.string().nullable(),
  late: z.boolean(),
  canContinue: z.boolean(),
  deviceId: z.string(),
  os: z.string(),
  mfaMethods: z.array(z.string()),
  /** Current push notification with the number that the page displays. */
  push: z
    .strictObject({
      sent: count,
      answer: z.enum(['waiting', 'approved', 'denied']),
      /** `true` if the notification never reached the phone. */
      lost: z.boolean().optional(),
      number: z.string(),
    })
    .nullable(),
  codesSent: count,
  /** `true` if the latest code arrived. A fault can drop it. */
  codeArrived: z.boolean(),
  /** Name of a passkey that was created but is not registered yet. */
  passkeyName: z.string().nullable(),
  /** Number of events of the sign-in so far. */
  eventCount: count,
});

/** Codes and requests on the phone of a test user. */
export const phoneResponse = z.strictObject({
  /** Code from the latest text message or call. `null` if none arrived. */
  code: z.string().nullable(),
  /** Current code of the authenticator app or hardware token. */
  timedCode: z.strictObject({
    secret: z.string(),
    code: z.string(),
    validForMs: z.number(),
    setupAddress: z.string(),
  }),
  /** Pending push notifications in the authenticator app, by sign-in, newest first. */
  requests: z.array(z.strictObject({ signIn: z.string(), number: z.string() })),
});

const privateJwk = z.discriminatedUnion('kty', [
  z.strictObject({ kty: z.literal('EC'), crv: z.literal('P-256'), x: z.string(), y: z.string(), d: z.string() }),
  z.strictObject({ kty: z.literal('OKP'), crv: z.literal('Ed25519'), x: z.string(), d: z.string() }),
  z.strictObject({
    ...{ kty: z.literal('RSA'), n: z.string(), e: z.string(), d: z.string() },
    ...{ p: z.string(), q: z.string(), dp: z.string(), dq: z.string(), qi: z.string() },
  }),
]);

export const passkeysResponse = z.strictObject({
  passkeys: z.array(
    z.strictObject({
      place: count,
      type: z.enum(passkeyTypes),
      deviceId: z.string(),
      credential: credentialSchema,
      /** User handle of a discoverable passkey in base64url. */
      userHandle: z.string(),
      /** Private key of a test passkey as a JSON Web Key. `null` if the passkey is real. */
      privateKey: privateJwk.nullable(),
    }),
  ),
});

export const signInsResponse = z.strictObject({ signIns: z.array(signInResponse) });

export const signInDetailResponse = z.strictObject({
  signIn: signInResponse,
  /** Completed attempt. `null` until the rules are evaluated, like the verdict. */
  attempt: attempt.nullable(),
  verdict: verdictResponse.nullable(),
  headline: z.string().nullable().describe('Result of the verdict in one line; null until the rules are evaluated.'),
  sentences: sentences.describe('Result of each rule as a sentence, in the words of the ruleset that was in force.'),
  events: z.array(entryResponse),
});

/** Requested observations. The others are `null`, and so is the verdict of a sign-in that is not evaluated yet. */
export const observationsResponse = z.strictObject({
  verdict: verdictResponse.nullable(),
  nudgeStatus: nudgeStatusResponse.nullable(),
  /** First page of the journal. */
  journal: journalResponse.nullable(),
  transitions: z
    .array(
      z.strictObject({
        taken: z.strictObject({
          event: z.string(),
          from: z.string().describe('Nudge state before the transition.'),
          guard: z.string().describe('Guard that selected the transition; empty if it has none.'),
          actions: z.array(z.string()),
        }),
        times: count,
      }),
    )
    .nullable()
    .describe('Executed lifecycle transitions; null if the journal is longer than a page.'),
  deleted: z.boolean(),
});

export const requestsResponse = z.strictObject({
  requests: z.array(
    z.strictObject({
      /** Number of the request in the sandbox, from 1. */
      seq: count,
      method: z.string(),
      path: z.string(),
      queryHash: z.string().nullable(),
      /** HTTP status. `null` until the response is sent. */
      status: z.int().nullable(),
      atMs: z.number(),
      at: instant,
      /** User who signs in, for whom the token of an API acts, or whom the control API reads or changes. */
      userId: z.string().nullable(),
      /** Application or lookup account that sent the request. */
      client: z.string().nullable(),
      /** Command type, tool, and caller of a lookup API request. */
      lookup: z.strictObject({ type: z.string(), tool: z.string(), caller: z.string() }).optional(),
      /** What the developer of the application should know, such as the reason for a rejection that browsers hide. */
      finding: z.string().optional(),
      /** Sequence numbers of the journal entries that a request to the policy API or the directory API made. */
      entries: z.array(count).optional(),
    }),
  ),
  /** Number of requests in the log that match the filters, on all pages. */
  total: count,
  /** Number of requests that the bounded log has dropped. */
  dropped: count,
});

const allowedValues = z.union([z.array(z.boolean()), z.strictObject({ minimum: z.number(), maximum: z.number() })]);

export const assumptionsResponse = z.strictObject({
  assumptions: z.array(
    z.strictObject({
      id: z.string(),
      question: z.string(),
      answer: z.string(),
      /** Description of how a test run confirms the assumption. */
      observable: z.string(),
      /**
       * Setting that overrides the assumption. `null` if it is fixed. A `value` of `null` is not one of the allowed
       * values.
       */
      switch: z
        .strictObject({ name: z.string(), value: z.union([z.boolean(), z.number(), z.null()]), allowed: allowedValues })
        .nullable(),
    }),
  ),
});

export const rulesResponse = z.strictObject({
  ruleset: z.string(),
  /** All available rulesets. */
  rulesets: z.array(z.string()),
  rules: z.array(
    z.strictObject({
      id: z.string(),
      summary: z.string(),
      kind: z.enum(ruleKinds),
      /** Gate in the evaluation trace. `null` if the rule is not a gate. */
      gate: z.enum(gateIds).nullable(),
      /** Position of the gate in the evaluation order, from 1. `null` if this ruleset does not evaluate it. */
      place: z.int().min(1).nullable(),
      source: z.array(z.string()),
      reasons: z.array(reasonSchema),
      observable: z.string(),
    }),
  ),
});

export const campaignResponse = z.strictObject({
  /** Campaign state that the tenant stores. */
  setting: z.enum(campaignStateSettings).nullable(),
  /** Effective campaign settings and their warnings. */
  ...verdictSchema.pick({ campaign: true, warnings: true }).shape,
  /**
   * Users whose next prompt would be required under a snooze limit (A46). `stillSnoozing` counts those with a running
   * snooze.
   */
  requiredAtNextSignIn: z.strictObject({ users: count, stillSnoozing: count }),
});

const outcomeCounts = z.strictObject({ none: count, skippable: count, required: count, blocked: count.optional() });

/** Verdicts for the next sign-in of every user before and after a policy update. */
export const previewResponse = z.strictObject({
  users: count,
  /** Number of evaluated users: all users, or the first ones of a large tenant. */
  evaluated: count,
  before: outcomeCounts,
  after: outcomeCounts,
  /** Number of users whose outcome or reason changes. `changes` lists the first of them. */
  changed: count,
  changes: z.array(z.strictObject({ user: z.string(), before: verdictSummarySchema, after: verdictSummarySchema })),
});

/** Immutable output type of a response schema. */
export type ResponseBody<S extends z.ZodType> = Immutable<z.output<S>>;

/** Immutable input type of a request schema. */
export type RequestBody<S extends z.ZodType> = Immutable<z.input<S>>;
