import { comparableId } from '../../../../machines/membership.ts';
import {
  type IncludedUserRoles,
  type IncludedUserTypes,
  type RegistrationDetailsResource,
  registrationFeatures,
  registrationTypes,
} from '../../../contract/directory-api/method-types.ts';
import { toInstant } from '../../../core/clock.ts';
import { isPlainObject } from '../../../core/merge-patch.ts';
import { deriveRegistration, type RegistrationDetails } from '../../../journal/registration-details.ts';
import { findRowChange, toRegistrationPolicy } from '../../../journal/registration-times.ts';
import type { UserRecord } from '../../../journal/state.ts';
import type { DirectoryCall } from '../directory-call.ts';
import type { PropertyReaders } from '../directory-objects.ts';
import { type DirectoryObject, type DirectoryView, listRoles } from '../directory-view.ts';
import type { ResourceSet } from '../resource-set.ts';
import type { RowSource } from '../row-source.ts';

/** Reads the properties of the registration report that are not derived from methods. */
const nameReaders: PropertyReaders<Omit<RegistrationDetailsResource, keyof RegistrationDetails>, UserRecord> = {
  id: ({ facts }, { wireIds }) => wireIds.toWire('user', facts.id),
  lastUpdatedDateTime: (user, { state }) => toInstant(findRowChange(state, user)),
  userDisplayName: ({ profile }) => profile.displayName,
  userPrincipalName: ({ profile }) => profile.userPrincipalName,
  userType: ({ facts }) => facts.type,
};

/** Properties of rows that differ between users with the same methods. */
const ownProperties: ReadonlySet<string> = new Set([
  'id',
  'lastUpdatedDateTime',
  'userDisplayName',
  'userPrincipalName',
]);

/** Returns the registration report of users, of all or of one. Rows are derived when they are read, and none of them is kept. */
export function toRegistrationSet(view: DirectoryView, rows: RowSource<DirectoryObject>): ResourceSet<DirectoryObject> {
  const policy = toRegistrationPolicy(view.state);
  const readers: Readonly<Record<string, (user: UserRecord, view: DirectoryView) => unknown>> = nameReaders;
  // A filter and a row read several properties of one user in turn.
  let latest: { readonly user: UserRecord; readonly details: RegistrationDetails } | null = null;
  const derive = (user: UserRecord): RegistrationDetails => {
    if (latest?.user !== user) latest = { user, details: deriveRegistration(user, policy) };
    return latest.details;
  };
  const createUserReader = (name: string): ((user: UserRecord) => unknown) => {
    const read = Object.hasOwn(readers, name) ? readers[name] : undefined;
    if (read !== undefined) return (user) => read(user, view);
    if (name === 'methodsRegistered') return (user) => derive(user)[name].map((one) => view.dialect.toWire(one));
    return (user) => derive(user)[name as keyof RegistrationDetails];
  };
  const createReader = (name: string) => {
    const read = createUserReader(name);
    return (object: DirectoryObject) => (object.kind === 'user' ? read(object.user) : undefined);
  };
  return {
    rows,
    read: (object, name) => createReader(name)(object),
    createReader,
    isOrdered: true,
    isSameForAll: true,
    sortBy: (property) => (property === 'userPrincipalName' ? rows : null),
    order: ['userPrincipalName', 'id'],
    listAlike: (properties) =>
      properties.isDisjointFrom(ownProperties) ? view.alikeUsers(listTargetedUsers(policy)) : null,
    listIdForms: (id) => [view.wireIds.toWire('user', id)],
    toWireValue: (value) => view.dialect.toWire(value),
    entitySet: 'reports/authenticationMethods/userRegistrationDetails',
    types: [registrationTypes.userRegistrationDetails],
    getType: () => registrationTypes.userRegistrationDetails,
    annotate: annotateRegistrations,
  };
}

/** Returns the facts of a user that the report does not contain: the devices of passkeys, and the snoozes (DIR76). */
function annotateRegistrations(object: DirectoryObject): object {
  if (object.kind !== 'user') return {};
  const { passkeys, snooze } = object.user.facts;
  return { passkeys: passkeys.map(({ type, deviceId }) => ({ type, deviceId })), snooze };
}

