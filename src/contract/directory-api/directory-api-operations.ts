import { z } from 'zod';
import { named } from '../control-operation.ts';
import type { FilterProperties, ScalarProperty } from '../odata/filter-properties.ts';
import { noOptions, type QueryRow, singleRow } from '../odata/query-row.ts';
import { type AccessRow, directoryAccess } from './access.ts';
import { batchRequestSchema, batchResponseSchema } from './batch.schema.ts';
import { configurationOperations } from './configuration-operations.ts';
import { auditRow, signInRow } from './log-queries.ts';
import { methodOperations, reportOperations } from './method-operations.ts';
import { type DescribedResource, list, type ResultKind, resource, single } from './resource-operation.ts';
import type { ResourceTypeName } from './resource-types.ts';

const texts: ScalarProperty = { type: 'string', operators: ['eq', 'ne', 'in', 'startswith', 'endswith', 'ge', 'le'] };
const flags: ScalarProperty = { type: 'boolean', operators: ['eq', 'ne', 'in'] };
const times: ScalarProperty = { type: 'time', operators: ['eq', 'ne', 'in', 'ge', 'le'] };
const equalTexts: ScalarProperty = { type: 'string', operators: ['eq'] };

const userFilters: FilterProperties = {
  id: texts,
  userPrincipalName: texts,
  displayName: texts,
  mail: texts,
  mailNickname: texts,
  userType: texts,
  accountEnabled: flags,
  createdDateTime: times,
  onPremisesSyncEnabled: flags,
  givenName: texts,
  surname: texts,
};

const groupFilters: FilterProperties = {
  id: texts,
  displayName: texts,
  mailNickname: texts,
  mail: texts,
  securityEnabled: flags,
  mailEnabled: flags,
  groupTypes: { type: 'strings', operators: ['eq'] },
  createdDateTime: times,
};

const directoryPage = { rows: 100, rowsMax: 999 };

/** All rows, unless `$top` requests fewer. */
const wholePage = { rows: Number.MAX_SAFE_INTEGER, rowsMax: 999 };

const userRow: QueryRow = {
  page: directoryPage,
  filter: userFilters,
  orderby: ['displayName', 'userPrincipalName', 'createdDateTime'],
  expand: ['memberOf', 'transitiveMemberOf'],
  count: true,
  search: ['displayName', 'mail', 'mailNickname', 'userPrincipalName', 'givenName', 'surname'],
  isDirectory: true,
};

const groupRow: QueryRow = {
  page: directoryPage,
  filter: groupFilters,
  orderby: ['displayName', 'createdDateTime'],
  expand: ['members'],
  count: true,
  search: ['displayName', 'mail', 'mailNickname', 'description'],
  isDirectory: true,
};

const membersRow: QueryRow = {
  page: directoryPage,
  filter: { id: texts, displayName: texts },
  orderby: ['displayName'],
  count: true,
  search: ['displayName'],
  isDirectory: 'filters',
};

const rolesRow: QueryRow = {
  page: wholePage,
  filter: { roleTemplateId: equalTexts, displayName: equalTexts },
  expand: ['members'],
};

const { users, groups, tenant, directoryRoles, signIns, directoryAudits } = directoryAccess;

/** Describes a list of the groups and roles of a user. */
function memberships(summary: string): DescribedResource {
  return { summary, access: groups, row: membersRow, result: 'list', types: ['group', 'directoryRole'] };
}

/** Describes a list of members. */
function members(summary: string, row = membersRow, access: AccessRow = groups): DescribedResource {
  return { summary, access, row, result: 'list', types: ['user', 'group'] };
}

/**
 * Operations of the directory API below `/v1.0` and `/beta`. The routes, the OpenAPI document and the metadata document
 * derive from this table. `/me` is the user of the token.
 */
