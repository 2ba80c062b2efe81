import { type PolicyCaller, policyPermissions, policyWriterRoles } from '../contract/policy-caller.ts';
import { NudgeLabError } from '../core/errors.ts';

const { readAll, readMethods, readWriteMethods } = policyPermissions;

/** Any one of these lets its holder read. */
const readers: readonly string[] = [readAll, readMethods, readWriteMethods];

/** Lets a caller read the policy: one of three permissions, no role. Throws `access-denied` saying what is missing. */
export function requireReader({ permissions }: PolicyCaller): void {
  if (permissions.some((held) => readers.includes(held))) return;
  throw denied([`one of the permissions ${readers.join(', ')}`]);
}

/**
 * Lets a caller write the policy. Delegated: both permissions of the specification and the role; app-only: the read-write
 * permission, no role. Throws `access-denied` saying everything that is missing.
 */
export function requireWriter(caller: PolicyCaller): void {
  const wanted = caller.kind === 'app' ? [readWriteMethods] : [readAll, readWriteMethods];
  const missing = wanted
    .filter((permission) => !caller.permissions.includes(permission))
    .map((permission) => `the permission ${permission}`);
  if (caller.kind === 'delegated' && !caller.roles.some(isWriterRole)) {
    missing.push(`the role ${policyWriterRoles.map(({ name }) => name).join(' or ')}`);
  }
  if (missing.length > 0) throw denied(missing);
}

function isWriterRole(role: string): boolean {
  return policyWriterRoles.some(({ name, templateId }) => role === name || role.toLowerCase() === templateId);
}

function denied(missing: readonly string[]): NudgeLabError {
  return new NudgeLabError('access-denied', { message: `The token lacks ${missing.join(' and ')}.` });
}