/** Users that a summary counts. */
export interface IncludedUsers {
  readonly userTypes: IncludedUserTypes;
  readonly userRoles: IncludedUserRoles;
}

/** Numbers of users by feature and by method. */
export interface RegistrationCounts {
  readonly total: number;
  readonly features: Readonly<Record<(typeof registrationFeatures)[number], number>>;
  /** Numbers of users by the name of a method, in the order of the report, without methods of no user. */
  readonly methods: ReadonlyMap<string, number>;
}

const privilegedRoles: readonly string[] = [
  'Global Administrator',
  'Security Administrator',
  'Conditional Access Administrator',
  'Exchange Administrator',
  'SharePoint Administrator',
  'Helpdesk Administrator',
  'Billing Administrator',
  'User Administrator',
  'Authentication Administrator',
];

/** Counts users by feature and by method. It yields to other requests in between. */
export async function countRegistrations(
  { view, slices }: Pick<DirectoryCall, 'view' | 'slices'>,
  included: IncludedUsers,
): Promise<RegistrationCounts> {
  const policy = toRegistrationPolicy(view.state);
  const features = Object.fromEntries(registrationFeatures.map((feature) => [feature, 0])) as Record<
    (typeof registrationFeatures)[number],
    number
  >;
  const counted = new Map<string, number>();
  let total = 0;
  for (const { user, count } of view.state.users.alike(listTargetedUsers(policy))) {
    if (slices.isDue()) await slices.pause();
    if (!isIncluded(user, included)) continue;
    total += count;
    const details = deriveRegistration(user, policy);
    if (details.isSsprRegistered) features.ssprRegistered += count;
    if (details.isSsprEnabled) features.ssprEnabled += count;
    if (details.isSsprCapable) features.ssprCapable += count;
    if (details.isPasswordlessCapable) features.passwordlessCapable += count;
    if (details.isMfaCapable) features.mfaCapable += count;
    const names = user.facts.type === 'member' ? ['password', ...details.methodsRegistered] : details.methodsRegistered;
    for (const name of names) counted.set(name, (counted.get(name) ?? 0) + count);
  }
  return { total, features, methods: toOrder(counted) };
}

/** Returns the ids of the users who are targets by themselves in a part of the policy. */
function listTargetedUsers(part: unknown): readonly string[] {
  if (Array.isArray(part)) return part.flatMap(listTargetedUsers);
  if (!isPlainObject(part)) return [];
  const { targetType, id } = part;
  if (targetType === 'user' && typeof id === 'string') return [comparableId(id)];
  return Object.values(part).flatMap(listTargetedUsers);
}

/** Names of methods in the order of the report. */
const methodOrder: readonly string[] = [
  'password',
  'mobilePhone',
  'officePhone',
  'alternateMobilePhone',
  'vendorAuthenticatorPush',
  'vendorAuthenticatorPasswordless',
  'softwareOneTimePasscode',
  'hardwareOneTimePasscode',
  'email',
  'temporaryAccessPass',
  'windowsHelloForBusiness',
  'passKeyDeviceBoundWindowsHello',
  'macOsSecureEnclaveKey',
  'passKeyDeviceBoundAuthenticator',
  'passKeyDeviceBound',
  'passKeySynced',
];

function toOrder(counted: ReadonlyMap<string, number>): ReadonlyMap<string, number> {
  return new Map(
    methodOrder.flatMap((name) => {
      const users = counted.get(name);
      return users === undefined ? [] : [[name, users] as const];
    }),
  );
}

function isIncluded({ facts, profile }: UserRecord, { userTypes, userRoles }: IncludedUsers): boolean {
  if (userTypes !== 'all' && facts.type !== userTypes) return false;
  const roles = profile.roles ?? [];
  switch (userRoles) {
    case 'all':
      return true;
    case 'admin':
      return roles.length > 0;
    case 'user':
      return roles.length === 0;
    case 'privilegedAdmin':
      return listRoles(roles).some(({ name }) => privilegedRoles.includes(name));
  }
}
