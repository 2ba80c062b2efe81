import type { DirectoryAuditResource } from '../../../contract/directory-api/log-schemas.ts';
import { logWords as words } from '../../../contract/directory-api/log-words.ts';
import { toInstant } from '../../../core/clock.ts';
import type { DirectoryView } from '../directory-view.ts';
import type { AuditTarget } from './audit-changes.ts';
import type { LoggedChange } from './audit-records.ts';
import type { LogRow } from './log-walk.ts';

/** Row of the audit log. */
export interface AuditRow extends LogRow {
  readonly change: LoggedChange;
}

type Readers = {
  readonly [Name in keyof DirectoryAuditResource]: (
    change: LoggedChange,
    view: DirectoryView,
  ) => DirectoryAuditResource[Name];
};

const readers: Readers = {
  id: ({ id }, { wireIds }) => wireIds.compute('audit', id),
  activityDateTime: ({ atMs }) => toInstant(atMs),
  activityDisplayName: ({ activity }) => activity,
  additionalDetails: () => [],
  category: ({ category }) => category,
  correlationId: ({ id }, { wireIds }) => wireIds.compute('correlation', id),
  initiatedBy: toInitiator,
  loggedByService: ({ service }) => service,
  operationType: ({ operation }) => operation,
  result: ({ isFailure }) => (isFailure ? 'failure' : 'success'),
  resultReason: ({ reason }) => reason,
  targetResources: ({ targets }, view) => targets.map((target) => toResource(target, view)),
  userAgent: () => null,
};

/** Reads a property of a row. Returns `undefined` for a property that audit rows do not have. */
export function readAuditRow({ change }: AuditRow, name: string, view: DirectoryView): unknown {
  return Object.hasOwn(readers, name) ? readers[name as keyof Readers](change, view) : undefined;
}

function toInitiator(
  { initiator: { kind, id, name, userPrincipalName } }: LoggedChange,
  { wireIds }: DirectoryView,
): DirectoryAuditResource['initiatedBy'] {
  if (kind === 'user') {
    const user = { id: wireIds.toWire('user', id), displayName: name, userPrincipalName, ipAddress: '127.0.0.1' };
    return { app: null, user };
  }
  const app = kind === 'control' ? words.control : id;
  return {
    app: {
      appId: wireIds.toWire('client', app),
      displayName: app,
      servicePrincipalId: null,
      servicePrincipalName: null,
    },
    user: null,
  };
}

/** Names of the types of targets. */
const targetTypes = { user: 'User', group: 'Group', policy: 'Policy' } as const;

function toResource(
  { kind, id, name, userPrincipalName, modified }: AuditTarget,
  { wireIds }: DirectoryView,
): DirectoryAuditResource['targetResources'][number] {
  return {
    id: kind === 'policy' ? id : wireIds.toWire(kind, id),
    displayName: name,
    type: targetTypes[kind],
    userPrincipalName,
    groupType: kind === 'group' ? 'unknownFutureValue' : null,
    modifiedProperties: modified.map((property) => ({
      displayName: property.name,
      oldValue: property.before,
      newValue: property.after,
    })),
  };
}
