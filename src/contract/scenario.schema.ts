import { z } from 'zod';
import {
  mfaMethods,
  nudgeStates,
  passkeyTypes,
  reasonCodes,
  registeredMethods,
  verdictOutcomes,
  warningCodes,
} from '../../machines/vocabulary.ts';
import { parseInstant } from '../core/clock.ts';
import { clientsMax, instantMsMax, scenarioTimeoutDefaultMs } from '../core/limits.ts';
import { originPattern } from './client.schema.ts';
import { attemptInputSchema } from './context.schema.ts';
import { documentStepSchema } from './document-step.schema.ts';
import { faultsMax, faultsSchema } from './fault.schema.ts';
import { lookupTypes } from './lookup.schema.ts';
import { passkeyHints } from './passkey-settings.schema.ts';
import { pageNames, type StepKind } from './step-names.ts';

/** The form of an instant as editors check it; whether its year has a February 29 is left to the parser. */
const instantPattern =
  '^([0-9]{4}|[+-][0-9]{6})-((0[1-9]|1[0-2])-(0[1-9]|1[0-9]|2[0-9])|(0[13-9]|1[0-2])-30|(0[13578]|1[02])-31)' +
  '([Tt]([01][0-9]|2[0-3]):[0-5][0-9](:[0-5][0-9](\\.[0-9]+)?)?([Zz]|[+-]([01][0-9]|2[0-3]):[0-5][0-9]))?$';

const instant = z
  .string()
  .refine((text) => parseInstant(text) !== null, { message: 'an ISO 8601 instant such as 2026-01-05T09:00:00.000Z' })
  .meta({ pattern: instantPattern, examples: ['2026-01-05T09:00:00.000Z', '2026-01-05'] });
const name = z.string().min(1).max(128);
const promptReference = z.strictObject({ prompt: name.optional() }).nullable().prefault({});
/** The passkey that a step creates. */
const wantedPasskey = z.strictObject({ type: z.enum(passkeyTypes), deviceId: name.optional() });
const patch = z.record(z.string(), z.unknown());
const { nowMs: _clockDecides, ...signInFields } = attemptInputSchema.shape;

/** A token by what it says, or by one of three words. */
const tokenDescription = z.union([
  z.enum(['administrator', 'none', 'invalid']),
  z.strictObject({
    user: name.optional(),
    app: name.optional(),
    permissions: z.array(z.string()).optional(),
    roles: z.array(z.string()).optional(),
    expiresInSeconds: z.int().min(1).optional(),
  }),
]);
export type TokenDescription = z.infer<typeof tokenDescription>;

const headers = z.record(z.string(), z.string());
const policyRequest = z
  .strictObject({
    as: tokenDescription.default('administrator'),
    body: z.unknown().optional(),
    headers: headers.default({}),
  })
  .nullable()
  .prefault({});

/** A part of a span of virtual time; no clock can be moved on by more. Takes its unit in ms. */
const spanPart = (unitMs: number) =>
  z
    .number()
    .min(0)
    .max(Math.floor(instantMsMax / unitMs))
    .optional();

const span = z
  .strictObject({
    days: spanPart(86_400_000),
    hours: spanPart(3_600_000),
    minutes: spanPart(60_000),
    ms: spanPart(1),
  })
  .refine((parts) => Object.keys(parts).length > 0, { message: 'at least one of days, hours, minutes, ms' })
  .meta({ minProperties: 1 });

/** How a call of the lookup API proves its caller; the test token of every sandbox unless it says otherwise. */
const lookupAuth = z.union([
  z.literal('none'),
  z.strictObject({ token: z.string() }),
  z.strictObject({ apiKey: z.string() }),
  z.strictObject({ email: z.string(), password: z.string().default('correct horse') }),
  z.strictObject({ header: z.string().describe('The Authorization header as it stands.') }),
]);

const lookupTimesMax = 2_000;

/** A year, in seconds; no session lasts so long. */
const maxAgeMaxSeconds = 31_536_000;

/** A fixture name, or what is given inline, which `extends` merges over a fixture. */
const nameOrFacts = z.union([name, z.looseObject({ extends: name.optional() })]);

