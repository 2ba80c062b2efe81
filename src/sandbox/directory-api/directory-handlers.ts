import type { DirectoryApiOperationId } from '../../contract/directory-api/directory-api-operations.ts';
import { NudgeLabError } from '../../core/errors.ts';
import { configurationHandlers } from './configurations/configuration-handlers.ts';
import type { DirectoryCall, DirectoryHandler, OperationResult } from './directory-call.ts';
import { relatedSet, toObjectSet, toTenantSet, toUserSet } from './directory-sets.ts';
import type { DirectoryObject } from './directory-view.ts';
import type { LogOperationId } from './logs/log-requests.ts';
import { methodHandlers } from './methods/method-handlers.ts';
import { reportHandlers } from './methods/report-handlers.ts';
import type { AnyResourceSet } from './resource-set.ts';
import { takeRows } from './row-source.ts';

/** Handlers of the operations by id, except for batches and logs, which have their own. */
export const directoryHandlers: Readonly<
  Record<Exclude<DirectoryApiOperationId, 'postBatch' | LogOperationId>, DirectoryHandler>
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
  ...methodHandlers,
  ...reportHandlers,
  ...configurationHandlers,
};

async function getMemberObjects(call: DirectoryCall): Promise<OperationResult> {
  const user = findUser(call);
  const { securityEnabledOnly } = (await call.readBody()) as { readonly securityEnabledOnly: boolean };
  const { rows, read } = relatedSet(call.view, user, 'transitiveMemberOf', securityEnabledOnly ? 'group' : null);
  const ids = takeRows(rows, 0, rows.length).map((row) => read(row, 'id'));
  return { kind: 'value', type: 'Collection(Edm.String)', value: ids };
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
