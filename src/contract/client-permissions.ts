import { documentScopes } from './document-scopes.ts';
import { policyPermissions } from './policy-caller.ts';

/** Permissions of the policy API and scopes of the document records API that a client can have. */
export const clientPermissions = [...Object.values(policyPermissions), ...documentScopes];