/** The steps by key; the key is the verb. */
export const stepSchemas = {
  signIn: z.strictObject({
    user: name,
    as: name.optional().describe('Name of the tab; the user is its name where none is given.'),
    otherWay: z
      .enum(mfaMethods)
      .optional()
      .describe('Chosen at "Sign in another way" for the second factor; mfa.method is what the page asks for before.'),
    client: name
      .optional()
      .describe(
        'The application at which the sign-in begins, one of the clients; it ends there, with a code or an error.',
      ),
    account: z
      .enum(['pick', 'another'])
      .optional()
      .describe('The application asks which account: the one that is signed in in this browser, or another one.'),
    staySignedIn: z.boolean().optional().describe('The answer to "Stay signed in?"; no where it is left out.'),
    consent: z
      .enum(['accept', 'refuse'])
      .optional()
      .describe('The answer to what the application asks for; accept where it is left out.'),
    prompt: z
      .enum(['login', 'none', 'consent', 'select_account'])
      .optional()
      .describe('What the application asks for anyone who is signed in; with none it wants an answer without a page.'),
    maxAge: z
      .int()
      .min(0)
      .max(maxAgeMaxSeconds)
      .optional()
      .describe('How long ago the user may have signed in, in seconds; after that a sign-in is asked for.'),
    acr: z
      .enum(['mfa', 'password'])
      .optional()
      .describe(
        'The class of authentication that the application wishes; mfa asks anyone who has a session without it.',
      ),
    loginHint: name.optional().describe('The user whom the application suggests; another one with a session is asked.'),
    usernameless: z
      .literal(true)
      .optional()
      .describe('The user picks a passkey on the first page, and enters neither a name nor a password.'),
    origin: z
      .string()
      .refine((text) => URL.parse(text)?.origin === text, { message: 'an origin such as https://shop.example' })
      .meta({ pattern: originPattern, examples: ['https://shop.example'] })
      .optional()
      .describe('The origin of the page that uses passkeys, where it is not that of the server: a related origin.'),
    ...signInFields,
  }),
  signOut: z
    .strictObject({
      as: name.optional().describe('Name of the tab; the latest sign-in where none is given.'),
      from: z
        .enum(['everything', 'application'])
        .default('everything')
        .describe('What the user signs out of: everything, or the application of the tab alone.'),
      postLogoutRedirectUri: z
        .url()
        .optional()
        .describe('Where the application wants the browser after it, one of its postLogoutRedirectUris.'),
    })
    .nullable()
    .prefault({})
    .describe('The application of a tab asks its user to sign out.'),
  next: promptReference,
  skip: promptReference,
  closeBrowser: promptReference,
  abandon: promptReference,
  reload: promptReference,
  register: z
    .strictObject({
      prompt: name.optional(),
      passkey: wantedPasskey.optional(),
    })
    .nullable()
    .prefault({}),
  upgradePasskey: z
    .strictObject({ prompt: name.optional(), passkey: wantedPasskey.optional() })
    .nullable()
    .prefault({})
    .describe('After a sign-in with a password the browser creates a passkey by itself, where the page asks for it.'),
  failRegistration: promptReference,
  skipError: promptReference,
  advance: span,
  setClock: instant,
  setTenant: patch,
  setFaults: faultsSchema.describe('The faults from now on, in place of those before; an empty list takes all away.'),
  setUser: z.looseObject({ user: name }),
  removeMethod: z.strictObject({ user: name, method: z.enum([...registeredMethods, 'fido2']) }),
  getPolicy: policyRequest,
  patchPolicy: policyRequest,
  explain: z.strictObject({ user: name, ...attemptInputSchema.shape }),
  lookup: z
    .strictObject({
      type: z.union([z.enum(lookupTypes), z.string()]).optional(),
      query: z.string().optional(),
      tool: z.string().optional(),
      action: z.string().optional(),
      auth: lookupAuth.default({ token: 'test-token' }),
      raw: z.string().optional().describe('The query of the address as it stands, in place of the parameters.'),
      method: z.enum(['GET', 'POST', 'PUT', 'PATCH', 'DELETE']).default('GET'),
      times: z.int().min(1).max(lookupTimesMax).default(1).describe('Asked so often; the last answer counts.'),
    })
    .describe('A question to the lookup API.'),
  document: documentStepSchema.describe('A request to the document records API, or an act on its records.'),
} as const satisfies Readonly<Record<StepKind, z.ZodType>>;

/** A step as it is written: one verb and what it says. */
export type WrittenStep = { [K in StepKind]: { readonly [V in K]: z.input<(typeof stepSchemas)[K]> } }[StepKind];

