import type { RegisteredMethod } from '../../../../machines/vocabulary.ts';
import { phoneTypes } from '../../../contract/directory-api/method-types.ts';
import type { ChangeCaller, EventOf, JournalEntry } from '../../../journal/journal-event.ts';
import { listPhoneTypes } from '../../../journal/registration-details.ts';
import { type SandboxState, splitUser, type UserRecord } from '../../../journal/state.ts';
import { renderPolicy } from '../../policy-projection.ts';
import { getPhoneNumber } from '../methods/registered-methods.ts';

/** Changed property with its values as JSON text; `null` without a value. */
export interface ModifiedProperty {
  readonly name: string;
  readonly before: string | null;
  readonly after: string | null;
}

/** Object that a change concerns. */
export interface AuditTarget {
  readonly kind: 'user' | 'group' | 'policy';
  readonly id: string;
  readonly name: string | null;
  readonly userPrincipalName: string | null;
  readonly modified: readonly ModifiedProperty[];
}

/** User or application that made a change. */
export interface AuditInitiator extends ChangeCaller {
  readonly name: string | null;
  readonly userPrincipalName: string | null;
}

/** Change as the audit log shows it. */
export interface AuditChange {
  readonly activity: string;
  readonly category: 'UserManagement' | 'GroupManagement' | 'ApplicationManagement';
  readonly service: 'Authentication Methods' | 'Core Directory';
  readonly operation: 'Add' | 'Update' | 'Delete';
  readonly isFailure: boolean;
  readonly reason: string | null;
  readonly initiator: AuditInitiator;
  readonly targets: readonly AuditTarget[];
}

/** Names of methods in reasons. */
const methodNames: Readonly<Record<RegisteredMethod | 'fido2', string>> = {
  sms: 'SMS',
  voice: 'Voice',
  'authenticator-push': 'Authenticator App',
  'authenticator-totp': 'Software OATH token',
  'hardware-totp': 'Hardware OATH token',
  fido2: 'Passkey',
};

/**
 * Returns the changes that an entry adds to the audit log.
 *
 * @param state - state before the entry
 */
export function listAuditChanges(state: SandboxState, { event }: JournalEntry): readonly AuditChange[] {
  switch (event.type) {
    case 'setup.completed': {
      const user = findSignInUser(state, event.signInId);
      return user === null ? [] : [registered(user, event.passkey === null ? 'authenticator-push' : 'fido2', null)];
    }
    case 'setup.failed': {
      const user = findSignInUser(state, event.signInId);
      if (user === null) return [];
      const method = state.signIns.get(event.signInId)?.evaluation?.campaign.method;
      return [{ ...registered(user, method === 'fido2' ? 'fido2' : 'authenticator-push', null), isFailure: true }];
    }
    case 'prompt.nextSelected': {
      const user = findSignInUser(state, event.signInId);
      if (user === null) return [];
      const activity = 'User started security info registration';
      return [methodChange(user, { activity, operation: 'Add', reason: null, initiator: toInitiator(user) })];
    }
    case 'method.added':
      return withUser(state, event.userId, (user) => [registered(user, event.method, findInitiator(state, event))]);
    case 'passkey.added':
      return withUser(state, event.userId, (user) => [registered(user, 'fido2', findInitiator(state, event))]);
    case 'method.removed':
      return withUser(state, event.userId, (user) => [
        deleted(user, event.method, findInitiator(state, event) ?? controlInitiator),
      ]);
    case 'passkey.removed':
      return withUser(state, event.userId, (user) => [deleted(user, 'fido2', findInitiator(state, event))]);
    case 'user.directoryChanged':
      return withUser(state, event.userId, (user) => listDirectoryChanges(user, event, findInitiator(state, event)));
    case 'user.saved':
      return listUserChanges(state, event);
    case 'user.removed':
      return withUser(state, event.userId, (user) => [
        directoryChange('Delete user', 'Delete', initiatorOr(state, event), [toTarget(user)]),
      ]);
    case 'tenant.changed':
      return [...listPolicyChanges(state, event), ...listNestingChanges(state, event)];
    default:
      return [];
  }
}

