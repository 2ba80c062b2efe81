import { comparableId } from '../../machines/membership.ts';
import { getDialect } from '../contract/directory-api/dialect.ts';
import type { ResolveId } from '../contract/policy-targets.ts';
import type { TenantSettings } from '../contract/sandbox.schema.ts';
import { isGuid } from '../core/ids.ts';
import type { SandboxState } from '../journal/state.ts';
import { WireIds } from './directory-api/wire-ids.ts';

/** Creates the converter of ids of a tenant. */
export function createWireIds(settings: TenantSettings): WireIds {
  return new WireIds(settings.directory?.wireIds ?? getDialect(settings).data.wireIds);
}

/**
 * Creates a function that returns the id in the facts of an object that a request names by its id on the wire. It
 * returns `undefined` for all ids if responses contain those of the facts.
 *
 * @param stored - ids of the current targets, which the directory may not know
 */
export function createIdResolver(
  { settings, users, tenant }: Pick<SandboxState, 'settings' | 'users' | 'tenant'>,
  stored: () => Iterable<string>,
): ResolveId {
  const wireIds = createWireIds(settings);
  if (wireIds.form === 'facts') return () => undefined;
  // Ids of synthetic users are GUIDs, which are the same on the wire and not derived from names.
  const findUser = wireIds.createFinder('user', () => users.stored().map(({ facts }) => facts.id));
  const findGroupOfUsers = wireIds.createFinder('group', () => listGroupsOfUsers(users));
  return (given) => {
    const isDerived = isGuid(given) && given.charAt(versionPosition) === '5';
    if (!isDerived) {
      if (users.has(given)) return given;
      return findSame(stored(), given) ?? findSame(listGroups(tenant.groups), given);
    }
    const targets = [...stored()];
    return (
      wireIds.findFact('group', given, targets) ??
      wireIds.findFact('user', given, targets) ??
      wireIds.findFact('group', given, listGroups(tenant.groups)) ??
      findUser(given) ??
      findGroupOfUsers(given)
    );
  };
}

/** Returns the spelling of an id in a list. */
function findSame(ids: Iterable<string>, given: string): string | undefined {
  const wanted = comparableId(given);
  for (const id of ids) if (comparableId(id) === wanted) return id;
  return undefined;
}

/** Position of the version in a UUID; those that are derived from names have version 5. */
const versionPosition = 14;

function* listGroups(groups: SandboxState['tenant']['groups']): Iterable<string> {
  for (const [id, parents] of Object.entries(groups)) {
    yield id;
    yield* parents;
  }
}

function* listGroupsOfUsers(users: SandboxState['users']): Iterable<string> {
  for (const { user } of users.alike()) yield* user.facts.groups;
}

/** Lists the ids of the targets in a value. */
export function listTargetIds(value: unknown): readonly string[] {
  if (Array.isArray(value)) return value.flatMap(listTargetIds);
  if (typeof value !== 'object' || value === null) return [];
  const { targetType, id } = value as { readonly targetType?: unknown; readonly id?: unknown };
  const own = targetType !== undefined && typeof id === 'string' ? [id] : [];
  return [...own, ...Object.values(value).flatMap(listTargetIds)];
}
