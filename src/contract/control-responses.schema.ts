import { z } from 'zod';
import {
  campaignStateSettings,
  gateIds,
  nudgeStates,
  passkeyTypes,
  reasonCodes,
  targetedMethods,
  verdictOutcomes,
  warningCodes,
} from '../../machines/vocabulary.ts';
import type { Immutable } from '../core/immutable.ts';
import { credentialSchema } from './credential.schema.ts';
import { tenantFactsSchema, userFactsSchema } from './facts.schema.ts';
import { faultsSchema } from './fault.schema.ts';
import { ruleKinds } from './rule-catalogue.ts';
import { profileSchema, tenantSettingsSchema } from './sandbox.schema.ts';

/** What the control API answers. Instants are ISO 8601 in UTC; names that end in `Ms` are ms since the epoch. */

const instant = z.iso.datetime();
const count = z.int().min(0);

export const tenantSettingsResponse = tenantSettingsSchema;

/** The one shape of every refusal. */
export const errorResponse = z.strictObject({
  error: z.strictObject({
    /** Stable: a row of the table of errors. */
    code: z.string(),
    title: z.string(),
    message: z.string(),
    action: z.string(),
    problems: z.array(z.strictObject({ location: z.string(), message: z.string() })),
    requestId: z.string(),
  }),
});

/** The OpenAPI document itself. */
export const documentResponse = z.looseObject({ openapi: z.string() });

export const healthResponse = z.strictObject({ status: z.literal('ok'), sandboxes: count });

/** An answer of a server that is ready; one that is not refuses. */
export const readyResponse = z.strictObject({ status: z.literal('ready') });

