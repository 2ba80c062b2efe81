import { policyPermissions, policyWriterRoles } from '../policy-caller.ts';

/** Permissions and roles that an operation requires. Any one of each list suffices. */
export interface AccessRow {
  /** Permissions of tokens that act for a user. */
  readonly delegated: readonly string[];
  /** Permissions of tokens that act for an application. */
  readonly application: readonly string[];
  /** Roles that delegated tokens also need, by name. */
  readonly roles?: readonly string[];
  /** Permissions that suffice for the resources of the token's own user, without a role. */
  readonly own?: readonly string[];
}

/** Directory roles with their template ids, which are the same in every directory. */
export const directoryRoleTemplates: Readonly<Record<string, string>> = {
  'Authentication Administrator': 'c4e39bd9-1100-46d3-8c65-fb160da0071f',
  'Authentication Policy Administrator': '0526716b-113d-4c15-b2c8-68e3c22b9f80',
  'Billing Administrator': 'b0f54661-2d74-4c50-afa3-1ec803f12efe',
  'Conditional Access Administrator': 'b1be1c3e-b65d-4f19-8427-f6fa0d97feb9',
  'Exchange Administrator': '29232cdf-9323-42fd-ade2-1d097af3e4de',
  'Global Administrator': '62e90394-69f5-4237-9190-012177145e10',
  'Global Reader': 'f2ef992c-3afb-46b9-b7cf-a126ee74c451',
  'Helpdesk Administrator': '729827e3-9c14-49f7-bb1b-9608f156bbb8',
  'Privileged Authentication Administrator': '7be44c8a-adaf-4e2a-84d6-ab2649e08a13',
  'Reports Reader': '4a5d8f65-41da-4de4-8968-e035b65339cf',
  'Security Administrator': '194ae4cb-b126-40b2-bd5b-6091b380977d',
  'Security Operator': '5f2222b1-57c3-48ba-8ad5-d4759f1fde6f',
  'Security Reader': '5d6b6bb7-de71-4623-b4af-96380a352509',
  'SharePoint Administrator': 'f28a1f50-f6e7-4571-818b-6a12f2af6b6c',
  'User Administrator': 'fe930be7-5e62-47db-91af-98c3a49a38b1',
};

const directoryRead = 'Directory.Read.All';
const userReads = ['User.ReadBasic.All', 'User.Read.All', directoryRead];

const methodRead = 'UserAuthenticationMethod.Read.All';
const methodWrite = 'UserAuthenticationMethod.ReadWrite.All';
const passkeyWrite = 'UserAuthMethod-Passkey.ReadWrite.All';
const methodReads = [methodRead, methodWrite];
const ownMethodWrite = 'UserAuthenticationMethod.ReadWrite';
const authenticationRoles = ['Authentication Administrator', 'Privileged Authentication Administrator'];
const reportReads = ['AuditLog.Read.All', methodRead];

/** Role that satisfies every requirement of a role. */
export const roleForEverything = 'Global Administrator';

const reportRoles = ['Reports Reader', 'Security Reader', 'Security Administrator', 'Global Reader'];
const auditRead = 'AuditLog.Read.All';

/** Permissions of which one is required to see the applied conditional access policies of a sign-in. */
export const appliedPolicyPermissions: readonly string[] = ['Policy.Read.All', 'Policy.Read.ConditionalAccess'];

const membership = ['GroupMember.Read.All', 'Group.Read.All', directoryRead];
const roleReads = ['RoleManagement.Read.Directory', directoryRead];

const policyReads = Object.values(policyPermissions);

/** Access to the resources of the directory API. */
export const directoryAccess = {
  users: {
    delegated: userReads,
    application: ['User.Read.All', directoryRead],
    own: ['User.Read', ...userReads],
  },
  groups: { delegated: membership, application: membership },
  tenant: {
    delegated: ['User.Read', 'Organization.Read.All', directoryRead],
    application: ['Organization.Read.All', directoryRead],
  },
  directoryRoles: { delegated: roleReads, application: roleReads },
  signIns: {
    delegated: [auditRead, directoryRead],
    application: [auditRead, directoryRead],
    roles: [...reportRoles, 'Security Operator'],
  },
  directoryAudits: { delegated: [auditRead], application: [auditRead], roles: reportRoles },
  methodReads: {
    delegated: methodReads,
    application: methodReads,
    roles: ['Global Reader', ...authenticationRoles],
    own: ['UserAuthenticationMethod.Read', ownMethodWrite, ...methodReads],
  },
  methodWrites: {
    delegated: [methodWrite],
    application: [methodWrite],
    roles: authenticationRoles,
    own: [ownMethodWrite, methodWrite],
  },
  passkeyWrites: {
    delegated: [methodWrite, passkeyWrite],
    application: [methodWrite, passkeyWrite],
    roles: authenticationRoles,
    own: [ownMethodWrite, methodWrite, passkeyWrite],
  },
  registrationReports: {
    delegated: reportReads,
    application: reportReads,
    roles: ['Reports Reader', 'Security Reader', 'Security Administrator', 'Global Reader'],
    own: reportReads,
  },
  configurationReads: { delegated: policyReads, application: policyReads },
  configurationWrites: {
    delegated: [policyPermissions.readWriteMethods],
    application: [policyPermissions.readWriteMethods],
    roles: [policyWriterRoles[0].name],
  },
} as const satisfies Readonly<Record<string, AccessRow>>;

/** Permissions to write that are not in a row of the table, and the permission to read that each one includes. */
const readsByWrite: ReadonlyMap<string, string> = new Map([
  ['User.ReadWrite', 'User.Read'],
  ['User.ReadWrite.All', 'User.Read.All'],
  ['GroupMember.ReadWrite.All', 'GroupMember.Read.All'],
  ['Group.ReadWrite.All', 'Group.Read.All'],
  ['Organization.ReadWrite.All', 'Organization.Read.All'],
  ['RoleManagement.ReadWrite.Directory', 'RoleManagement.Read.Directory'],
  ['Directory.ReadWrite.All', directoryRead],
]);

/** Returns `true` if a permission is the required one, or includes it. */
export function includesPermission(permission: string, required: string): boolean {
  return permission === required || readsByWrite.get(permission) === required;
}

/** Names of all permissions of the directory API. */
export const directoryPermissions: readonly string[] = [
  ...new Set([
    ...Object.values(directoryAccess).flatMap((row: AccessRow) => [
      ...row.delegated,
      ...row.application,
      ...(row.own ?? []),
    ]),
    ...appliedPolicyPermissions,
    ...readsByWrite.keys(),
  ]),
];