const controlInitiator: AuditInitiator = {
  kind: 'control',
  id: '',
  name: null,
  userPrincipalName: null,
};

/** Returns the caller of a change with the name of its user, or `null` if none is recorded. */
function findInitiator({ users }: SandboxState, { caller }: { readonly caller?: ChangeCaller }): AuditInitiator | null {
  if (caller === undefined) return null;
  const profile = caller.kind === 'user' ? users.get(caller.id)?.profile : undefined;
  return {
    ...caller,
    name: profile?.displayName ?? null,
    userPrincipalName: profile?.userPrincipalName ?? null,
  };
}

function initiatorOr(state: SandboxState, event: { readonly caller?: ChangeCaller }): AuditInitiator {
  return findInitiator(state, event) ?? controlInitiator;
}

function toInitiator({ facts, profile }: UserRecord): AuditInitiator {
  return { kind: 'user', id: facts.id, name: profile.displayName, userPrincipalName: profile.userPrincipalName };
}

function findSignInUser({ signIns, users }: SandboxState, signInId: string): UserRecord | null {
  return users.get(signIns.get(signInId)?.userId ?? '') ?? null;
}

function withUser(
  { users }: SandboxState,
  userId: string,
  list: (user: UserRecord) => readonly AuditChange[],
): readonly AuditChange[] {
  const user = users.get(userId);
  return user === undefined ? [] : list(user);
}

/** Describes a registration by the user, or by the caller if there is one. */
function registered(user: UserRecord, method: RegisteredMethod | 'fido2', caller: AuditInitiator | null): AuditChange {
  return methodChange(user, {
    activity: `${caller === null ? 'User' : 'Admin'} registered security info`,
    operation: 'Add',
    reason: `${caller === null ? 'User' : 'Admin'} registered ${methodNames[method]}`,
    initiator: caller ?? toInitiator(user),
  });
}

function deleted(user: UserRecord, method: RegisteredMethod | 'fido2', caller: AuditInitiator | null): AuditChange {
  return methodChange(user, {
    activity: `${caller === null ? 'User' : 'Admin'} deleted security info`,
    operation: 'Delete',
    reason: `${caller === null ? 'User' : 'Admin'} deleted ${methodNames[method]}`,
    initiator: caller ?? toInitiator(user),
  });
}

function methodChange(
  user: UserRecord,
  part: Pick<AuditChange, 'activity' | 'operation' | 'reason' | 'initiator'>,
): AuditChange {
  return {
    category: 'UserManagement',
    service: 'Authentication Methods',
    isFailure: false,
    targets: [toTarget(user)],
    ...part,
  };
}

function directoryChange(
  activity: string,
  operation: AuditChange['operation'],
  initiator: AuditInitiator,
  targets: readonly AuditTarget[],
): AuditChange {
  return {
    activity,
    category: targets.some(({ kind }) => kind === 'group') ? 'GroupManagement' : 'UserManagement',
    service: 'Core Directory',
    operation,
    isFailure: false,
    reason: null,
    initiator,
    targets,
  };
}

function toTarget({ facts, profile }: UserRecord, modified: readonly ModifiedProperty[] = []): AuditTarget {
  const { displayName, userPrincipalName } = profile;
  return { kind: 'user', id: facts.id, name: displayName, userPrincipalName, modified };
}

function toGroupTarget({ settings }: SandboxState, id: string): AuditTarget {
  const name = settings.directory?.groups?.[id]?.displayName ?? id;
  return { kind: 'group', id, name, userPrincipalName: null, modified: [] };
}

