import type {
  DirectoryRoleResource,
  GroupResource,
  TenantResource,
  UserResource,
} from '../../contract/directory-api/resource-types.ts';
import { parseInstant, toInstant } from '../../core/clock.ts';
import type { UserRecord } from '../../journal/state.ts';
import { getTenantGuid } from '../tenant-identity.ts';
import type { DirectoryObject, DirectoryRole, DirectoryView } from './directory-view.ts';

/** Reads the properties of a resource, each only when it is needed. */
export type PropertyReaders<Resource, Source> = {
  readonly [Name in keyof Resource]: (source: Source, view: DirectoryView) => Resource[Name];
};

const userReaders: PropertyReaders<UserResource, UserRecord> = {
  id: ({ facts }, { wireIds }) => wireIds.toWire('user', facts.id),
  accountEnabled: ({ profile }) => profile.directory?.accountEnabled ?? true,
  businessPhones: ({ profile }) => {
    const office = profile.directory?.phones?.office;
    return office === undefined ? [] : [office];
  },
  createdDateTime: ({ profile }, view) => toCreated(profile.directory?.createdDateTime, view),
  department: ({ profile }) => profile.directory?.department ?? null,
  displayName: ({ profile }) => profile.displayName,
  givenName: ({ profile }) => profile.directory?.givenName ?? null,
  jobTitle: ({ profile }) => profile.directory?.jobTitle ?? null,
  mail: ({ profile: { directory, userPrincipalName } }) =>
    directory?.mail ?? (userPrincipalName.includes('@') ? userPrincipalName : null),
  mailNickname: ({ facts, profile }) => profile.directory?.mailNickname ?? facts.id,
  mobilePhone: ({ profile }) => profile.directory?.phones?.mobile ?? null,
  officeLocation: () => null,
  onPremisesSyncEnabled: () => null,
  preferredLanguage: () => null,
  surname: ({ profile }) => profile.directory?.surname ?? null,
  userPrincipalName: ({ profile }) => profile.userPrincipalName,
  userType: ({ facts }) => (facts.type === 'guest' ? 'Guest' : 'Member'),
};

const groupReaders: PropertyReaders<GroupResource, string> = {
  id: (id, { wireIds }) => wireIds.toWire('group', id),
  createdDateTime: (id, view) => toCreated(view.settings.groups?.[id]?.createdDateTime, view),
  description: (id, { settings }) => settings.groups?.[id]?.description ?? null,
  displayName: (id, { settings }) => settings.groups?.[id]?.displayName ?? id,
  groupTypes: () => [],
  mail: () => null,
  mailEnabled: () => false,
  mailNickname: (id, { settings }) => settings.groups?.[id]?.mailNickname ?? id,
  securityEnabled: () => true,
  visibility: () => null,
};

const roleReaders: PropertyReaders<DirectoryRoleResource, DirectoryRole> = {
  id: ({ templateId }) => templateId,
  description: ({ name }) => `Users with the role ${name}.`,
  displayName: ({ name }) => name,
  roleTemplateId: ({ templateId }) => templateId,
};

/** Domain of user principal names without another one. */
const defaultDomain = 'example.test';

/** Readers of the tenant, whose only source is the view. */
const tenantReaders: PropertyReaders<TenantResource, DirectoryView> = {
  id: (view) => getTenantId(view),
  assignedPlans: (view) =>
    view.state.tenant.subscription === 'paid'
      ? [
          {
            assignedDateTime: toCreated(undefined, view),
            capabilityStatus: 'Enabled',
            service: view.dialect.data.tenant.paidService,
            servicePlanId: view.dialect.data.tenant.paidPlanId,
          },
        ]
      : [],
  countryLetterCode: () => null,
  createdDateTime: (view) => toCreated(undefined, view),
  displayName: ({ settings, state }) => settings.displayName ?? state.tenant.id,
  tenantType: ({ dialect }) => dialect.data.tenant.tenantType,
  verifiedDomains: ({ settings, dialect }) =>
    (settings.verifiedDomains ?? [defaultDomain]).map((name, index) => ({
      capabilities: dialect.data.tenant.domainCapabilities,
      isDefault: index === 0,
      isInitial: index === 0,
      name,
      type: 'Managed',
    })),
};

/** Returns the id of the tenant in responses. */
function getTenantId({ state, sandboxId, wireIds }: DirectoryView): string {
  const { id } = state.tenant;
  return wireIds.toWire('tenant', id) === id ? id : getTenantGuid(sandboxId, state);
}

/** Reads a property of a directory object. Returns `undefined` for one that objects of this type do not have. */
export function readDirectoryObject(object: DirectoryObject, name: string, view: DirectoryView): unknown {
  return createObjectReader(name, view)(object);
}

/** Creates a reader of one property of directory objects. */
export function createObjectReader(name: string, view: DirectoryView): (object: DirectoryObject) => unknown {
  const [readUser, readGroup, readRole] = [find(userReaders, name), find(groupReaders, name), find(roleReaders, name)];
  return (object) => {
    switch (object.kind) {
      case 'user':
        return readUser?.(object.user, view);
      case 'group':
        return readGroup?.(object.id, view);
      case 'directoryRole':
        return readRole?.(object.role, view);
    }
  };
}

/** Reads a property of the tenant. */
export function readTenant(view: DirectoryView, name: string): unknown {
  return find(tenantReaders, name)?.(view, view);
}

function find<Source>(
  readers: Readonly<Record<string, (source: Source, view: DirectoryView) => unknown>>,
  name: string,
): ((source: Source, view: DirectoryView) => unknown) | undefined {
  return Object.hasOwn(readers, name) ? readers[name] : undefined;
}

/** Returns a time of creation. Without one, it is that of the sandbox. */
export function toCreated(given: string | undefined, { state }: DirectoryView): string {
  const givenMs = given === undefined ? null : parseInstant(given);
  return toInstant(givenMs ?? state.createdAtMs);
}
