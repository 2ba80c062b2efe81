import { z } from 'zod';

/** What can be wrong with a token that a sandbox issues. */
export const tokenFaults = [
  'expired',
  'not-yet-valid',
  'wrong-issuer',
  'wrong-audience',
  'bad-signature',
  'nonce-mismatch',
] as const;
export type TokenFault = (typeof tokenFaults)[number];

/** The parts of a server that a fault of the line can be put on. */
export const faultyEndpoints = [
  'sign-in',
  'authorize',
  'token',
  'userinfo',
  'jwks',
  'policy',
  'lookup',
  'document',
] as const;
export type FaultyEndpoint = (typeof faultyEndpoints)[number];

const id = z.string().min(1).max(256);

/** How long an answer may be held back, in ms of real time; below the timeout of a request. */
export const faultDelayMaxMs = 20_000;

const retryAfterSecondsMax = 86_400;

/** How often a fault applies before it is spent; without it, it applies until it is taken away. */
const times = z.int().min(1).max(1_000_000).optional();

/** Leaves out this many occurrences before the fault applies: 2 makes the third try fail. */
const after = z.int().min(0).max(1_000_000).optional();

const occasion = { times, after };

/** Whom a fault meets; everyone without it. */
const user = id.optional();

const endpoint = z.enum(faultyEndpoints);

/** Whom a fault of the lookup API meets: a tool of either type or `all`, a caller such as `token:test` or `account:free`. */
const lookup = {
  tool: z
    .string()
    .regex(/^[a-z]{2,32}$/, 'the identifier of a tool, or all')
    .optional(),
  caller: z
    .string()
    .regex(/^(token|account):[a-z0-9-]{1,63}$/, 'token: or account: with an id')
    .optional(),
  /** The part of its occurrences at which it applies, drawn from the seed of the sandbox. */
  probability: z.number().gt(0).max(1).default(1),
  ...occasion,
};

/** How long tools take: always the same, or log-normal around a median. Ms of real time, cut at the longest delay. */
const latency = z.union([
  z.strictObject({ fixedMs: z.int().min(1).max(faultDelayMaxMs) }),
  z.strictObject({ medianMs: z.int().min(1).max(faultDelayMaxMs), sigma: z.number().gt(0).max(3).default(0.5) }),
]);

const resultField = z.string().regex(/^[a-z_]{1,64}$/, 'the name of a field');

/** A fault by its meaning, so that a person can repeat by hand what a scenario names. */
export const faultSchema = z.discriminatedUnion('kind', [
  /** The registration of the method fails: the error screen follows (R11.8, A45). */
  z.strictObject({ kind: z.literal('registration-fails'), user, ...occasion }),
  /** The text message or call with the code does not come; nothing that is entered is right. */
  z.strictObject({ kind: z.literal('code-never-arrives'), user, ...occasion }),
  /** The request of the second factor in the authenticator app is denied, or never reaches the phone. */
  z.strictObject({ kind: z.literal('push-denied'), user, ...occasion }),
  z.strictObject({ kind: z.literal('push-never-arrives'), user, ...occasion }),
  z.strictObject({ kind: z.literal('token'), fault: z.enum(tokenFaults), client: id.optional(), ...occasion }),
  z.strictObject({
    kind: z.literal('delay'),
    endpoint,
    delayMs: z.int().min(1).max(faultDelayMaxMs),
    ...occasion,
  }),
  z.strictObject({
    kind: z.literal('server-error'),
    endpoint,
    status: z.int().min(500).max(599).default(503),
    ...occasion,
  }),
  z.strictObject({
    kind: z.literal('too-many-requests'),
    endpoint,
    retryAfterSeconds: z.int().min(0).max(retryAfterSecondsMax).default(1),
    ...occasion,
  }),
  z.strictObject({
    kind: z.literal('connection-reset'),
    endpoint,
    /** Before anything is answered, or when half of the answer has left. */
    when: z.enum(['before-answer', 'during-body']).default('before-answer'),
    ...occasion,
  }),
  z.strictObject({ kind: z.literal('lookup-delay'), latency, ...lookup }),
  /** Nothing is answered until the client gives up, or the server closes the connection. */
  z.strictObject({ kind: z.literal('lookup-timeout'), ...lookup }),
  /** The connection is cut when half of the answer has left. */
  z.strictObject({ kind: z.literal('lookup-connection-reset'), ...lookup }),
  /** A field has a value of another type; without a name, a field that is drawn. */
  z.strictObject({ kind: z.literal('lookup-malformed-value'), field: resultField.optional(), ...lookup }),
  z.strictObject({ kind: z.literal('lookup-missing-field'), field: resultField.default('username'), ...lookup }),
  z.strictObject({ kind: z.literal('lookup-unexpected-field'), field: resultField.default('unexpected'), ...lookup }),
  z.strictObject({ kind: z.literal('lookup-null-avatar'), ...lookup }),
  z.strictObject({ kind: z.literal('lookup-control-characters'), ...lookup }),
  z.strictObject({
    kind: z.literal('lookup-long-name'),
    characters: z.int().min(1).max(100_000).default(10_000),
    ...lookup,
  }),
  /** The result of a tool says that it failed; the call succeeds. */
  z.strictObject({
    kind: z.literal('lookup-tool-error'),
    message: z.string().min(1).max(256).default('The tool did not answer.'),
    ...lookup,
  }),
  z.strictObject({ kind: z.literal('lookup-server-error'), ...lookup }),
  /** `times` is the length of the burst. */
  z.strictObject({
    kind: z.literal('lookup-too-many-requests'),
    retryAfterSeconds: z.int().min(0).max(retryAfterSecondsMax).default(1),
    ...lookup,
  }),
]);
export type Fault = z.infer<typeof faultSchema>;

/** A fault that meets calls of the lookup API. */
export type LookupFault = Extract<Fault, { kind: `lookup-${string}` }>;

/** Faults that a sandbox holds at once. */
export const faultsMax = 100;

export const faultsSchema = z.array(faultSchema).max(faultsMax);
