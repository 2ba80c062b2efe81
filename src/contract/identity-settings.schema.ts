import { z } from 'zod';
import { refreshScopeRules } from './resource.schema.ts';

/** Settings of sign-ins of applications. */
export const identitySettingsSchema = z.strictObject({
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
});
