import { NudgeLabError } from '../core/errors.ts';
import type { TokenDescription } from './scenario.schema.ts';

/** Permissions that the policy API requires. */
export const policyPermissions = {
  readAll: 'Policy.Read.All',
  readMethods: 'Policy.Read.AuthenticationMethod',
  readWriteMethods: 'Policy.ReadWrite.AuthenticationMethod',
} as const;

/** Directory roles that may write the policy, by name and by template id, which is the same in every directory. */
export const policyWriterRoles = [
  { name: 'Authentication Policy Administrator', templateId: '0526716b-113d-4c15-b2c8-68e3c22b9f80' },
  { name: 'Global Administrator', templateId: '62e90394-69f5-4237-9190-012177145e10' },
] as const;

/** Challenge for an invalid, expired, or revoked token (RFC 6750). */
export const bearerRefused = 'Bearer error="invalid_token"';

/** Caller properties that the policy API checks. */
export interface PolicyCaller {
  /** Type of the token: `delegated` for a user, `app` for an application. */
  readonly kind: 'delegated' | 'app';
  readonly permissions: readonly string[];
  /** Directory roles, which apply only to delegated tokens. */
  readonly roles: readonly string[];
  /** Id of the user, or name of the application; omitted without a token. */
  readonly subject?: string;
}

const administrator: PolicyCaller = {
  kind: 'delegated',
  permissions: [policyPermissions.readAll, policyPermissions.readWriteMethods],
  roles: [policyWriterRoles[0].name],
};

/**
 * Returns the policy caller for a token description without issuing a token, as drivers inside the process need it.
 *
 * @param description - token description of a scenario
 * @throws NudgeLabError `unauthenticated` for the descriptions "none" and "invalid"
 */
export function toPolicyCaller(description: TokenDescription): PolicyCaller {
  if (description === 'administrator') return administrator;
  if (description === 'none' || description === 'invalid') {
    const challenge = description === 'none' ? 'Bearer' : bearerRefused;
    throw new NudgeLabError('unauthenticated', { headers: { 'WWW-Authenticate': challenge } });
  }
  const { app, permissions = [], roles = [] } = description;
  return app === undefined ? { kind: 'delegated', permissions, roles } : { kind: 'app', permissions, roles: [] };
}
