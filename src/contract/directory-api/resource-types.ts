import { z } from 'zod';
import { configurationResources } from './configuration-resources.ts';
import type { Dialect, NotSimulatedProperties } from './dialect.ts';
import { betaSignInProperties, directoryAuditSchema, signInSchema } from './log-schemas.ts';
import { methodTypes, registrationTypes } from './method-types.ts';
import type { ResourceType } from './resource-type.ts';

const text = z.string().nullable();
const instant = z.iso.datetime();

const userSchema = z.strictObject({
  id: z.string(),
  accountEnabled: z.boolean(),
  businessPhones: z.array(z.string()).readonly(),
  createdDateTime: instant,
  department: text,
  displayName: text,
  givenName: text,
  jobTitle: text,
  mail: text,
  mailNickname: text,
  mobilePhone: text,
  officeLocation: text,
  onPremisesSyncEnabled: z.boolean().nullable(),
  preferredLanguage: text,
  surname: text,
  userPrincipalName: z.string(),
  userType: z.enum(['Member', 'Guest']),
});

const groupSchema = z.strictObject({
  id: z.string(),
  createdDateTime: instant,
  description: text,
  displayName: z.string(),
  groupTypes: z.array(z.string()).readonly(),
  mail: text,
  mailEnabled: z.boolean(),
  mailNickname: z.string(),
  securityEnabled: z.boolean(),
  visibility: text,
});

const directoryRoleSchema = z.strictObject({
  id: z.string(),
  description: text,
  displayName: z.string(),
  roleTemplateId: z.string(),
});

const tenantSchema = z.strictObject({
  id: z.string(),
  assignedPlans: z
    .array(
      z.strictObject({
        assignedDateTime: instant,
        capabilityStatus: z.string(),
        service: z.string(),
        servicePlanId: z.string(),
      }),
    )
    .readonly(),
  countryLetterCode: text,
  createdDateTime: instant,
  displayName: z.string(),
  tenantType: z.string(),
  verifiedDomains: z
    .array(
      z.strictObject({
        capabilities: z.string(),
        isDefault: z.boolean(),
        isInitial: z.boolean(),
        name: z.string(),
        type: z.string(),
      }),
    )
    .readonly(),
});

/** Values of the properties of a type, as responses contain them. */
export type UserResource = z.output<typeof userSchema>;
export type GroupResource = z.output<typeof groupSchema>;
export type DirectoryRoleResource = z.output<typeof directoryRoleSchema>;
export type TenantResource = z.output<typeof tenantSchema>;

const objects = 'directoryObject';

const user: ResourceType = {
  name: 'user',
  schema: userSchema,
  shown: [
    'id',
    'businessPhones',
    'displayName',
    'givenName',
    'jobTitle',
    'mail',
    'mobilePhone',
    'officeLocation',
    'preferredLanguage',
    'surname',
    'userPrincipalName',
  ],
  shownInBeta: ['userType', 'accountEnabled', 'createdDateTime', 'mailNickname'],
  related: { memberOf: objects, transitiveMemberOf: objects },
  notSimulated: 'userProperties',
};

const group: ResourceType = {
  name: 'group',
  schema: groupSchema,
  shown: [
    'id',
    'createdDateTime',
    'description',
    'displayName',
    'groupTypes',
    'mailEnabled',
    'mailNickname',
    'securityEnabled',
    'visibility',
  ],
  related: { members: objects, transitiveMembers: objects },
  notSimulated: 'groupProperties',
};

const directoryRole: ResourceType = {
  name: 'directoryRole',
  schema: directoryRoleSchema,
  related: { members: objects },
  notSimulated: 'roleProperties',
};

const tenant: ResourceType = { name: 'organization', schema: tenantSchema, notSimulated: 'tenantProperties' };

const signIn: ResourceType = {
  name: 'signIn',
  schema: signInSchema,
  shown: Object.keys(signInSchema.shape).filter((name) => !betaSignInProperties.some((beta) => beta === name)),
  shownInBeta: betaSignInProperties,
  notSimulated: 'signInProperties',
};

const directoryAudit: ResourceType = {
  name: 'directoryAudit',
  schema: directoryAuditSchema,
  notSimulated: 'auditProperties',
};

/** Types of resources. */
export const resourceTypes = {
  user,
  group,
  directoryRole,
  tenant,
  signIn,
  directoryAudit,
  ...methodTypes,
  ...registrationTypes,
  ...configurationResources,
} as const;
export type ResourceTypeName = keyof typeof resourceTypes;

/** Types of directory objects, which lists of members can contain together. */
export const directoryObjectTypes = ['user', 'group', 'directoryRole'] as const;
export type DirectoryObjectType = (typeof directoryObjectTypes)[number];

/** Returns `true` for the type of a directory object. */
export function isDirectoryObjectType(type: ResourceTypeName): type is DirectoryObjectType {
  return directoryObjectTypes.some((one) => one === type);
}

const none: NotSimulatedProperties = { values: [], lists: [] };

/** Returns the known properties of a type that are not simulated. */
export function getNotSimulated({ notSimulated }: ResourceType, dialect: Dialect): NotSimulatedProperties {
  return notSimulated === undefined ? none : dialect.data[notSimulated];
}

/** Lists all properties that `$select` can name on a type. */
export function listProperties(type: ResourceType, dialect: Dialect): readonly string[] {
  const { values, lists } = getNotSimulated(type, dialect);
  return [...Object.keys(type.schema.shape), ...values, ...lists];
}
