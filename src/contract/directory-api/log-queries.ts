import type { FilterProperties, ScalarProperty } from '../odata/filter-properties.ts';
import type { QueryRow } from '../odata/query-row.ts';

const texts: ScalarProperty = { type: 'string', operators: ['eq', 'ne', 'in', 'startswith', 'endswith', 'contains'] };
const flags: ScalarProperty = { type: 'boolean', operators: ['eq', 'ne'] };
const numbers: ScalarProperty = { type: 'number', operators: ['eq', 'ne', 'in', 'gt', 'ge', 'lt', 'le'] };
const times: ScalarProperty = { type: 'time', operators: ['eq', 'ne', 'gt', 'ge', 'lt', 'le'] };

const auditTexts: ScalarProperty = { type: 'string', operators: ['eq', 'ne', 'ge', 'le', 'startswith'] };
const auditTimes: ScalarProperty = { type: 'time', operators: ['eq', 'ne', 'ge', 'le'] };

const signInFilters: FilterProperties = {
  id: texts,
  correlationId: texts,
  createdDateTime: times,
  userId: texts,
  userPrincipalName: texts,
  userDisplayName: texts,
  appId: texts,
  appDisplayName: texts,
  clientAppUsed: texts,
  conditionalAccessStatus: texts,
  ipAddress: texts,
  isInteractive: flags,
  'status/errorCode': numbers,
  'deviceDetail/browser': texts,
  'deviceDetail/operatingSystem': texts,
  resourceDisplayName: texts,
  resourceId: texts,
  authenticationRequirement: texts,
  signInEventTypes: { type: 'strings', operators: ['eq', 'ne'] },
  homeTenantId: texts,
  userType: texts,
  originalRequestId: texts,
};

const auditFilters: FilterProperties = {
  id: auditTexts,
  activityDateTime: auditTimes,
  activityDisplayName: auditTexts,
  category: auditTexts,
  correlationId: auditTexts,
  loggedByService: auditTexts,
  result: auditTexts,
  operationType: auditTexts,
  'initiatedBy/user/id': auditTexts,
  'initiatedBy/user/displayName': auditTexts,
  'initiatedBy/user/userPrincipalName': auditTexts,
  'initiatedBy/app/appId': auditTexts,
  'initiatedBy/app/displayName': auditTexts,
  targetResources: {
    type: 'objects',
    items: { id: auditTexts, displayName: auditTexts, type: auditTexts, userPrincipalName: auditTexts },
  },
};

const logPage = { rows: 1_000, rowsMax: 1_000 };

/** Query options of the sign-in log. */
export const signInRow: QueryRow = { page: logPage, filter: signInFilters, orderby: ['createdDateTime'] };

/** Query options of the audit log. */
export const auditRow: QueryRow = { page: logPage, filter: auditFilters, orderby: ['activityDateTime'] };
