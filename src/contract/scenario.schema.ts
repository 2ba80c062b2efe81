import { z } from 'zod';
import {
  allOutcomes,
  mfaMethods,
  nudgeStates,
  passkeyTypes,
  registeredMethods,
  warningCodes,
} from '../../machines/vocabulary.ts';
import { parseInstant } from '../core/clock.ts';
import { clientsMax, instantMsMax, scenarioTimeoutDefaultMs } from '../core/limits.ts';
import { attemptInputSchema } from './context.schema.ts';
import { documentStepSchema } from './document-step.schema.ts';
import { faultsMax, faultsSchema } from './fault.schema.ts';
import { lookupTypes } from './lookup.schema.ts';
import { originPattern } from './origin-pattern.ts';
import { passkeyHints } from './passkey-settings.schema.ts';
import { pageNames, type StepKind } from './step-names.ts';
import { reasonSchema } from './verdict.schema.ts';

/** Pattern of an instant for editors. Only the parser checks whether a year has a February 29. */
const instantPattern =
  '^([0-9]{4}|[+-][0-9]{6})-((0[1-9]|1[0-2])-(0[1-9]|1[0-9]|2[0-9])|(0[13-9]|1[0-2])-30|(0[13578]|1[02])-31)' +
  '([Tt]([01][0-9]|2[0-3]):[0-5][0-9](:[0-5][0-9](\\.[0-9]+)?)?([Zz]|[+-]([01][0-9]|2[0-3]):[0-5][0-9]))?$';

const instant = z
  .string()
  .refine((text) => parseInstant(text) !== null, {
    message: 'must be an ISO 8601 instant such as 2026-01-05T09:00:00.000Z',
  })
  .meta({ pattern: instantPattern, examples: ['2026-01-05T09:00:00.000Z', '2026-01-05'] });
const name = z.string().min(1).max(128);
const promptReference = z.strictObject({ prompt: name.optional() }).nullable().prefault({});
/** Passkey that a step creates. */
const wantedPasskey = z.strictObject({ type: z.enum(passkeyTypes), deviceId: name.optional() });
const patch = z.record(z.string(), z.unknown());
const { nowMs: _clockDecides, ...signInFields } = attemptInputSchema.shape;

/** Description of a token: its contents, or one of three keywords. */
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