/** Lists the changes of the security information in a user's directory data: preferred method, telephones, and email. */
function listDirectoryChanges(
  user: UserRecord,
  { directory }: EventOf<'user.directoryChanged'>,
  caller: AuditInitiator | null,
): readonly AuditChange[] {
  const { directory: before = {} } = user.profile;
  const initiator = caller ?? toInitiator(user);
  const after: UserRecord = { ...user, profile: { ...user.profile, directory } };
  const [known, kept] = [listPhoneTypes(user), listPhoneTypes(after)];
  const phones = phoneTypes.flatMap((type) =>
    contactChange(user, {
      caller,
      method: 'Phone',
      before: known.includes(type) ? getPhoneNumber(user, type) : undefined,
      after: kept.includes(type) ? getPhoneNumber(after, type) : undefined,
    }),
  );
  return [
    ...(before.preferredMethod === directory.preferredMethod ? [] : [preferenceChange(user, initiator)]),
    ...phones,
    ...contactChange(user, { caller, method: 'Email', before: before.email, after: directory.email }),
  ];
}

interface ContactValues {
  readonly caller: AuditInitiator | null;
  readonly method: string;
  readonly before: string | undefined;
  readonly after: string | undefined;
}

/** Describes the change of a telephone or an email address. */
function contactChange(user: UserRecord, { caller, method, before, after }: ContactValues): readonly AuditChange[] {
  if (before === after) return [];
  const [verb, operation] =
    before === undefined
      ? (['registered', 'Add'] as const)
      : after === undefined
        ? (['deleted', 'Delete'] as const)
        : (['updated', 'Update'] as const);
  const who = caller === null ? 'User' : 'Admin';
  return [
    methodChange(user, {
      activity: `${who} ${verb} security info`,
      operation,
      reason: `${who} ${verb} ${method}`,
      initiator: caller ?? toInitiator(user),
    }),
  ];
}

function preferenceChange(user: UserRecord, initiator: AuditInitiator): AuditChange {
  const activity = 'User changed default security info';
  return methodChange(user, { activity, operation: 'Update', reason: null, initiator });
}

/** Properties of a user that the audit log never contains. */
const secretProperties: ReadonlySet<string> = new Set(['password', 'code']);

/** Lists the changes of a saved user: the user itself, the preferred method, and the groups. */
function listUserChanges(state: SandboxState, event: EventOf<'user.saved'>): readonly AuditChange[] {
  const initiator = initiatorOr(state, event);
  const known = state.users.get(event.user.id);
  const saved: Pick<UserRecord, 'facts' | 'profile'> = splitUser(event.user);
  const target = (modified: readonly ModifiedProperty[]) => toTarget(saved as UserRecord, modified);
  const before = known === undefined ? {} : { ...known.facts, ...known.profile };
  const modified = compareValues(before, event.user).filter(({ name }) => !secretProperties.has(name));
  const change =
    known === undefined
      ? directoryChange('Add user', 'Add', initiator, [target(modified)])
      : directoryChange('Update user', 'Update', initiator, [target(modified)]);
  const preferred =
    known !== undefined && known.profile.directory?.preferredMethod !== saved.profile.directory?.preferredMethod
      ? [preferenceChange(saved as UserRecord, initiator)]
      : [];
  const groups = listMembershipChanges(known?.facts.groups ?? [], event.user.groups).map(({ id, isAdded }) =>
    membershipChange(isAdded, initiator, [target([]), toGroupTarget(state, id)]),
  );
  return [change, ...preferred, ...groups];
}

function membershipChange(isAdded: boolean, initiator: AuditInitiator, targets: readonly AuditTarget[]): AuditChange {
  return directoryChange(
    isAdded ? 'Add member to group' : 'Remove member from group',
    isAdded ? 'Add' : 'Delete',
    initiator,
    targets,
  );
}

function listMembershipChanges(
  before: readonly string[],
  after: readonly string[],
): readonly { readonly id: string; readonly isAdded: boolean }[] {
  return [
    ...after.filter((id) => !before.includes(id)).map((id) => ({ id, isAdded: true })),
    ...before.filter((id) => !after.includes(id)).map((id) => ({ id, isAdded: false })),
  ];
}

