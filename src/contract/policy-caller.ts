import { NudgeLabError } from '../core/errors.ts';
import type { TokenDescription } from './scenario.schema.ts';

/** Permissions that the policy API asks for. */
export const policyPermissions = {
  readAll: 'Policy.Read.All',
  readMethods: 'Policy.Read.AuthenticationMethod',
  readWriteMethods: 'Policy.ReadWrite.AuthenticationMethod',
} as const;

/** Directory roles that may write the policy, by name and by the id that their template has in every directory. */
export const policyWriterRoles = [
  { name: 'Authentication Policy Administrator', templateId: '0526716b-113d-4c15-b2c8-68e3c22b9f80' },
  { name: 'Global Administrator', templateId: '62e90394-69f5-4237-9190-012177145e10' },
] as const;

/** The challenge to a token that is none, has expired or was revoked (RFC 6750). */
export const bearerRefused = 'Bearer error="invalid_token"';

/** Who asks, as far as the policy API looks at it. */
export interface PolicyCaller {
  /** Delegated tokens act for a user, app-only tokens for an application. */
  readonly kind: 'delegated' | 'app';
  readonly permissions: readonly string[];
  /** Directory roles; they count for delegated tokens. */
  readonly roles: readonly string[];
}

const administrator: PolicyCaller = {
  kind: 'delegated',
  permissions: [policyPermissions.readAll, policyPermissions.readWriteMethods],
  roles: [policyWriterRoles[0].name],
};

/**
 * The caller that a described token speaks for, without issuing one: what a driver inside the process asks with. Takes the
 * description of a scenario. Throws `unauthenticated` for the wishes "none" and "invalid".
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