/** Request to the policy API or the directory API. */
const apiRequest = z.strictObject({
  method: z.enum(['GET', 'POST', 'PUT', 'PATCH', 'DELETE']).default('GET'),
  path: z
    .string()
    .regex(/^\/(?:v1\.0|beta)\/[^#]*$/, 'must begin with /v1.0/ or /beta/ and have no fragment (#)')
    .describe('Path and query, relative to the sandbox.'),
  as: tokenDescription
    .default('administrator')
    .describe('The token: by default, of an administrator with every permission that the APIs ask for.'),
  body: z.unknown().optional().describe('The body, which is sent as JSON.'),
  headers: headers.default({}),
});

/**
 * Creates a schema for one part of a time span, limited to the range of the virtual clock. `unitMs` is the length of
 * the unit in milliseconds.
 */
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
  .refine((parts) => Object.keys(parts).length > 0, {
    message: 'must contain at least one of days, hours, minutes, ms',
  })
  .meta({ minProperties: 1 });

/** Authentication of a lookup API call. Defaults to the test token of the sandbox. */
const lookupAuth = z.union([
  z.literal('none'),
  z.strictObject({ token: z.string() }),
  z.strictObject({ apiKey: z.string() }),
  z.strictObject({ email: z.string(), password: z.string().default('correct horse') }),
  z.strictObject({ header: z.string().describe('The complete Authorization header.') }),
]);

const lookupTimesMax = 2_000;

/** Maximum authentication age in seconds: one year, longer than any session. */
const maxAgeMaxSeconds = 31_536_000;

/** Fixture name, or inline values that `extends` merges over a fixture. */
const nameOrFacts = z.union([name, z.looseObject({ extends: name.optional() })]);

/** Schemas of the steps by name. */
export const stepSchemas = {
  signIn: z.strictObject({
    user: name,
    as: name.optional().describe('Name of the tab (default: the user).'),
    otherWay: z
      .enum(mfaMethods)
      .optional()
      .describe(
        'Method chosen at "Sign in another way" for the second factor; mfa.method is the method offered first.',
      ),
    client: name.optional().describe('The client at which the sign-in starts; it ends there, with a code or an error.'),
    account: z
      .enum(['pick', 'another'])
      .optional()
      .describe(
        'The account that the user chooses in the account picker: the one already signed in in this browser, or another one.',
      ),
    staySignedIn: z.boolean().optional().describe('Response to "Stay signed in?" (default: no).'),
    consent: z.enum(['accept', 'refuse']).optional().describe('Response to the consent page (default: accept).'),
    prompt: z
      .enum(['login', 'none', 'consent', 'select_account'])
      .optional()
      .describe('The `prompt` that the application sends for users with a session; with none, no page may be shown.'),
    maxAge: z
      .int()
      .min(0)
      .max(maxAgeMaxSeconds)
      .optional()
      .describe('The maximum age of the session in seconds; an older one requires a new sign-in.'),
    acrValues: z
      .enum(['mfa', 'password'])
      .optional()
      .describe(
        'The requested authentication context; mfa requires a second factor if the session does not include one.',
      ),
    loginHint: name
      .optional()
      .describe('The user that the application suggests; a session of another user does not count.'),
    usernameless: z
      .literal(true)
      .optional()
      .describe('The user picks a passkey on the first page instead of entering a username and password.'),
    origin: z
      .string()
      .refine((text) => URL.parse(text)?.origin === text, { message: 'must be an origin such as https://shop.example' })
      .meta({ pattern: originPattern, examples: ['https://shop.example'] })
      .optional()
      .describe('Related origin of the page that uses passkeys (default: the origin of the server).'),
    ...signInFields,
  }),
  signOut: z
    .strictObject({
      as: name.optional().describe('Name of the tab (default: the latest sign-in).'),
      from: z
        .enum(['everything', 'application'])
        .default('everything')
        .describe('Scope of the sign-out: everything, or only the application of the tab.'),
      postLogoutRedirectUri: z
        .url()
        .optional()
        .describe(
          'URL to which the browser returns after the sign-out, one of postLogoutRedirectUris of the application.',
        ),
    })
    .nullable()
    .prefault({})
    .describe('The application of a tab requests the sign-out of its user.'),
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
    .describe('After a sign-in with a password, the browser creates a passkey automatically if the page requests it.'),
  failRegistration: promptReference,
  skipError: promptReference,
  advance: span,
  setClock: instant,
  setTenant: patch,
  setFaults: faultsSchema.describe('The faults from now on, replacing earlier ones; an empty list clears all.'),
  setUser: z.looseObject({ user: name }),
  removeMethod: z.strictObject({ user: name, method: z.enum([...registeredMethods, 'fido2']) }),
  getPolicy: policyRequest,
  patchPolicy: policyRequest,
  callApi: apiRequest.describe('A request to the policy API or the directory API.'),
  explain: z.strictObject({ user: name, ...attemptInputSchema.shape }),
  lookup: z
    .strictObject({
      type: z.union([z.enum(lookupTypes), z.string()]).optional(),
      query: z.string().optional(),
      tool: z.string().optional(),
      action: z.string().optional(),
      auth: lookupAuth.default({ token: 'test-token' }),
      raw: z.string().optional().describe('The raw query of the URL, in place of the parameters.'),
      method: z.enum(['GET', 'POST', 'PUT', 'PATCH', 'DELETE']).default('GET'),
      times: z.int().min(1).max(lookupTimesMax).default(1).describe('Number of requests; the last response is used.'),
    })
    .describe('A request to the lookup API.'),
  document: documentStepSchema.describe('A request to the document records API, or an operation on its records.'),
} as const satisfies Readonly<Record<StepKind, z.ZodType>>;

/** Step as written in a file: one key with its arguments. */
export type WrittenStep = { [K in StepKind]: { readonly [V in K]: z.input<(typeof stepSchemas)[K]> } }[StepKind];

/** Part of a passkey ceremony to match. Only the listed keys are compared. */
const ceremonyExpectation = z
  .strictObject({
    type: z.enum(['create', 'get']),
    mediation: z.enum(['optional', 'conditional']),
    origin: z.string(),
    rpId: z.string(),
    hints: z.array(z.enum(passkeyHints)),
    outcome: z.string().describe('`completed`, or the name of the exception on the page.'),
    userPresent: z.boolean().nullable(),
    userVerified: z.boolean().nullable(),
    extensions: z.record(z.string(), z.unknown()).describe('Client extension outputs, such as credProps and prf.'),
  })
  .partial();

const signalsExpectation = z
  .strictObject({
    unknownCredential: z.boolean().describe('Whether the page signals that the passkey used is unknown.'),
    allAcceptedCredentials: z
      .int()
      .min(0)
      .nullable()
      .describe('Number of passkeys that the page signals as accepted; null if it sends no signal.'),
    currentUserDetails: z.strictObject({ name: z.string(), displayName: z.string() }).partial().nullable(),
  })
  .partial();

/** Expected results of a step. */
export const expectSchema = z
  .strictObject({
    page: z.enum(pageNames),
    visitedPages: z
      .array(z.enum(pageNames))
      .describe('All pages that the sign-in passed through before it ended, in order; [] expects none.'),
    outcome: z.enum(allOutcomes),
    reason: reasonSchema.nullable(),
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
      .describe('Remaining requests in X-RateLimit-Remaining; null if the header is absent.'),
    warnings: z
      .array(z.enum(warningCodes))
      .describe('Codes that the verdict must contain, among others; [] expects none.'),
    ceremony: ceremonyExpectation
      .nullable()
      .describe('The passkey request of the page in this step, and its result; null if there was none.'),
    signals: signalsExpectation.describe('The signals that the last page sends to authenticators.'),
  })
  .partial()
  .refine((wanted) => Object.keys(wanted).length > 0, { message: 'must contain at least one expectation' })
  .meta({ minProperties: 1 });
/** Expectations of one scenario step. */
export type Expectation = z.infer<typeof expectSchema>;
export type ExpectationKey = keyof Expectation;

/** Parsed step: its kind, arguments, expectations, and location. */
export type StepOf<K extends StepKind> = {
  readonly kind: K;
  readonly say: NonNullable<z.output<(typeof stepSchemas)[K]>>;
  readonly expect: Expectation | null;
  /** Index in the list of steps, from 0. */
  readonly index: number;
  /** Line number in the file, from 1. */
  readonly line: number;
  readonly column: number;
};
/** Parsed scenario step. */
export type Step = { [K in StepKind]: StepOf<K> }[StepKind];

/** The tenant, users, clients, faults and lookup service that a scenario begins with. */
export const givenSchema = z.strictObject({
  tenant: nameOrFacts.describe('A fixture name, or facts of a tenant; its settings are under `settings`.'),
  users: z.record(name, nameOrFacts).default({}).describe('Users by id: a fixture name, or facts of a user.'),
  clients: z
    .array(nameOrFacts)
    .max(clientsMax)
    .optional()
    .describe('OpenID clients: each a fixture name or a client (default: the test clients).'),
  faults: z
    .array(z.unknown())
    .max(faultsMax)
    .optional()
    .describe('Initial faults of the sandbox: each a fixture name or a fault.'),
  lookup: nameOrFacts.optional().describe('A fixture name or a lookup service (default: the built-in one).'),
});

/** Initial tenant and users of a scenario, as written in the file. */
export type ScenarioGiven = z.input<typeof givenSchema>;

/** Scenario without its steps. Steps are parsed one by one, so error messages can name the kind of step. */
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