/** Lists the changes of groups that are members of other groups. */
function listNestingChanges(state: SandboxState, event: EventOf<'tenant.changed'>): readonly AuditChange[] {
  const { groups: after } = event.facts;
  const before = state.tenant.groups;
  if (after === undefined || after === before) return [];
  const initiator = initiatorOr(state, event);
  return [...new Set([...Object.keys(before), ...Object.keys(after)])].flatMap((member) =>
    listMembershipChanges(before[member] ?? [], after[member] ?? []).map(({ id, isAdded }) =>
      membershipChange(isAdded, initiator, [toGroupTarget(state, member), toGroupTarget(state, id)]),
    ),
  );
}

/** Parts of the policy whose change carries the whole policy. */
const wholeParts: readonly string[] = ['registrationEnforcement', 'systemCredentialPreferences'];

/** Parts of the policy that differ after every change. */
const changingParts: ReadonlySet<string> = new Set(['lastModifiedDateTime', '@odata.context']);

/** View that contains all properties. */
const wholeView = { version: 'beta', root: '' } as const;

/** Lists the change of the policy, if the campaign, a configuration or an extra field differs. */
function listPolicyChanges(state: SandboxState, event: EventOf<'tenant.changed'>): readonly AuditChange[] {
  const { facts, extras } = event;
  if (facts.campaign === undefined && facts.methodsPolicy === undefined && extras === undefined) return [];
  const settings = event.settings ?? state.settings;
  const { tenantChangedAtMs, tenantChangedBetweenMs } = state;
  const render = (tenant: SandboxState['tenant'], extras: SandboxState['extras']) =>
    renderPolicy({ tenant, extras, settings, tenantChangedAtMs, tenantChangedBetweenMs }, wholeView).policy;
  const before = render(state.tenant, state.extras);
  const after = render({ ...state.tenant, ...facts }, extras ?? state.extras);
  const changed = compareValues(before, after).filter(({ name }) => !changingParts.has(name));
  if (changed.length === 0) return [];
  const isWhole = settings.directory?.auditPolicy === 'whole' || changed.some(({ name }) => wholeParts.includes(name));
  const modified = isWhole
    ? [{ name: policyProperty, before: JSON.stringify(before), after: JSON.stringify(after) }]
    : changed.map(({ name }) => toModifiedPart(name, before, after));
  return [
    {
      activity: event.resets === true ? 'Authentication Methods Policy Reset' : 'Authentication Methods Policy Update',
      category: 'ApplicationManagement',
      service: 'Authentication Methods',
      operation: 'Update',
      isFailure: false,
      reason: null,
      initiator: initiatorOr(state, event),
      targets: [{ kind: 'policy', id: after.id, name: after.displayName, userPrincipalName: null, modified }],
    },
  ];
}

const policyProperty = 'AuthenticationMethodsPolicy';

/** Returns a changed part of the policy. Of the configurations, it contains only those that changed. */
function toModifiedPart(name: string, before: object, after: object): ModifiedProperty {
  const [old, now] = [valueAt(before, name), valueAt(after, name)];
  if (!Array.isArray(old) || !Array.isArray(now)) {
    return { name, before: toText({ [name]: old }), after: toText({ [name]: now }) };
  }
  const differs = (item: unknown, others: readonly unknown[]) =>
    !others.some((other) => JSON.stringify(other) === JSON.stringify(item));
  return {
    name,
    before: toText({ [name]: old.filter((item) => differs(item, now)) }),
    after: toText({ [name]: now.filter((item) => differs(item, old)) }),
  };
}

/** Lists the properties whose values differ. */
function compareValues(before: object, after: object): readonly ModifiedProperty[] {
  const names = new Set([...Object.keys(before), ...Object.keys(after)]);
  return [...names].flatMap((name) => {
    const [old, now] = [toText(valueAt(before, name)), toText(valueAt(after, name))];
    return old === now ? [] : [{ name, before: old, after: now }];
  });
}

function valueAt(object: object, name: string): unknown {
  return (object as Readonly<Record<string, unknown>>)[name];
}

function toText(value: unknown): string | null {
  return value === undefined ? null : JSON.stringify(value);
}