export const serverResponse = z.strictObject({
  version: z.string(),
  /** Where journals are kept: `memory`, or what outlives the process. */
  store: z.string(),
  /** Whether an access key is asked for. */
  keyRequired: z.boolean(),
  /** Whether it was given scenarios; without them their operations answer `suite-missing`. */
  scenarios: z.boolean(),
  /** Rulesets that sandboxes can be evaluated by. */
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

/** Where a sandbox answers. */
export const createdResponse = z.strictObject({ id: z.string(), baseUrl: z.url() });

export const sandboxResponse = createdResponse.extend({
  ruleset: z.string(),
  seed: z.int(),
  clock: clockResponse,
  users: count,
  /** Entries of the journal. */
  entries: count,
});

export const sandboxesResponse = z.strictObject({ sandboxes: z.array(createdResponse), next: z.string().nullable() });

export const snapshotResponse = z.strictObject({ name: z.string(), seq: count });

export const tenantResponse = tenantFactsSchema;

export const nudgeStatusResponse = z.strictObject({
  state: z.enum(nudgeStates),
  snoozes: count,
  /** `null` without a limit. */
  snoozesLeft: count.nullable(),
  snoozedAt: instant.nullable(),
  /** When the running snooze ends and the user may be prompted again; `null` when none runs. */
  nextPromptAt: instant.nullable(),
  /** A prompt and its sign-in share their id; `unloadedAt` is the unload beacon of A41. */
  openPrompts: z.array(z.strictObject({ id: z.string(), unloadedAt: instant.nullable() })),
});

/** Nudge status of a user: derived state, snooze count and limit, and the next time for a prompt. */
export type NudgeStatus = z.infer<typeof nudgeStatusResponse>;

/** A user: facts, profile with the test password, and the nudge status, which is derived and ignored when it is sent back. */
export const userResponse = userFactsSchema.extend({ ...profileSchema.shape, nudgeStatus: nudgeStatusResponse });

/** Users of a list, without what they sign in with. */
export const usersResponse = z.strictObject({
  users: z.array(userResponse.omit({ password: true, code: true })),
  next: z.string().nullable(),
  /** How many there are on all pages. */
  total: count,
  /** How many were evaluated to find those of a reason, all or as many as may be; absent where none was asked for. */
  evaluated: count.optional(),
});

/** Users by the state of their lifecycle. */
export const userSummaryResponse = z.strictObject({
  users: count,
  states: z.record(z.enum(nudgeStates), count),
  /** When the next of the running snoozes has elapsed. */
  nextPromptAt: instant.nullable(),
});

/** An attempt of which any field may be left out, as it was given. */
const attempt = z.record(z.string(), z.unknown());

export const nextSignInResponse = z.strictObject({ user: z.string(), attempt });

export const tokenResponse = z.strictObject({
  access_token: z.string(),
  token_type: z.literal('Bearer'),
  expires_in: z.int().min(1),
});

/** The faults of a sandbox, and beside each in the same place how many occurrences it has had. */
export const faultsResponse = z.strictObject({ faults: faultsSchema, occurrences: z.array(count) });

const warning = z.strictObject({ code: z.enum(warningCodes), message: z.string() });

const effectiveCampaignAnswer = z.strictObject({
  state: z.enum(['enabled', 'disabled', 'providerManaged']),
  /** `null` when nothing is targeted. */
  method: z.enum(targetedMethods).nullable(),
  snoozeDays: count,
  limited: z.boolean(),
});

const saw = z.record(z.string(), z.unknown());

export const verdictResponse = z.strictObject({
  ruleset: z.string(),
  outcome: z.enum(verdictOutcomes),
  reason: z.enum(reasonCodes).nullable(),
  rules: z.array(
    z.discriminatedUnion('outcome', [
      z.strictObject({ id: z.enum(gateIds), outcome: z.literal(['met', 'not-applicable']), saw }),
      z.strictObject({ id: z.enum(gateIds), outcome: z.literal('stopped'), reason: z.enum(reasonCodes), saw }),
    ]),
  ),
  warnings: z.array(warning),
  campaign: effectiveCampaignAnswer,
});

/** A verdict in words: the headline, and a sentence for each rule by its id. */
export const explainResponse = verdictResponse.extend({
  headline: z.string(),
  sentences: z.partialRecord(z.enum(gateIds), z.string()),
});

/** An entry of the journal; what people sign in with is redacted. */
export const entryResponse = z.strictObject({
  seq: z.int().min(1),
  atMs: z.number(),
  at: instant,
  event: z.looseObject({ type: z.string() }),
});

/** Entries in order; `next` is the `after` of the next page, or `null` at the end. */
export const journalResponse = z.strictObject({ entries: z.array(entryResponse), next: count.nullable() });

export const countsResponse = z.strictObject({ total: count, counts: z.record(z.string(), count) });

export const signInResponse = z.strictObject({
  id: z.string(),
  userId: z.string(),
  startedAtMs: z.number(),
  startedAt: instant,
  screen: z.string(),
  finished: z.boolean(),
  interstitials: z.array(z.string()),
  outcome: z.enum(verdictOutcomes).nullable(),
  method: z.enum(targetedMethods).nullable(),
  skippable: z.boolean(),
  snoozesLeft: count.nullable(),
  mfaMethod: z.string().nullable(),
  late: z.boolean(),
  canContinue: z.boolean(),
  deviceId: z.string(),
  os: z.string(),
  mfaMethods: z.array(z.string()),
  /** The request to the authenticator app that is going on, with the number that the page shows. */
  push: z
    .strictObject({
      sent: count,
      answer: z.enum(['waiting', 'approved', 'denied']),
      /** It never reached the phone. */
      lost: z.boolean().optional(),
      number: z.string(),
    })
    .nullable(),
  codesSent: count,
  /** Whether the latest of them came; a fault can swallow it. */
  codeArrived: z.boolean(),
  /** The name of a passkey that was made and is not registered yet. */
  passkeyName: z.string().nullable(),
  /** How many inputs the sign-in is made of so far. */
  eventCount: count,
});

/** What a phone of a test user would show. */
export const phoneResponse = z.strictObject({
  /** The code that text messages and calls bring; `null` where none came. */
  code: z.string().nullable(),
  /** What the authenticator app or the hardware token shows now. */
  timedCode: z.strictObject({
    secret: z.string(),
    code: z.string(),
    validForMs: z.number(),
    setupAddress: z.string(),
  }),
  /** Requests that wait in the authenticator app, by sign-in, the newest first. */
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
      /** base64url; what a discoverable passkey carries. */
      userHandle: z.string(),
      /** The private key of a test passkey as a JSON web key; `null` of a real one. */
      privateKey: privateJwk.nullable(),
    }),
  ),
});

