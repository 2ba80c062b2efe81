import { type PolicyCaller, policyPermissions, policyWriterRoles } from '../contract/policy-caller.ts';
import { NudgeLabError } from '../core/errors.ts';

const { readAll, readMethods, readWriteMethods } = policyPermissions;

/** Permissions of which any one grants read access. */
const readers: readonly string[] = [readAll, readMethods, readWriteMethods];

/**
 * Checks that a caller may read the policy: any of three permissions suffices, without a role. Throws
 * `access-denied` with what is missing.
 */
export function requireReader({ permissions }: PolicyCaller): void {
  if (permissions.some((permission) => readers.includes(permission))) return;
  throw denied([`one of the permissions ${readers.join(', ')}`]);
}

/**
 * Checks that a caller may write the policy. Delegated access requires both permissions of the specification and
 * the role. App-only access requires the read-write permission and no role. Throws `access-denied` with everything
 * that is missing.
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
