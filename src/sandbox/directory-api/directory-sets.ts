import type { ResourceType } from '../../contract/directory-api/resource-type.ts';
import {
  type DirectoryObjectType,
  isDirectoryObjectType,
  type ResourceTypeName,
  resourceTypes,
} from '../../contract/directory-api/resource-types.ts';
import { createObjectReader, readDirectoryObject, readTenant } from './directory-objects.ts';
import type { DirectoryObject, DirectoryView, MemberKind } from './directory-view.ts';
import type { ResourceSet } from './resource-set.ts';
import type { RowSource } from './row-source.ts';
import type { IdKind } from './wire-ids.ts';

/** Names of the sets of directory objects of one type. */
const entitySets: Readonly<Record<DirectoryObjectType, string>> = {
  user: 'users',
  group: 'groups',
  directoryRole: 'directoryRoles',
};

const idKinds: readonly IdKind[] = ['user', 'group', 'role'];

/** Order of directory objects without `$orderby`, and of equal ones. */
const directoryOrder = ['displayName', 'id'];

/** Returns a set of directory objects of one type. */
export function toObjectSet(
  view: DirectoryView,
  type: DirectoryObjectType,
  rows: RowSource<DirectoryObject>,
): ResourceSet<DirectoryObject> {
  return { ...createSet(view, rows), entitySet: entitySets[type], types: [resourceTypes[type]] };
}

/** Returns the set of all users, in the order of their display names. */
export function toUserSet(view: DirectoryView): ResourceSet<DirectoryObject> {
  return {
    ...toObjectSet(view, 'user', view.users()),
    isOrdered: true,
    sortBy: (property) =>
      property === 'displayName' || property === 'userPrincipalName' ? view.users(property) : null,
    listAlike: (properties) => (properties.isSubsetOf(sharedProperties) ? view.alikeUsers() : null),
  };
}

/** Properties by which lists filter users, and that depend neither on their ids nor on their names. */
const sharedProperties: ReadonlySet<string> = new Set([
  'accountEnabled',
  'createdDateTime',
  'onPremisesSyncEnabled',
  'userType',
]);

/**
 * Returns a set of directory objects of several types.
 *
 * @param types - types that the objects can have
 * @param cast - type of the objects to return, or `null` for all
 */
function toMixedSet(
  view: DirectoryView,
  rows: readonly DirectoryObject[],
  types: readonly DirectoryObjectType[],
  cast: ResourceTypeName | null,
): ResourceSet<DirectoryObject> {
  if (cast !== null && isDirectoryObjectType(cast)) {
    return toObjectSet(
      view,
      cast,
      rows.filter(({ kind }) => kind === cast),
    );
  }
  return { ...createSet(view, rows), entitySet: 'directoryObjects', types: types.map((type) => resourceTypes[type]) };
}

/**
 * Returns a set of members: users and groups.
 *
 * @param kind - kind of all members, or `null` if it can be any
 */
function toMemberSet(
  view: DirectoryView,
  rows: RowSource<DirectoryObject>,
  kind: MemberKind | null,
): ResourceSet<DirectoryObject> {
  if (kind !== null) return toObjectSet(view, kind, rows);
  return { ...createSet(view, rows), entitySet: 'directoryObjects', types: memberTypes };
}

/** Returns the set with the tenant. */
export function toTenantSet(view: DirectoryView): ResourceSet<DirectoryView> {
  return {
    rows: [view],
    read: readTenant,
    order: [],
    entitySet: 'organization',
    types: [resourceTypes.tenant],
    getType: () => resourceTypes.tenant,
  };
}

type Shared = Omit<ResourceSet<DirectoryObject>, 'entitySet' | 'types'>;

function createSet(view: DirectoryView, rows: RowSource<DirectoryObject>): Shared {
  return {
    rows,
    read: (object, name) => readDirectoryObject(object, name, view),
    createReader: (name) => createObjectReader(name, view),
    isSameForAll: true,
    order: directoryOrder,
    listIdForms: (id) => idKinds.map((kind) => view.wireIds.toWire(kind, id)),
    getType: ({ kind }): ResourceType => resourceTypes[kind],
    getRelated: (object, name) => relatedSet(view, object, name),
  };
}

const memberTypes = [resourceTypes.user, resourceTypes.group];
const membershipTypes: readonly DirectoryObjectType[] = ['group', 'directoryRole'];

/**
 * Returns the objects that are related to an object by one of the relationships of its type.
 *
 * @param cast - type of the objects to return, or `null` for all
 */
export function relatedSet(
  view: DirectoryView,
  object: DirectoryObject,
  name: string,
  cast: ResourceTypeName | null = null,
): ResourceSet<DirectoryObject> {
  switch (object.kind) {
    case 'user': {
      const rows =
        name === 'memberOf' ? view.listMemberships(object.user) : view.listTransitiveMemberships(object.user);
      return toMixedSet(view, rows, membershipTypes, cast);
    }
    case 'group': {
      const kind = cast === 'user' || cast === 'group' ? cast : null;
      const rows = name === 'members' ? view.members(object.id, kind) : view.transitiveMembers(object.id, kind);
      return { ...toMemberSet(view, rows, kind), isOrdered: true };
    }
    case 'directoryRole': {
      const kind = cast === 'user' || cast === 'group' ? cast : null;
      const rows = kind === 'group' ? [] : view.roleMembers(object.role);
      return { ...toMemberSet(view, rows, kind), isOrdered: true };
    }
  }
}
