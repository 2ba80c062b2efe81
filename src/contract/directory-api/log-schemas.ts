import { z } from 'zod';

const text = z.string().nullable();
const instant = z.iso.datetime();
const texts = z.array(z.string()).readonly();

const appliedPolicySchema = z.strictObject({
  displayName: z.string(),
  enforcedGrantControls: texts,
  enforcedSessionControls: texts,
  id: z.string(),
  result: z.string(),
});

/** Row of the sign-in log. */
export const signInSchema = z.strictObject({
  id: z.string(),
  appDisplayName: z.string(),
  appId: z.string(),
  appliedConditionalAccessPolicies: z.array(appliedPolicySchema).readonly(),
  authenticationDetails: z
    .array(
      z.strictObject({
        authenticationMethod: z.string(),
        authenticationMethodDetail: text,
        authenticationStepDateTime: instant,
        authenticationStepRequirement: z.string(),
        authenticationStepResultDetail: text,
        succeeded: z.boolean(),
      }),
    )
    .readonly(),
  authenticationProtocol: z.string(),
  authenticationRequirement: z.string(),
  clientAppUsed: z.string(),
  conditionalAccessStatus: z.string(),
  correlationId: z.string(),
  createdDateTime: instant,
  crossTenantAccessType: z.string(),
  deviceDetail: z.strictObject({
    browser: z.string(),
    deviceId: z.string(),
    displayName: z.string(),
    isCompliant: z.boolean(),
    isManaged: z.boolean(),
    operatingSystem: z.string(),
    trustType: text,
  }),
  homeTenantId: z.string(),
  incomingTokenType: z.string(),
  ipAddress: z.string(),
  isInteractive: z.boolean(),
  location: text,
  networkLocationDetails: z.array(z.strictObject({ networkNames: texts, networkType: z.string() })).readonly(),
  originalRequestId: z.string(),
  resourceDisplayName: z.string(),
  resourceId: z.string(),
  resourceTenantId: z.string(),
  riskDetail: z.string(),
  riskEventTypes: texts,
  riskEventTypes_v2: texts,
  riskLevelAggregated: z.string(),
  riskLevelDuringSignIn: z.string(),
  riskState: z.string(),
  sessionId: z.string(),
  signInEventTypes: texts,
  status: z.strictObject({ additionalDetails: text, errorCode: z.int(), failureReason: z.string() }),
  tokenIssuerType: z.string(),
  userDisplayName: z.string(),
  userId: z.string(),
  userPrincipalName: z.string(),
  userType: z.string(),
});
export type SignInResource = z.output<typeof signInSchema>;

/** Properties of the sign-in log that only `/beta` has, unless a setting shows all. */
export const betaSignInProperties = [
  'authenticationDetails',
  'authenticationProtocol',
  'authenticationRequirement',
  'crossTenantAccessType',
  'incomingTokenType',
  'networkLocationDetails',
  'originalRequestId',
  'sessionId',
  'signInEventTypes',
  'tokenIssuerType',
  'userType',
] as const satisfies readonly (keyof SignInResource)[];

const modifiedPropertySchema = z.strictObject({ displayName: z.string(), oldValue: text, newValue: text });

/** Row of the audit log. */
export const directoryAuditSchema = z.strictObject({
  id: z.string(),
  activityDateTime: instant,
  activityDisplayName: z.string(),
  additionalDetails: z.array(z.strictObject({ key: z.string(), value: z.string() })).readonly(),
  category: z.string(),
  correlationId: z.string(),
  initiatedBy: z.strictObject({
    app: z
      .strictObject({
        appId: text,
        displayName: z.string(),
        servicePrincipalId: text,
        servicePrincipalName: text,
      })
      .nullable(),
    user: z.strictObject({ id: z.string(), displayName: text, userPrincipalName: text, ipAddress: text }).nullable(),
  }),
  loggedByService: z.string(),
  operationType: z.string(),
  result: z.enum(['success', 'failure', 'timeout']),
  resultReason: text,
  targetResources: z
    .array(
      z.strictObject({
        id: z.string(),
        displayName: text,
        type: z.string(),
        userPrincipalName: text,
        groupType: text,
        modifiedProperties: z.array(modifiedPropertySchema).readonly(),
      }),
    )
    .readonly(),
  userAgent: text,
});
export type DirectoryAuditResource = z.output<typeof directoryAuditSchema>;