export const signInsResponse = z.strictObject({ signIns: z.array(signInResponse) });

export const signInDetailResponse = z.strictObject({
  signIn: signInResponse,
  /** `null` until the rules have evaluated, as is the verdict. */
  attempt: attempt.nullable(),
  verdict: verdictResponse.nullable(),
  events: z.array(entryResponse),
});

/** What was asked for; the rest is `null`, and so is the verdict of a sign-in that the rules have not evaluated yet. */
export const observationsResponse = z.strictObject({
  verdict: verdictResponse.nullable(),
  nudgeStatus: nudgeStatusResponse.nullable(),
  /** The first page of the journal. */
  journal: journalResponse.nullable(),
  deleted: z.boolean(),
});

export const requestsResponse = z.strictObject({
  requests: z.array(
    z.strictObject({
      method: z.string(),
      path: z.string(),
      queryHash: z.string().nullable(),
      /** `null` until the request is answered. */
      status: z.int().nullable(),
      atMs: z.number(),
      at: instant,
      /** Which tool of the lookup API was asked by whom. */
      lookup: z.strictObject({ type: z.string(), tool: z.string(), caller: z.string() }).optional(),
    }),
  ),
  /** Requests that the bounded log no longer holds. */
  dropped: count,
});

const allowedValues = z.union([z.array(z.boolean()), z.strictObject({ minimum: z.number(), maximum: z.number() })]);

export const assumptionsResponse = z.strictObject({
  assumptions: z.array(
    z.strictObject({
      id: z.string(),
      question: z.string(),
      answer: z.string(),
      /** How a run can see it. */
      observable: z.string(),
      /** What to set to disagree; `null` where the decision is fixed. A value of `null` is none of the allowed ones. */
      switch: z
        .strictObject({ name: z.string(), value: z.union([z.boolean(), z.number(), z.null()]), allowed: allowedValues })
        .nullable(),
    }),
  ),
});

export const rulesResponse = z.strictObject({
  ruleset: z.string(),
  /** Every ruleset that there is. */
  rulesets: z.array(z.string()),
  rules: z.array(
    z.strictObject({
      id: z.string(),
      summary: z.string(),
      kind: z.enum(ruleKinds),
      /** The gate of the trace; `null` for a rule that is none. */
      gate: z.enum(gateIds).nullable(),
      /** Place of the gate in the order of evaluation, from 1; `null` where this ruleset does not ask it. */
      place: z.int().min(1).nullable(),
      source: z.array(z.string()),
      reasons: z.array(z.enum(reasonCodes)),
      observable: z.string(),
    }),
  ),
});

export const campaignResponse = z.strictObject({
  /** What the tenant stores. */
  setting: z.enum(campaignStateSettings).nullable(),
  /** What takes effect. */
  campaign: effectiveCampaignAnswer,
  warnings: z.array(warning),
  /** A46: users whose next prompt a limit would make required, those inside a running snooze apart. */
  requiredAtNextSignIn: z.strictObject({ users: count, stillSnoozing: count }),
});

const outcomeCounts = z.record(z.enum(verdictOutcomes), count);
const standing = z.strictObject({ outcome: z.enum(verdictOutcomes), reason: z.enum(reasonCodes).nullable() });

/** The next sign-in of every user before and after an update of the policy. */
export const previewResponse = z.strictObject({
  users: count,
  /** Users that were evaluated: all of them, or the first ones of a large tenant. */
  evaluated: count,
  before: outcomeCounts,
  after: outcomeCounts,
  /** Users for whom outcome or reason change; the first of them are listed. */
  changed: count,
  changes: z.array(z.strictObject({ user: z.string(), before: standing, after: standing })),
});

/** A value as an answer carries it: the output of a schema, which no one changes on the way. */
export type ResponseBody<S extends z.ZodType> = Immutable<z.output<S>>;

/** What a schema takes; anyone who gives it may keep it from being changed. */
export type RequestBody<S extends z.ZodType> = Immutable<z.input<S>>;
