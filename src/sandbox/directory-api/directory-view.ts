import { allUsersId, comparableId, transitiveGroups } from '../../../machines/membership.ts';
import { directoryRoleTemplates } from '../../contract/directory-api/access.ts';
import { seedDialect } from '../../contract/directory-api/dialect.ts';
import type { TenantSettings } from '../../contract/sandbox.schema.ts';
import { directoryListsMax } from '../../core/limits.ts';
import { LruMap } from '../../core/lru-map.ts';
import type { SandboxState, UserRecord } from '../../journal/state.ts';
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

/** Members of a group in the facts: users and other groups. */
interface GroupMembers {
  readonly users: UserRecord[];
  readonly groups: string[];
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
  readonly dialect = seedDialect;
  readonly wireIds: WireIds;
  /** Sorted and filtered lists of this state, by the query that they answer. */
  readonly lists = new LruMap<string, readonly unknown[]>({ max: directoryListsMax });
  #users: readonly DirectoryObject[] | null = null;
  #groups: ReadonlyMap<string, string> | null = null;
  #members: ReadonlyMap<string, GroupMembers> | null = null;
  #roles: ReadonlyMap<string, DirectoryRole> | null = null;

  constructor(sandboxId: string, state: SandboxState) {
    this.sandboxId = sandboxId;
    this.state = state;
    this.seq = state.lastSeq;
    this.settings = state.settings.directory ?? {};
    this.wireIds = new WireIds(this.settings.wireIds ?? 'facts');
  }

  /** Returns `true` if responses under every version have all properties of a type. */
  showsAll(typeName: string): boolean {
    return typeName === 'signIn' && this.settings.v1SignIns === 'full';
  }

  /** Returns all users. */
  users(): readonly DirectoryObject[] {
    this.#users ??= Array.from(this.state.users.values(), (user) => ({ kind: 'user', user }));
    return this.#users;
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
    const { users, userIdsByName } = this.state;
    const direct = users.get(given) ?? users.get(userIdsByName.get(given.toLowerCase()) ?? '');
    if (direct !== undefined) return direct;
    return users.get(this.wireIds.findFact('user', given, users.keys()) ?? '');
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

  /** Returns the direct members of a group. */
  members(groupId: string): readonly DirectoryObject[] {
    const { users = [], groups = [] } = this.#listMembers().get(comparableId(groupId)) ?? {};
    return [...users.map(toUser), ...groups.map(toGroup)];
  }

  /** Returns the members of a group and of all groups in it, each once and without the group itself (A14). */
  transitiveMembers(groupId: string): readonly DirectoryObject[] {
    const reached = new Set([comparableId(groupId)]);
    const users = new Set<UserRecord>();
    const groups: string[] = [];
    const open = [groupId];
    for (let id = open.pop(); id !== undefined; id = open.pop()) {
      const members = this.#listMembers().get(comparableId(id));
      for (const user of members?.users ?? []) users.add(user);
      for (const child of members?.groups ?? []) {
        if (reached.has(comparableId(child))) continue;
        reached.add(comparableId(child));
        groups.push(child);
        open.push(child);
      }
    }
    return [...Array.from(users, toUser), ...groups.map(toGroup)];
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

  /** Returns the users who have a role. */
  roleMembers({ templateId }: DirectoryRole): readonly DirectoryObject[] {
    return this.users().filter(
      (object) =>
        object.kind === 'user' &&
        listRoles(object.user.profile.roles ?? []).some((role) => role.templateId === templateId),
    );
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
    for (const { facts } of this.state.users.values()) for (const id of facts.groups) add(id);
    this.#groups = groups;
    return groups;
  }

  #listMembers(): ReadonlyMap<string, GroupMembers> {
    if (this.#members !== null) return this.#members;
    const members = new Map<string, GroupMembers>();
    const getMembers = (id: string): GroupMembers => {
      const key = comparableId(id);
      const held = members.get(key) ?? { users: [], groups: [] };
      members.set(key, held);
      return held;
    };
    for (const user of this.state.users.values()) {
      for (const id of new Set(user.facts.groups.map(comparableId))) getMembers(id).users.push(user);
    }
    for (const [id, parents] of Object.entries(this.state.tenant.groups)) {
      for (const parent of new Set(parents.map(comparableId))) getMembers(parent).groups.push(id);
    }
    this.#members = members;
    return members;
  }

  #listRoles(): ReadonlyMap<string, DirectoryRole> {
    if (this.#roles !== null) return this.#roles;
    const roles = new Map<string, DirectoryRole>();
    for (const { profile } of this.state.users.values()) {
      for (const role of listRoles(profile.roles ?? [])) roles.set(role.templateId, role);
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
function listRoles(given: readonly string[]): readonly DirectoryRole[] {
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
