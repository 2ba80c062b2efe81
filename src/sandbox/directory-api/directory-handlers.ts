import type { DirectoryApiOperationId } from '../../contract/directory-api/directory-api-operations.ts';
import type { ResourceTypeName } from '../../contract/directory-api/resource-types.ts';
import { NudgeLabError } from '../../core/errors.ts';
import type { Caller } from '../token-service.ts';
import { relatedSet, toObjectSet, toTenantSet, toUserSet } from './directory-sets.ts';
import type { DirectoryObject, DirectoryView } from './directory-view.ts';
import type { LogOperationId } from './logs/log-requests.ts';
import type { AnyResourceSet } from './resource-set.ts';
import { takeRows } from './row-source.ts';

/** Request to an operation after its path, access and options were checked. */
export interface DirectoryCall {
  readonly view: DirectoryView;
  readonly params: Readonly<Record<string, string>>;
  readonly cast: ResourceTypeName | null;
  readonly caller: Caller;
  /** Parsed body, or `undefined` for an operation without one. */
  readonly body: unknown;
}

/** Result of an operation: resources, or a value with its type for the context. */
export type OperationResult =
  | { readonly kind: 'set'; readonly set: AnyResourceSet }
  | { readonly kind: 'value'; readonly type: string; readonly value: unknown };

type Handler = (call: DirectoryCall) => OperationResult;

/** Handlers of the operations by id, except for batches and logs, which have their own. */
export const directoryHandlers: Readonly<
  Record<Exclude<DirectoryApiOperationId, 'postBatch' | LogOperationId>, Handler>
> = {
  listUsers: ({ view }) => toSet(toUserSet(view)),
  getUser: (call) => toSet(toObjectSet(call.view, 'user', [findUser(call)])),
  listMemberOf: (call) => toSet(relatedSet(call.view, findUser(call), 'memberOf', call.cast)),
  listTransitiveMemberOf: (call) => toSet(relatedSet(call.view, findUser(call), 'transitiveMemberOf', call.cast)),
  getMemberObjects,
  listGroups: ({ view }) => toSet(toObjectSet(view, 'group', view.groups())),
  getGroup: (call) => toSet(toObjectSet(call.view, 'group', [findGroup(call)])),
  listMembers: (call) => toSet(relatedSet(call.view, findGroup(call), 'members', call.cast)),
  listTransitiveMembers: (call) => toSet(relatedSet(call.view, findGroup(call), 'transitiveMembers', call.cast)),
  listTenants: ({ view }) => toSet(toTenantSet(view)),
  getTenant,
  listDirectoryRoles: ({ view }) => toSet(toObjectSet(view, 'directoryRole', view.roles())),
  getDirectoryRole: (call) => toSet(toObjectSet(call.view, 'directoryRole', [findRole(call)])),
  listRoleMembers: (call) => toSet(relatedSet(call.view, findRole(call), 'members', call.cast)),
};

function getMemberObjects(call: DirectoryCall): OperationResult {
  const { securityEnabledOnly } = call.body as { readonly securityEnabledOnly: boolean };
  const { rows, read } = relatedSet(
    call.view,
    findUser(call),
    'transitiveMemberOf',
    securityEnabledOnly ? 'group' : null,
  );
  return {
    kind: 'value',
    type: 'Collection(Edm.String)',
    value: takeRows(rows, 0, rows.length).map((row) => read(row, 'id')),
  };
}

function getTenant({ view, params }: DirectoryCall): OperationResult {
  const set = toTenantSet(view);
  const id = getParameter(params, 'tenant');
  const isKnown = [set.read(view, 'id'), view.state.tenant.id].some(
    (one) => String(one).toLowerCase() === id.toLowerCase(),
  );
  if (!isKnown) throw missing('organization', id);
  return toSet(set);
}

function findUser({ view, params }: DirectoryCall): DirectoryObject {
  const given = getParameter(params, 'user');
  const user = view.findUser(given);
  if (user === undefined) throw missing('user', given);
  return { kind: 'user', user };
}

function findGroup({ view, params }: DirectoryCall): DirectoryObject {
  const given = getParameter(params, 'group');
  const id = view.findGroup(given);
  if (id === undefined) throw missing('group', given);
  return { kind: 'group', id };
}

function findRole({ view, params }: DirectoryCall): DirectoryObject {
  const given = getParameter(params, 'role');
  const role = view.findRole(given);
  if (role === undefined) throw missing('directoryRole', given);
  return { kind: 'directoryRole', role };
}

function toSet(set: AnyResourceSet): OperationResult {
  return { kind: 'set', set };
}

function getParameter(params: Readonly<Record<string, string>>, name: string): string {
  return params[name] ?? '';
}

/** Returns the error for an object that does not exist. */
function missing(type: string, given: string): NudgeLabError {
  return new NudgeLabError('not-found', { message: `The ${type} '${given}' does not exist.` });
}
