import type { ExcludeTarget, TenantFacts, UserFacts } from './vocabulary.ts';

/** Id that represents everyone in an include target of type group. */
export const allUsersId = 'all_users';

/**
 * Normalizes an object id for comparison. The comparison ignores case, as directories do with GUIDs.
 *
 * @param id - any object id
 * @returns the form in which equal ids are identical
 */
export function comparableId(id: string): string {
  return id.toLowerCase();
}

/**
 * Computes all groups that a user belongs to, directly or through nested groups (A14). Cycles of groups are
 * supported.
 *
 * @param groups - direct group memberships of the tenant's groups
 * @param direct - direct group memberships of the user
 * @returns normalized group ids
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

/** Returns true if an id represents everyone, in any letter case, and is therefore not an object id (A37). */
export function isAllUsers(id: string): boolean {
  return comparableId(id) === allUsersId;
}

/** Returns true if a target contains this user, one of the user's groups, or everyone. */
export function targetsUser(target: ExcludeTarget, userId: UserFacts['id'], memberOf: ReadonlySet<string>): boolean {
  if (target.targetType === 'user') return comparableId(target.id) === comparableId(userId);
  return isAllUsers(target.id) || memberOf.has(comparableId(target.id));
}

/** Part of a method's policy that determines which users it enables. */
interface MethodPolicy {
  readonly state: 'enabled' | 'disabled';
  readonly includeTargets: readonly ExcludeTarget[];
  readonly excludeTargets: readonly ExcludeTarget[];
}

/**
 * Evaluates whether a method's policy enables a user, and returns the evaluated facts: the state of the method, an
 * include target that contains the user, and no exclude target that does (A14).
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