/** A part of a passkey ceremony: the keys that are named have to agree. */
const ceremonyExpectation = z
  .strictObject({
    type: z.enum(['create', 'get']),
    mediation: z.enum(['optional', 'conditional']),
    origin: z.string(),
    rpId: z.string(),
    hints: z.array(z.enum(passkeyHints)),
    outcome: z.string().describe('`completed`, or the name of the exception that the page saw.'),
    userPresent: z.boolean().nullable(),
    userVerified: z.boolean().nullable(),
    extensions: z.record(z.string(), z.unknown()).describe('Client extension outputs, such as credProps and prf.'),
  })
  .partial();

const signalsExpectation = z
  .strictObject({
    unknownCredential: z.boolean().describe('Whether it says that the passkey which was used is unknown.'),
    allAcceptedCredentials: z
      .int()
      .min(0)
      .nullable()
      .describe('How many passkeys it says are accepted; null: nothing.'),
    currentUserDetails: z.strictObject({ name: z.string(), displayName: z.string() }).partial().nullable(),
  })
  .partial();

/** What a step must have led to. */
export const expectSchema = z
  .strictObject({
    page: z.enum(pageNames),
    passed: z
      .array(z.enum(pageNames))
      .describe(
        'The pages that the sign-in went through before it ended, all of them in order; [] says that there was none.',
      ),
    outcome: z.enum(verdictOutcomes),
    reason: z.enum(reasonCodes).nullable(),
    snoozes: z.int().min(0),
    snoozesLeft: z.int().min(0).nullable(),
    nextPromptAt: instant.nullable(),
    state: z.enum(nudgeStates),
    status: z.int().min(100).max(599),
    headers,
    body: z.unknown(),
    remaining: z
      .int()
      .min(0)
      .nullable()
      .describe('Requests left, as X-RateLimit-Remaining tells; null without the header.'),
    warnings: z
      .array(z.enum(warningCodes))
      .describe('Codes that the verdict carries, among others; [] says that it carries none.'),
    ceremony: ceremonyExpectation
      .nullable()
      .describe(
        'What the page asked the browser for about a passkey in this step, and what came of it; null: nothing.',
      ),
    signals: signalsExpectation.describe('What the page where the step ended tells authenticators.'),
  })
  .partial()
  .refine((wanted) => Object.keys(wanted).length > 0, { message: 'at least one expectation' })
  .meta({ minProperties: 1 });
/** The expectations of one step of a scenario. */
export type Expectation = z.infer<typeof expectSchema>;
export type ExpectationKey = keyof Expectation;

/** One step after parsing: its verb, what it says, what it expects, and where it stands. */
export type StepOf<K extends StepKind> = {
  readonly kind: K;
  readonly say: NonNullable<z.output<(typeof stepSchemas)[K]>>;
  readonly expect: Expectation | null;
  /** Place in the list of steps, from 0. */
  readonly index: number;
  /** Where it stands in its file, from 1. */
  readonly line: number;
  readonly column: number;
};
/** One step of a scenario, of any kind. */
export type Step = { [K in StepKind]: StepOf<K> }[StepKind];

/** The tenant, users, clients, faults and lookup service that a scenario begins with. */
export const givenSchema = z.strictObject({
  tenant: nameOrFacts.describe('A fixture name, or facts of a tenant; its settings stand under `settings`.'),
  users: z.record(name, nameOrFacts).default({}).describe('Users by id: a fixture name, or facts of a user.'),
  clients: z
    .array(nameOrFacts)
    .max(clientsMax)
    .optional()
    .describe('OpenID clients: each a fixture name, or a client. Without it, some for trying.'),
  faults: z
    .array(z.unknown())
    .max(faultsMax)
    .optional()
    .describe('Faults that the sandbox begins with: each a fixture name, or a fault.'),
  lookup: nameOrFacts.optional().describe('A fixture name, or a lookup service; without it, the one that ships.'),
});

/** Tenant and users that a scenario begins with, as they are written. */
export type ScenarioGiven = z.input<typeof givenSchema>;

/** A scenario but for its steps, which are parsed one by one so that a fault names its verb. */
export const scenarioHeadSchema = z.strictObject({
  name: z.string().min(1).max(256),
  ruleset: z.string().default('seed'),
  covers: z.array(z.string()).default([]),
  tags: z.array(z.string()).default([]),
  clock: instant.default('2026-01-05T09:00:00.000Z'),
  seed: z.int().min(0).default(1),
  timeoutMs: z.int().min(1).max(600_000).default(scenarioTimeoutDefaultMs),
  given: givenSchema,
  examples: z.array(z.record(z.string(), z.unknown())).min(1).optional(),
  steps: z.array(z.unknown()).min(1),
});
