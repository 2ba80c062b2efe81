import { allUsersId, comparableId, transitiveGroups } from '../../../machines/membership.ts';
import { directoryRoleTemplates } from '../../contract/directory-api/access.ts';
import { type Dialect, getDialect } from '../../contract/directory-api/dialect.ts';
import type { TenantSettings } from '../../contract/sandbox.schema.ts';
import { directoryListsMax, directoryPagesBytesMax } from '../../core/limits.ts';
import { LruMap } from '../../core/lru-map.ts';
import type { SandboxState, UserRecord } from '../../journal/state.ts';
import { createWireIds } from '../policy-ids.ts';
import type { RenderedPage } from './directory-exchange.ts';
import type { AlikeRows, PlannedQuery } from './resource-list.ts';
import { insertRows, mapRows, type RowSource } from './row-source.ts';
import { compareKeys, type SortedUsers, type SortKey, type UserName, UserOrder } from './sorted-users.ts';
import { WireIds } from './wire-ids.ts';

/** Directory role that the profile of a user names. */
export interface DirectoryRole {
  readonly templateId: string;
  readonly name: string;
}

/** Object of the directory. */
export type DirectoryObject =
  | { readonly kind: 'user'; readonly user: UserRecord }
  | { readonly kind: 'group'; readonly id: string }
  | { readonly kind: 'directoryRole'; readonly role: DirectoryRole };

/** Kind of the members of a group. */
export type MemberKind = 'user' | 'group';

/** Orders of the users of a sandbox, kept from one state to the next. */
export type UserOrders = Readonly<Record<UserName, UserOrder>>;

/** Creates the orders of a sandbox. */
export function createUserOrders(): UserOrders {
  return { displayName: new UserOrder('displayName'), userPrincipalName: new UserOrder('userPrincipalName') };
}

/**
 * Projection of one state of a sandbox: its users, groups and roles with their relationships. It is computed from the
 * facts when it is first needed, and no longer valid once the state changes.
 */
export class DirectoryView {
  readonly state: SandboxState;
  readonly sandboxId: string;
  /** Sequence number of the last entry of the state. */
  readonly seq: number;
  readonly settings: NonNullable<TenantSettings['directory']>;
  readonly dialect: Dialect;
  readonly wireIds: WireIds;
  /** Planned queries of this state, and the rows of its lists in each requested order. */
  readonly queries = new LruMap<string, PlannedQuery>({ max: directoryListsMax });
  readonly orders = new LruMap<string, RowSource<unknown>>({ max: directoryListsMax });
  /** Rendered pages of this state, by the request that they answer. */
  readonly pages = new LruMap<string, RenderedPage>({
    weightMax: directoryPagesBytesMax,
    computeWeight: ({ body }) => body.bytes.length,
  });
  readonly #orders: UserOrders;
  readonly #sorted: Partial<Record<UserName, SortedUsers>> = {};
  #groups: ReadonlyMap<string, string> | null = null;
  /** Users who are direct members of the groups with given ids. */
  readonly #members = new LruMap<string, RowSource<UserRecord>>({ max: directoryListsMax });
  #roles: ReadonlyMap<string, DirectoryRole> | null = null;
  /** Finds the id of a stored user. Ids of synthetic users are GUIDs, which are the same on the wire. */
  readonly #findUserId: (given: string) => string | undefined;

  /** Creates the projection. `orders` are those of earlier states of the sandbox, or new ones. */
  constructor(sandboxId: string, state: SandboxState, orders: UserOrders = createUserOrders()) {
    this.sandboxId = sandboxId;
    this.#orders = orders;
    this.state = state;
    this.seq = state.lastSeq;
    this.settings = state.settings.directory ?? {};
    this.dialect = getDialect(state.settings);
    this.wireIds = createWireIds(state.settings);
    this.#findUserId = this.wireIds.createFinder('user', () => state.users.stored().map(({ facts }) => facts.id));
  }

  /** Returns `true` if responses under every version have all properties of a type. */
  showsAll(typeName: string): boolean {
    return typeName === 'signIn' && this.settings.v1SignIns === 'full';
  }

