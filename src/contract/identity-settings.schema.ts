import { z } from 'zod';
import { refreshScopeRules } from './resource.schema.ts';

/** Settings of sign-ins of applications. */
export const identitySettingsSchema = z.strictObject({
  /** Audience of access tokens in the tenant form: the id of the resource, or its URI. */
  audience: z.enum(['id', 'uri']).optional(),
  /** Scopes that a refresh can add, for all clients without a setting of their own. */
  refreshScopes: z.enum(refreshScopeRules).optional(),
});
