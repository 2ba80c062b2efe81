import type { ExcludeTarget, TenantFacts, UserFacts } from './vocabulary.ts';

/** The id that stands for everyone in an include target of type group. */
export const allUsersId = 'all_users';

/**
 * Object ids are compared without regard to case, as directories do with GUIDs.
 * Takes any object id; returns the form in which two ids are equal or not.
 */
export function comparableId(id: string): string {
  return id.toLowerCase();
}

/**
 * All groups a user belongs to, directly or through nested groups (A14). A cycle of groups ends the walk.
 * Takes the tenant's direct group memberships and the user's own; returns comparable ids.
 */
export function transitiveGroups(groups: TenantFacts['groups'], direct: readonly string[]): ReadonlySet<string> {
  const reached = new Set<string>();
  if (direct.length === 0) return reached;
  const parents = new Map(Object.entries(groups).map(([id, of]) => [comparableId(id), of]));
  const open = [...direct];
  for (let id = open.pop(); id !== undefined; id = open.pop()) {
    const group = comparableId(id);
    if (reached.has(group)) continue;
    reached.add(group);
    open.push(...(parents.get(group) ?? []));
  }
  return reached;
}

/** Whether an id is the one that stands for everyone, however it is written; it is no object id (A37). */
export function isAllUsers(id: string): boolean {
  return comparableId(id) === allUsersId;
}

/** Whether a target names this user, one of the user's groups, or everyone. */
export function targetsUser(target: ExcludeTarget, userId: UserFacts['id'], memberOf: ReadonlySet<string>): boolean {
  if (target.targetType === 'user') return comparableId(target.id) === comparableId(userId);
  return isAllUsers(target.id) || memberOf.has(comparableId(target.id));
}

/** A method's policy as far as it says whom it enables. */
interface MethodPolicy {
  readonly state: 'enabled' | 'disabled';
  readonly includeTargets: readonly ExcludeTarget[];
  readonly excludeTargets: readonly ExcludeTarget[];
}

/**
 * Whether a method's policy enables a user, and what that stands on: the method's state, an include target that names the
 * user, and no exclude target that does (A14).
 */
export function methodEnablement(
  policy: MethodPolicy,
  userId: UserFacts['id'],
  memberOf: ReadonlySet<string>,
): { readonly enabled: boolean; readonly state: string; readonly included: boolean; readonly excluded: boolean } {
  const { state } = policy;
  const included = policy.includeTargets.some((target) => targetsUser(target, userId, memberOf));
  const excluded = policy.excludeTargets.some((target) => targetsUser(target, userId, memberOf));
  return { enabled: state === 'enabled' && included && !excluded, state, included, excluded };
}
