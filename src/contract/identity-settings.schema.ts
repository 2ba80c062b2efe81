import { z } from 'zod';

/** Settings of sign-ins of applications. */
export const identitySettingsSchema = z.strictObject({
  /** `SameSite` of session cookies over HTTPS. With `none`, frames of other sites can use the session. */
  cookies: z.enum(['lax', 'none']).optional(),
  /** Sign-outs that need a confirmation: all of them, or those without a valid ID token of the user. */
  askOnLogout: z.enum(['always', 'without-hint']).optional(),
  /** `true` requires a nonce of the server in every DPoP proof. */
  dpopNonce: z.boolean().optional(),
});
