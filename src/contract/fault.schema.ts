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

/** Possible faults of the published keys: without the active keys, or without any key. */
export const keyFaults = ['missing-active', 'empty'] as const;
export type KeyFault = (typeof keyFaults)[number];

/** Server endpoints to which connection and response faults can apply. */
export const faultyEndpoints = [
  'sign-in',
  'authorize',
  'token',
  'userinfo',
  'jwks',
  'device-authorization',
  'device-verification',
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
  z
    .strictObject({ kind: z.literal('registration-fails'), user, ...occasion })
    .describe('The registration of the method fails, and the error screen is displayed (R11.8, A45).'),
  z
    .strictObject({ kind: z.literal('code-never-arrives'), user, ...occasion })
    .describe('The text message or call with the code never arrives, and every entered code is wrong.'),
  z
    .strictObject({ kind: z.literal('push-denied'), user, ...occasion })
    .describe('The user denies the push notification of the second factor.'),
  z
    .strictObject({ kind: z.literal('push-never-arrives'), user, ...occasion })
    .describe('The push notification of the second factor never arrives.'),
  z
    .strictObject({ kind: z.literal('token'), fault: z.enum(tokenFaults), client: id.optional(), ...occasion })
    .describe('A token that an application receives is invalid.'),
  z
    .strictObject({ kind: z.literal('keys'), fault: z.enum(keyFaults), ...occasion })
    .describe('The published keys lack the ones that sign, or are an empty list.'),
  z
    .strictObject({
      kind: z.literal('delay'),
      endpoint,
      delayMs: z.int().min(1).max(faultDelayMaxMs),
      ...occasion,
    })
    .describe('The response is delayed in real time.'),
  z
    .strictObject({
      kind: z.literal('server-error'),
      endpoint,
      status: z.int().min(500).max(599).default(503),
      ...occasion,
    })
    .describe('The server responds with an error of the 5xx class.'),
  z
    .strictObject({
      kind: z.literal('too-many-requests'),
      endpoint,
      retryAfterSeconds: z.int().min(0).max(retryAfterSecondsMax).default(1),
      ...occasion,
    })
    .describe('The server rejects the request with 429 and `Retry-After`.'),
  z
    .strictObject({
      kind: z.literal('connection-reset'),
      endpoint,
      /** Time of the reset: before any data is sent, or after half of the response body. */
      when: z.enum(['before-answer', 'during-body']).default('before-answer'),
      ...occasion,
    })
    .describe('The connection is closed before the response, or in the middle of it.'),
  z.strictObject({ kind: z.literal('lookup-delay'), latency, ...lookup }).describe('The tool responds late.'),
  z
    .strictObject({ kind: z.literal('lookup-timeout'), ...lookup })
    .describe('The server sends no response until the client times out or the server closes the connection.'),
  z
    .strictObject({ kind: z.literal('lookup-connection-reset'), ...lookup })
    .describe('The server resets the connection after half of the response.'),
  z
    .strictObject({ kind: z.literal('lookup-malformed-value'), field: resultField.optional(), ...lookup })
    .describe('A field has a value of the wrong type. The field is chosen at random if `field` is missing.'),
  z
    .strictObject({ kind: z.literal('lookup-missing-field'), field: resultField.default('username'), ...lookup })
    .describe('The result lacks a field.'),
  z
    .strictObject({ kind: z.literal('lookup-unexpected-field'), field: resultField.default('unexpected'), ...lookup })
    .describe('The result has a field that the specification does not know.'),
  z.strictObject({ kind: z.literal('lookup-null-avatar'), ...lookup }).describe('The avatar in the result is null.'),
  z
    .strictObject({ kind: z.literal('lookup-control-characters'), ...lookup })
    .describe('The result contains control characters.'),
  z
    .strictObject({
      kind: z.literal('lookup-long-name'),
      characters: z.int().min(1).max(100_000).default(10_000),
      ...lookup,
    })
    .describe('The name in the result is very long.'),
  z
    .strictObject({
      kind: z.literal('lookup-tool-error'),
      message: z.string().min(1).max(256).default('The tool did not respond.'),
      ...lookup,
    })
    .describe('The call succeeds, but the result of a tool reports a failure.'),
  z
    .strictObject({ kind: z.literal('lookup-server-error'), ...lookup })
    .describe('The server responds to the lookup with an error of the 5xx class.'),
  z
    .strictObject({
      kind: z.literal('lookup-too-many-requests'),
      retryAfterSeconds: z.int().min(0).max(retryAfterSecondsMax).default(1),
      ...lookup,
    })
    .describe('The server rejects a burst of `times` calls.'),
]);
export type Fault = z.infer<typeof faultSchema>;

/** Fault of the lookup API. */
export type LookupFault = Extract<Fault, { kind: `lookup-${string}` }>;

/** Maximum number of faults in a sandbox. */
export const faultsMax = 100;

export const faultsSchema = z.array(faultSchema).max(faultsMax);