  /** Returns all users in the order of a name, then of their ids. */
  sortedUsers(name: UserName): SortedUsers {
    const sorted = this.#sorted[name] ?? this.#orders[name].list(this.state, this.wireIds);
    this.#sorted[name] = sorted;
    return sorted;
  }

  /** Returns all users in the order of a name, by default their display names, then of their ids. */
  users(name: UserName = 'displayName'): RowSource<DirectoryObject> {
    return mapRows(this.sortedUsers(name), toUser);
  }

  /**
   * Returns all users in groups that differ only in ids and names.
   *
   * @param apart - ids of users who are returned one by one, because something depends on their ids
   */
  *alikeUsers(apart: Iterable<string> = []): Generator<AlikeRows<DirectoryObject>, void> {
    for (const { user, count } of this.state.users.alike(apart)) yield { row: toUser(user), count };
  }

  /** Returns all groups: those of the tenant's facts and those that users are members of. */
  groups(): readonly DirectoryObject[] {
    return Array.from(this.#listGroups().values(), toGroup);
  }

  /** Returns all roles that the profiles of users name. */
  roles(): readonly DirectoryObject[] {
    return Array.from(this.#listRoles().values(), toRole);
  }

  /** Finds a user by id or user principal name. */
  findUser(given: string): UserRecord | undefined {
    const { users } = this.state;
    const lower = given.toLowerCase();
    const direct = users.get(given) ?? users.get(users.findId(lower) ?? '') ?? users.get(lower);
    if (direct !== undefined) return direct;
    return users.get(this.#findUserId(given) ?? '');
  }

  /** Finds the id of a group by its id in either form. */
  findGroup(given: string): string | undefined {
    const groups = this.#listGroups();
    return groups.get(comparableId(given)) ?? this.wireIds.findFact('group', given, groups.values());
  }

  /** Finds a role by its template id. */
  findRole(given: string): DirectoryRole | undefined {
    return this.#listRoles().get(given.toLowerCase());
  }

  /**
   * Returns the direct members of a group, in the order of their display names, then of their ids.
   *
   * @param kind - kind of the members to return, or `null` for all
   */
  members(groupId: string, kind: MemberKind | null = null): RowSource<DirectoryObject> {
    return this.#listMembers([groupId], this.#childGroups(groupId), kind);
  }

  /**
   * Returns the members of a group and of all groups in it, each once and without the group itself (A14).
   *
   * @param kind - kind of the members to return, or `null` for all
   */
  transitiveMembers(groupId: string, kind: MemberKind | null = null): RowSource<DirectoryObject> {
    const reached = new Set([comparableId(groupId)]);
    const groups: string[] = [];
    const open = [groupId];
    for (let id = open.pop(); id !== undefined; id = open.pop()) {
      for (const child of this.#childGroups(id)) {
        if (reached.has(comparableId(child))) continue;
        reached.add(comparableId(child));
        groups.push(child);
        open.push(child);
      }
    }
    return this.#listMembers([...reached], groups, kind);
  }

  /** Returns the groups that a user is a direct member of, and the user's roles. */
  listMemberships({ facts, profile }: UserRecord): readonly DirectoryObject[] {
    return [...this.#spell(facts.groups), ...listRoles(profile.roles ?? []).map(toRole)];
  }

  /** Returns the groups of a user, including nested ones (A14), and the user's roles. */
  listTransitiveMemberships({ facts, profile }: UserRecord): readonly DirectoryObject[] {
    const reached = transitiveGroups(this.state.tenant.groups, facts.groups);
    return [...this.#spell(reached), ...listRoles(profile.roles ?? []).map(toRole)];
  }

  /** Returns the users who have a role, in the order of their display names, then of their ids. */
  roleMembers({ templateId }: DirectoryRole): RowSource<DirectoryObject> {
    const members = this.sortedUsers('displayName').filter(({ profile }) =>
      listRoles(profile.roles ?? []).some((role) => role.templateId === templateId),
    );
    return mapRows(members, toUser);
  }

  /** Returns groups in the spelling of the facts, each once. */
  #spell(ids: Iterable<string>): readonly DirectoryObject[] {
    const groups = this.#listGroups();
    const keys = new Set(Array.from(ids, comparableId));
    return [...keys].flatMap((key) => {
      const id = groups.get(key);
      return id === undefined ? [] : [toGroup(id)];
    });
  }

  #listGroups(): ReadonlyMap<string, string> {
    if (this.#groups !== null) return this.#groups;
    const groups = new Map<string, string>();
    const add = (id: string) => {
      const key = comparableId(id);
      if (key !== allUsersId && !groups.has(key)) groups.set(key, id);
    };
    for (const [id, parents] of Object.entries(this.state.tenant.groups)) for (const one of [id, ...parents]) add(one);
    for (const { user } of this.state.users.alike()) for (const id of user.facts.groups) add(id);
    this.#groups = groups;
    return groups;
  }

  /** Returns the groups that are direct members of a group, each once. */
  #childGroups(groupId: string): readonly string[] {
    const key = comparableId(groupId);
    return Object.entries(this.state.tenant.groups).flatMap(([id, parents]) =>
      parents.some((parent) => comparableId(parent) === key) ? [id] : [],
    );
  }

  /** Returns the direct user members of any of several groups, with other groups among them. */
  #listMembers(
    groupIds: readonly string[],
    groups: readonly string[],
    kind: MemberKind | null,
  ): RowSource<DirectoryObject> {
    const users = kind === 'group' ? [] : mapRows(this.#listUserMembers(new Set(groupIds.map(comparableId))), toUser);
    return kind === 'user' || groups.length === 0 ? users : this.#insertGroups(users, groups);
  }

  #listUserMembers(keys: ReadonlySet<string>): RowSource<UserRecord> {
    const name = JSON.stringify([...keys].sort());
    let members = this.#members.get(name);
    if (members === undefined) {
      const isMember = ({ facts }: UserRecord) => facts.groups.some((id) => keys.has(comparableId(id)));
      members = this.sortedUsers('displayName').filter(isMember);
      this.#members.set(name, members);
    }
    return members;
  }

  /** Inserts groups into sorted users, in the order of their display names, then of their ids. */
  #insertGroups(users: RowSource<DirectoryObject>, groups: readonly string[]): RowSource<DirectoryObject> {
    const toKey = (object: DirectoryObject): SortKey => {
      if (object.kind !== 'user') {
        const id = object.kind === 'group' ? object.id : object.role.templateId;
        const name = this.settings.groups?.[id]?.displayName ?? id;
        return { name: name.toLowerCase(), id: this.wireIds.toWire('group', id).toLowerCase() };
      }
      const { facts, profile } = object.user;
      return { name: profile.displayName.toLowerCase(), id: this.wireIds.toWire('user', facts.id).toLowerCase() };
    };
    return insertRows(users, groups.map(toGroup), (one, other) => compareKeys(toKey(one), toKey(other)));
  }

  #listRoles(): ReadonlyMap<string, DirectoryRole> {
    if (this.#roles !== null) return this.#roles;
    const roles = new Map<string, DirectoryRole>();
    for (const { user } of this.state.users.alike()) {
      for (const role of listRoles(user.profile.roles ?? [])) roles.set(role.templateId, role);
    }
    this.#roles = roles;
    return roles;
  }
}

const templatesByName = new Map(
  Object.entries(directoryRoleTemplates).map(([name, id]) => [name.toLowerCase(), { templateId: id, name }]),
);
const templatesById = new Map([...templatesByName.values()].map((role) => [role.templateId, role]));

/** Returns the roles that a profile names by name or template id, each once. */
export function listRoles(given: readonly string[]): readonly DirectoryRole[] {
  const roles = new Map<string, DirectoryRole>();
  for (const one of given) {
    const key = one.toLowerCase();
    const role = templatesByName.get(key) ?? templatesById.get(key) ?? toUnlistedRole(one);
    roles.set(role.templateId, role);
  }
  return [...roles.values()];
}

/** Returns a role that is not in the list of roles. Its template id is derived from its name. */
function toUnlistedRole(given: string): DirectoryRole {
  return { templateId: new WireIds('guid').toWire('role', given).toLowerCase(), name: given };
}

function toUser(user: UserRecord): DirectoryObject {
  return { kind: 'user', user };
}

function toGroup(id: string): DirectoryObject {
  return { kind: 'group', id };
}

function toRole(role: DirectoryRole): DirectoryObject {
  return { kind: 'directoryRole', role };
}
