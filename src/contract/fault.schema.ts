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
export const faultyEndpoints = ['sign-in', 'authorize', 'token', 'userinfo', 'jwks', 'policy'] as const;
export type FaultyEndpoint = (typeof faultyEndpoints)[number];

const id = z.string().min(1).max(256);

/** How long an answer may be held back, in ms of real time; below the time-out of a request. */
const faultDelayMaxMs = 20_000;

const retryAfterSecondsMax = 86_400;

/** How often a fault applies before it is spent; without it, it applies until it is taken away. */
const times = z.int().min(1).max(1_000_000).optional();

/** Leaves out this many occasions before the fault applies: 2 makes the third try fail. */
const after = z.int().min(0).max(1_000_000).optional();

const occasion = { times, after };

/** Whom a fault meets; everybody without it. */
const user = id.optional();

const endpoint = z.enum(faultyEndpoints);

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
    kind: z.literal('slow'),
    endpoint,
    delayMs: z.int().min(1).max(faultDelayMaxMs),
    ...occasion,
  }),
  z.strictObject({ kind: z.literal('failing'), endpoint, status: z.int().min(500).max(599).default(503), ...occasion }),
  z.strictObject({
    kind: z.literal('too-many-requests'),
    endpoint,
    retryAfterSeconds: z.int().min(0).max(retryAfterSecondsMax).default(1),
    ...occasion,
  }),
  z.strictObject({
    kind: z.literal('connection-cut'),
    endpoint,
    /** Before anything is answered, or when half of the answer has left. */
    when: z.enum(['before-answer', 'mid-body']).default('before-answer'),
    ...occasion,
  }),
]);
export type Fault = z.infer<typeof faultSchema>;

/** Faults that a sandbox holds at once. */
const faultsMax = 100;

export const faultsSchema = z.array(faultSchema).max(faultsMax);
