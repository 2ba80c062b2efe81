import { z } from 'zod';
import { signingAlgorithms } from './signing-algorithms.ts';

const instant = z.iso.datetime();

/** Number of sessions that were ended. */
export const revokedSessionsResponse = z.strictObject({ sessions: z.int().min(0) });

/** Logout tokens of back-channel logout. A reset, a restore and the end of the process delete them. */
export const logoutTokensResponse = z.strictObject({
  logoutTokens: z.array(
    z.strictObject({
      /** Id of the application. */
      client: z.string(),
      /** Id of the user who was signed out. */
      user: z.string(),
      /** URL of the application that the token is for. */
      uri: z.string(),
      /** Token to send as `logout_token` in a form by POST. */
      logoutToken: z.string(),
      issuedAt: instant,
      /** Result of the delivery by `serve --deliver-logout`. `null` if the server does not deliver, or waits. */
      delivery: z.strictObject({ at: instant, status: z.int().nullable(), error: z.string().nullable() }).nullable(),
    }),
  ),
});

export const tokenResponse = z.strictObject({
  access_token: z.string(),
  token_type: z.literal('Bearer'),
  expires_in: z.int().min(1),
});

/** Published signing keys: those that sign, those that follow, and earlier ones whose tokens are still valid. */
export const keysResponse = z.strictObject({
  keys: z.array(
    z.strictObject({
      kid: z.string(),
      alg: z.enum(signingAlgorithms),
      status: z.enum(['next', 'active', 'retired']),
      activeFrom: instant,
      retiredAt: instant.nullable(),
    }),
  ),
});