export const directoryApiOperations = named({
  postBatch: resource('POST /$batch', {
    summary: 'Runs up to 20 requests one after another, in the order of their dependencies.',
    access: { delegated: [], application: [] },
    row: noOptions,
    result: 'action',
    types: [],
    body: batchRequestSchema,
    reply: batchResponseSchema,
  }),
  listUsers: resource('GET /users', list('user', userRow, users, 'Lists the users.')),
  getUser: resource('GET /users/{user}', single('user', userRow, users, 'Returns one user, by id or name.')),
  listMemberOf: resource(
    'GET /users/{user}/memberOf',
    memberships('Lists the groups that a user is a direct member of, and the roles.'),
  ),
  listTransitiveMemberOf: resource(
    'GET /users/{user}/transitiveMemberOf',
    memberships('Lists the groups of a user, including nested ones, and the roles.'),
  ),
  getMemberObjects: resource('POST /users/{user}/getMemberObjects', {
    summary: 'Returns the ids of all groups of a user, and of the roles unless only security groups are requested.',
    access: groups,
    row: noOptions,
    result: 'action',
    types: [],
    body: z.strictObject({ securityEnabledOnly: z.boolean() }),
    reply: z.array(z.string()),
  }),
  listGroups: resource('GET /groups', list('group', groupRow, groups, 'Lists the groups.')),
  getGroup: resource('GET /groups/{group}', single('group', groupRow, groups, 'Returns one group.')),
  listMembers: resource(
    'GET /groups/{group}/members',
    members('Lists the direct members of a group: users and groups.'),
  ),
  listTransitiveMembers: resource(
    'GET /groups/{group}/transitiveMembers',
    members('Lists the members of a group and of the groups in it, each once.'),
  ),
  listTenants: resource(
    'GET /organization',
    list('tenant', { page: wholePage }, tenant, 'Lists the tenant, the only one.'),
  ),
  getTenant: resource('GET /organization/{tenant}', single('tenant', singleRow, tenant, 'Returns the tenant.')),
  listDirectoryRoles: resource(
    'GET /directoryRoles',
    list('directoryRole', rolesRow, directoryRoles, 'Lists the directory roles that users have.'),
  ),
  getDirectoryRole: resource(
    'GET /directoryRoles/{role}',
    single('directoryRole', rolesRow, directoryRoles, 'Returns one directory role, also by `roleTemplateId`.'),
  ),
  listRoleMembers: resource(
    'GET /directoryRoles/{role}/members',
    members('Lists the users who have a directory role.', { page: wholePage }, directoryRoles),
  ),
  listSignIns: resource(
    'GET /auditLogs/signIns',
    list('signIn', signInRow, signIns, 'Lists the sign-ins that the rules evaluated, newest first.'),
  ),
  getSignIn: resource('GET /auditLogs/signIns/{signIn}', single('signIn', signInRow, signIns, 'Returns one sign-in.')),
  listDirectoryAudits: resource(
    'GET /auditLogs/directoryAudits',
    list(
      'directoryAudit',
      auditRow,
      directoryAudits,
      'Lists the changes of users, methods and policies, newest first.',
    ),
  ),
  getDirectoryAudit: resource(
    'GET /auditLogs/directoryAudits/{directoryAudit}',
    single('directoryAudit', auditRow, directoryAudits, 'Returns one change.'),
  ),
  ...methodOperations,
  ...reportOperations,
  ...configurationOperations,
});

export type DirectoryApiOperationId = keyof typeof directoryApiOperations;

/** Operation of the directory API, as the dispatcher needs it. */
export interface DirectoryApiOperation {
  readonly id: DirectoryApiOperationId;
  readonly method: string;
  readonly path: string;
  readonly summary: string;
  readonly body: z.ZodType | null;
  readonly reply: z.ZodType;
  readonly access: AccessRow;
  readonly row: QueryRow;
  readonly result: ResultKind;
  readonly types: readonly ResourceTypeName[];
  readonly isVersioned: boolean;
  /** `true` if only `/beta` has the operation. */
  readonly isBeta: boolean;
  /** Names of the arguments that the last segment can have in parentheses. */
  readonly functionArguments: readonly string[];
  readonly statuses: readonly [number, ...number[]];
}

/** All operations in the order of the table. */
export const directoryApiOperationList: readonly DirectoryApiOperation[] = Object.values(directoryApiOperations);
