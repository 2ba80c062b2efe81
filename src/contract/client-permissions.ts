import { directoryPermissions } from './directory-api/access.ts';
import { documentScopes } from './document-scopes.ts';
import { policyPermissions } from './policy-caller.ts';

/** Permissions of the policy API and the directory API, and scopes of the document records API that a client can have. */
export const clientPermissions: readonly string[] = [
  ...new Set([...Object.values(policyPermissions), ...directoryPermissions, ...documentScopes]),
];
