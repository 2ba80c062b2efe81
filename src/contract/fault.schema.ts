import { z } from 'zod';

/** Possible faults of tokens that a sandbox issues. */
export const tokenFaults = [
  'expired',
  'not-yet-valid',
  'wrong-issuer',
  'wrong-audience',
  'bad-signature',
  'nonce-mismatch',
] as const;
export type TokenFault = (typeof tokenFaults)[number];

/** Server endpoints to which connection and response faults can apply. */
export const faultyEndpoints = [
  'sign-in',
  'authorize',
  'token',
  'userinfo',
  'jwks',
  'policy',
  'directory',
  'lookup',
  'document',
] as const;
export type FaultyEndpoint = (typeof faultyEndpoints)[number];

const id = z.string().min(1).max(256);

/** Maximum delay of a response in milliseconds of real time, below the request timeout. */
export const faultDelayMaxMs = 20_000;

const retryAfterSecondsMax = 86_400;

/** Maximum number of times that a fault applies. Without it, the fault applies until it is removed. */
const times = z.int().min(1).max(1_000_000).optional();

/** Number of occurrences before the fault applies: with 2, the third attempt fails. */
const after = z.int().min(0).max(1_000_000).optional();

const occasion = { times, after };

/** User that a fault applies to. Without it, the fault applies to all users. */
const user = id.optional();

const endpoint = z.enum(faultyEndpoints);

/**
 * Tools and callers to which a lookup API fault applies: a tool of either type or `all`, and a caller such as
 * `token:test` or `account:free`.
 */
const lookup = {
  tool: z
    .string()
    .regex(/^[a-z]{2,32}$/, 'must be the identifier of a tool, or all')
    .optional(),
  caller: z
    .string()
    .regex(/^(token|account):[a-z0-9-]{1,63}$/, 'must be token: or account: with an id')
    .optional(),
  /** Probability that the fault applies at an occurrence, drawn with the random seed of the sandbox. */
  probability: z.number().gt(0).max(1).default(1),
  ...occasion,
};

/**
 * Latency of tools in milliseconds of real time: fixed, or log-normal around a median and capped at the maximum delay.
 */
const latency = z.union([
  z.strictObject({ fixedMs: z.int().min(1).max(faultDelayMaxMs) }),
  z.strictObject({ medianMs: z.int().min(1).max(faultDelayMaxMs), sigma: z.number().gt(0).max(3).default(0.5) }),
]);

const resultField = z.string().regex(/^[a-z_]{1,64}$/, 'must be the name of a field');

/** Fault described by its effect, so testers can reproduce the faults of a scenario manually. */
export const faultSchema = z.discriminatedUnion('kind', [
  /** The registration of the method fails, and the error screen is displayed (R11.8, A45). */
  z.strictObject({ kind: z.literal('registration-fails'), user, ...occasion }),
  /** The text message or call with the code never arrives, and every entered code is wrong. */
  z.strictObject({ kind: z.literal('code-never-arrives'), user, ...occasion }),
  /** The user denies the push notification of the second factor. */
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
    /** Time of the reset: before any data is sent, or after half of the response body. */
    when: z.enum(['before-answer', 'during-body']).default('before-answer'),
    ...occasion,
  }),
  z.strictObject({ kind: z.literal('lookup-delay'), latency, ...lookup }),
  /** The server sends no response until the client times out or the server closes the connection. */
  z.strictObject({ kind: z.literal('lookup-timeout'), ...lookup }),
  /** The server resets the connection after half of the response. */
  z.strictObject({ kind: z.literal('lookup-connection-reset'), ...lookup }),
  /** A field has a value of the wrong type. The field is chosen at random if `field` is missing. */
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
  /** The call succeeds, but the result of a tool reports a failure. */
  z.strictObject({
    kind: z.literal('lookup-tool-error'),
    message: z.string().min(1).max(256).default('The tool did not respond.'),
    ...lookup,
  }),
  z.strictObject({ kind: z.literal('lookup-server-error'), ...lookup }),
  /** The server rejects a burst of `times` calls. */
  z.strictObject({
    kind: z.literal('lookup-too-many-requests'),
    retryAfterSeconds: z.int().min(0).max(retryAfterSecondsMax).default(1),
    ...lookup,
  }),
]);
export type Fault = z.infer<typeof faultSchema>;

/** Fault of the lookup API. */
export type LookupFault = Extract<Fault, { kind: `lookup-${string}` }>;

/** Maximum number of faults in a sandbox. */
export const faultsMax = 100;

export const faultsSchema = z.array(faultSchema).max(faultsMax);
