import { z } from 'zod';
import { refreshScopeRules } from './resource.schema.ts';

/** Settings of sign-ins of applications. */
export const identitySettingsSchema = z.strictObject({
  /** Subjects in tokens: the ids of users, or values that differ between applications. */
  subject: z.enum(['public', 'pairwise']).optional(),
  /** Audience of access tokens in the tenant form: the id of the resource, or its URI. */
  audience: z.enum(['id', 'uri']).optional(),
  /** Scopes that a refresh can add, for all clients without a setting of their own. */
  refreshScopes: z.enum(refreshScopeRules).optional(),
  /** Days of the virtual clock after which the signing keys are replaced. Without it, only the control API replaces them. */
  keyRotationDays: z.int().min(1).max(3_650).optional(),
  /** Hours of the virtual clock for which the next key is published before it is used. Defaults to 24. */
  keyAheadHours: z.int().min(0).max(720).optional(),
  /** Seconds for which clients may cache the published keys. Defaults to 0. */
  jwksMaxAgeSeconds: z.int().min(0).max(86_400).optional(),
  /** Maximum number of groups in a token. Defaults to 200. A token with more refers to the directory API instead. */
  groupsLimit: z.int().min(0).max(10_000).optional(),
  /** `SameSite` of session cookies over HTTPS. With `none`, frames of other sites can use the session. */
  cookies: z.enum(['lax', 'none']).optional(),
  /** Sign-outs that need a confirmation: all of them, or those without a valid ID token of the user. */
  askOnLogout: z.enum(['always', 'without-hint']).optional(),
  /** `true` requires a nonce of the server in every DPoP proof. */
  dpopNonce: z.boolean().optional(),
  /** `true` rejects requests of a device with `slow_down` if they come more often than every five seconds of real time. */
  deviceSlowDown: z.boolean().optional(),
  /** `true` adds a requested `.default` to the scope of token responses, by which libraries find cached tokens. */
  listDefaultScope: z.boolean().optional(),
  /** Tolerance for the times of client assertions, which clients sign by their own clocks. */
  assertionToleranceSeconds: z.union([z.int().min(0).max(86_400), z.literal('any')]).optional(),
});

type SubjectType = 'public' | 'pairwise';

/** Returns the type of subjects in tokens. By default, it is pairwise in the tenant form and public in the plain form. */
export function getSubjectType(
  { identity }: { readonly identity?: z.infer<typeof identitySettingsSchema> | undefined },
  isTenantForm: boolean,
): SubjectType {
  return identity?.subject ?? (isTenantForm ? 'pairwise' : 'public');
}
