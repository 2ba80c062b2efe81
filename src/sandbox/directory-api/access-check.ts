import {
  type AccessRow,
  directoryRoleTemplates,
  includesPermission,
  roleForEverything,
} from '../../contract/directory-api/access.ts';
import { NudgeLabError } from '../../core/errors.ts';
import type { Caller } from '../token-service.ts';

/** Part of a caller that access depends on. */
type AccessCaller = Pick<Caller, 'kind' | 'permissions' | 'roles'>;

/**
 * Checks that a token allows an operation.
 *
 * @param isOwn - `true` if the operation concerns the token's own user
 * @throws NudgeLabError `access-denied` with every missing permission and role
 */
export function requireAccess(caller: AccessCaller, access: AccessRow, isOwn: boolean): void {
  const { kind, permissions } = caller;
  const holds = (wanted: readonly string[]) =>
    wanted.some((required) => permissions.some((permission) => includesPermission(permission, required)));
  const own = isOwn && kind === 'delegated' ? access.own : undefined;
  const wanted = own ?? (kind === 'delegated' ? access.delegated : access.application);
  const roles = own === undefined && kind === 'delegated' ? (access.roles ?? []) : [];
  const missing = [
    ...(holds(wanted) ? [] : [listPermissions(wanted)]),
    ...(hasRole(caller, roles) ? [] : [listRoles(roles)]),
  ];
  if (missing.length === 0) return;
  throw new NudgeLabError('access-denied', {
    message: `The token lacks ${missing.join(' and ')}.`,
    ...(holds(wanted) ? { aspect: 'role' } : {}),
  });
}

/** Returns `true` if the caller has any of the roles, by name or template id, or no role is required. */
function hasRole({ roles }: AccessCaller, wanted: readonly string[]): boolean {
  if (wanted.length === 0) return true;
  return [...wanted, roleForEverything].some((role) =>
    roles.some((own) => own === role || own.toLowerCase() === directoryRoleTemplates[role]),
  );
}

function listPermissions(wanted: readonly string[]): string {
  return wanted.length === 1 ? `the permission ${wanted[0]}` : `one of the permissions ${wanted.join(', ')}`;
}

function listRoles(wanted: readonly string[]): string {
  return `the role ${[...wanted, roleForEverything].join(' or ')}`;
}
