import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { appCampaign, signIn, startMs } from '../../journal/signing-in.ts';
import { DirectoryServer } from './directory-server.ts';

/**
 * Keys of the example responses in the public reference of the service (November 2026), by request. A dot stands before
 * the keys of an object, and `[]` for the first element of a list. Deprecated keys are left out.
 */
const examples: Readonly<Record<string, string>> = {
  'v1.0 /users/ada':
    '@odata.context id businessPhones displayName givenName jobTitle mail mobilePhone officeLocation preferredLanguage surname userPrincipalName',
  'v1.0 /users?$count=true&$top=1': '@odata.context @odata.count @odata.nextLink value[].displayName',
  'v1.0 /groups/workers':
    '@odata.context id deletedDateTime classification createdDateTime description displayName expirationDateTime groupTypes isAssignableToRole mail mailEnabled mailNickname membershipRule membershipRuleProcessingState onPremisesDomainName onPremisesLastSyncDateTime onPremisesNetBiosName onPremisesSamAccountName onPremisesSecurityIdentifier onPremisesSyncEnabled preferredDataLocation preferredLanguage proxyAddresses renewedDateTime resourceBehaviorOptions resourceProvisioningOptions securityEnabled securityIdentifier theme visibility onPremisesProvisioningErrors',
  'v1.0 /groups/workers/members': '@odata.context value[].@odata.type value[].id value[].mail',
  'v1.0 /users/ada/memberOf':
    '@odata.context value[].@odata.type value[].id value[].deletedDateTime value[].description value[].displayName value[].roleTemplateId',
  'v1.0 /directoryRoles':
    'value[].id value[].deletedDateTime value[].description value[].displayName value[].roleTemplateId',
  'v1.0 /organization':
    '@odata.context value[].id value[].deletedDateTime value[].businessPhones value[].city value[].country value[].countryLetterCode value[].createdDateTime value[].defaultUsageLocation value[].displayName value[].isMultipleDataLocationsForServicesEnabled value[].marketingNotificationEmails value[].onPremisesLastSyncDateTime value[].onPremisesSyncEnabled value[].partnerTenantType value[].postalCode value[].preferredLanguage value[].securityComplianceNotificationMails value[].securityComplianceNotificationPhones value[].state value[].street value[].technicalNotificationMails value[].tenantType value[].directorySizeQuota value[].assignedPlans[].assignedDateTime value[].assignedPlans[].capabilityStatus value[].assignedPlans[].service value[].assignedPlans[].servicePlanId value[].privacyProfile value[].provisionedPlans value[].verifiedDomains[].capabilities value[].verifiedDomains[].isDefault value[].verifiedDomains[].isInitial value[].verifiedDomains[].name value[].verifiedDomains[].type',
  'v1.0 /users/ada/authentication/methods': 'value[].@odata.type value[].id value[].createdDateTime value[].password',
  'v1.0 /users/ada/authentication/phoneMethods':
    'value[].phoneNumber value[].phoneType value[].smsSignInState value[].id',
  'v1.0 /users/ada/authentication/emailMethods': 'value[].id value[].emailAddress',
  'v1.0 /users/ada/authentication/fido2Methods':
    'value[].id value[].displayName value[].createdDateTime value[].aaGuid value[].model value[].attestationCertificates value[].attestationLevel',
  'beta /users/ada/authentication/fido2Methods': 'value[].passkeyType',
  'v1.0 /users/ada/authentication/microsoftAuthenticatorMethods':
    'value[].id value[].displayName value[].deviceTag value[].phoneAppVersion value[].createdDateTime',
  'v1.0 /users/ada/authentication/softwareOathMethods': 'value[].id value[].secretKey',
  'beta /users/ada/authentication/hardwareOathMethods': 'value[].id value[].device',
  'v1.0 /users/ada/authentication/windowsHelloForBusinessMethods':
    'value[].id value[].displayName value[].createdDateTime value[].keyStrength',
  'v1.0 /users/ada/authentication/platformCredentialMethods':
    'value[].id value[].displayName value[].createdDateTime value[].keyStrength value[].platform',
  'v1.0 /users/ada/authentication/temporaryAccessPassMethods':
    'value[].id value[].temporaryAccessPass value[].createdDateTime value[].startDateTime value[].lifetimeInMinutes value[].isUsableOnce value[].isUsable value[].methodUsabilityReason',
  'beta /users/ada/authentication/signInPreferences':
    'isSystemPreferredAuthenticationMethodEnabled userPreferredMethodForSecondaryAuthentication',
  'beta /users/ada/authentication/requirements': 'perUserMfaState',
  'v1.0 /users/ada/authentication/fido2Methods/creationOptions':
    'challengeTimeoutDateTime publicKey.rp.id publicKey.rp.name publicKey.user.id publicKey.user.displayName publicKey.user.name publicKey.challenge publicKey.pubKeyCredParams[].type publicKey.pubKeyCredParams[].alg publicKey.timeout publicKey.excludeCredentials[].id publicKey.excludeCredentials[].type publicKey.excludeCredentials[].transports publicKey.authenticatorSelection.authenticatorAttachment publicKey.authenticatorSelection.requireResidentKey publicKey.authenticatorSelection.userVerification publicKey.attestation publicKey.extensions',
  'beta /policies/authenticationMethodsPolicy':
    '@odata.context id displayName description lastModifiedDateTime policyVersion reconfirmationInDays registrationEnforcement.authenticationMethodsRegistrationCampaign.snoozeDurationInDays registrationEnforcement.authenticationMethodsRegistrationCampaign.enforceRegistrationAfterAllowedSnoozes registrationEnforcement.authenticationMethodsRegistrationCampaign.state registrationEnforcement.authenticationMethodsRegistrationCampaign.excludeTargets registrationEnforcement.authenticationMethodsRegistrationCampaign.includeTargets[].id registrationEnforcement.authenticationMethodsRegistrationCampaign.includeTargets[].targetType registrationEnforcement.authenticationMethodsRegistrationCampaign.includeTargets[].targetedAuthenticationMethod systemCredentialPreferences.state reportSuspiciousActivitySettings.state authenticationMethodConfigurations@odata.context authenticationMethodConfigurations[].@odata.type authenticationMethodConfigurations[].id authenticationMethodConfigurations[].state authenticationMethodConfigurations[].isSelfServiceRegistrationAllowed authenticationMethodConfigurations[].isAttestationEnforced authenticationMethodConfigurations[].keyRestrictions.isEnforced authenticationMethodConfigurations[].keyRestrictions.enforcementType authenticationMethodConfigurations[].keyRestrictions.aaGuids authenticationMethodConfigurations[].includeTargets[].targetType authenticationMethodConfigurations[].includeTargets[].id authenticationMethodConfigurations[].includeTargets[].isRegistrationRequired',
  'v1.0 /policies/authenticationMethodsPolicy/authenticationMethodConfigurations/fido2':
    '@odata.context @odata.type id state isSelfServiceRegistrationAllowed isAttestationEnforced keyRestrictions.isEnforced keyRestrictions.enforcementType keyRestrictions.aaGuids includeTargets[].targetType includeTargets[].id includeTargets[].isRegistrationRequired excludeTargets',
  'v1.0 /policies/authenticationMethodsPolicy/authenticationMethodConfigurations/microsoftAuthenticator':
    '@odata.type id state isSoftwareOathEnabled featureSettings.displayAppInformationRequiredState.state featureSettings.displayAppInformationRequiredState.includeTarget.targetType featureSettings.displayAppInformationRequiredState.includeTarget.id featureSettings.displayAppInformationRequiredState.excludeTarget.id featureSettings.displayLocationInformationRequiredState.state includeTargets[].authenticationMode',
  'v1.0 /policies/authenticationMethodsPolicy/authenticationMethodConfigurations/temporaryAccessPass':
    '@odata.type id state defaultLifetimeInMinutes defaultLength minimumLifetimeInMinutes maximumLifetimeInMinutes isUsableOnce includeTargets[].id',
  'v1.0 /policies/authenticationMethodsPolicy/authenticationMethodConfigurations/email':
    '@odata.type id state allowExternalIdToUseEmailOtp includeTargets',
  'v1.0 /reports/authenticationMethods/userRegistrationDetails':
    '@odata.context value[].id value[].userPrincipalName value[].userDisplayName value[].isAdmin value[].isSsprRegistered value[].isSsprEnabled value[].isSsprCapable value[].isMfaRegistered value[].isMfaCapable value[].isPasswordlessCapable value[].lastUpdatedDateTime value[].methodsRegistered value[].isSystemPreferredAuthenticationMethodEnabled value[].systemPreferredAuthenticationMethods value[].userPreferredMethodForSecondaryAuthentication value[].userType',
  "v1.0 /reports/authenticationMethods/usersRegisteredByFeature(includedUserTypes='all',includedUserRoles='all')":
    'totalUserCount userTypes userRoles userRegistrationFeatureCounts[].feature userRegistrationFeatureCounts[].userCount',
  "v1.0 /reports/authenticationMethods/usersRegisteredByMethod(includedUserTypes='all',includedUserRoles='all')":
    'totalUserCount userTypes userRoles userRegistrationMethodCounts[].authenticationMethod userRegistrationMethodCounts[].userCount',
  'v1.0 /auditLogs/signIns?$top=1':
    '@odata.context value[].id value[].createdDateTime value[].userDisplayName value[].userPrincipalName value[].userId value[].appId value[].appDisplayName value[].ipAddress value[].clientAppUsed value[].correlationId value[].conditionalAccessStatus value[].isInteractive value[].riskDetail value[].riskLevelAggregated value[].riskLevelDuringSignIn value[].riskState value[].riskEventTypes value[].resourceDisplayName value[].resourceId value[].status.errorCode value[].status.failureReason value[].status.additionalDetails value[].deviceDetail.deviceId value[].deviceDetail.displayName value[].deviceDetail.operatingSystem value[].deviceDetail.browser value[].deviceDetail.isCompliant value[].deviceDetail.isManaged value[].deviceDetail.trustType value[].location value[].appliedConditionalAccessPolicies',
  'beta /auditLogs/signIns?$top=1':
    'value[].userAgent value[].originalRequestId value[].authenticationProtocol value[].incomingTokenType value[].homeTenantId value[].homeTenantName value[].isTenantRestricted value[].tokenIssuerName value[].tokenIssuerType value[].processingTimeInMilliseconds value[].riskEventTypes_v2 value[].resourceTenantId value[].authenticationMethodsUsed value[].authenticationRequirement value[].uniqueTokenIdentifier value[].signInIdentifier value[].signInEventTypes value[].servicePrincipalId value[].userType value[].flaggedForReview value[].autonomousSystemNumber value[].crossTenantAccessType value[].authenticationProcessingDetails value[].networkLocationDetails value[].authenticationDetails[].authenticationStepDateTime value[].authenticationDetails[].authenticationMethod value[].authenticationDetails[].authenticationMethodDetail value[].authenticationDetails[].succeeded value[].authenticationDetails[].authenticationStepResultDetail value[].authenticationDetails[].authenticationStepRequirement value[].authenticationRequirementPolicies value[].sessionLifetimePolicies',
  'v1.0 /auditLogs/directoryAudits':
    '@odata.context value[].id value[].category value[].correlationId value[].result value[].resultReason value[].activityDisplayName value[].activityDateTime value[].loggedByService value[].operationType value[].initiatedBy.user value[].initiatedBy.app value[].targetResources[].id value[].targetResources[].displayName value[].targetResources[].type value[].targetResources[].userPrincipalName value[].targetResources[].groupType value[].targetResources[].modifiedProperties value[].additionalDetails',
  'v1.0 /users/nobody':
    'error.code error.message error.innerError.date error.innerError.request-id error.innerError.client-request-id',
};

let server: DirectoryServer;

beforeAll(async () => {
  server = await DirectoryServer.start({
    clock: { nowMs: startMs, running: false },
    tenant: { ...appCampaign, subscription: 'paid' },
    settings: { dialect: 'entra' },
    users: [
      {
        id: 'ada',
        methods: ['sms', 'authenticator-push', 'authenticator-totp', 'hardware-totp'],
        passkeys: (['security-key', 'windows-hello-for-business', 'mac-platform-sso'] as const).map((type) => ({
          type,
          deviceId: type,
        })),
        groups: ['workers'],
        roles: ['User Administrator'],
        directory: {
          email: 'ada@home.test',
          temporaryAccessPass: {
            createdDateTime: '2026-01-05T09:00:00Z',
            startDateTime: '2026-01-05T09:00:00Z',
            lifetimeInMinutes: 60,
            isUsableOnce: false,
          },
        },
      },
      { id: 'bob', methods: ['sms'] },
    ],
  });
  await signIn(server.sandbox, 'bob');
  await server.sandbox.directory.patchUser('bob', { methods: ['sms', 'voice'] });
});

afterAll(() => server.stop());

/** Lists the keys that a value lacks. */
function listMissing(value: unknown, keys: readonly string[]): readonly string[] {
  return keys.filter((key) => {
    let current: unknown = value;
    for (const part of key.replaceAll('@odata.', '@odata:').split('.')) {
      const [name = '', list] = part.replace(':', '.').split('[]');
      if (typeof current !== 'object' || current === null || !Object.hasOwn(current, name)) return true;
      current = (current as Readonly<Record<string, unknown>>)[name];
      if (list !== undefined) current = (current as readonly unknown[])[0];
    }
    return false;
  });
}

describe('example responses of the public reference', () => {
  test.for(Object.entries(examples))('%s has every key of its example', async ([request, keys]) => {
    const [version, path = ''] = request.split(' ', 2);
    const { body } = await server.ask(`/${version}${path}`, { headers: { ConsistencyLevel: 'eventual' } });
    expect(listMissing(body, keys.split(' '))).toEqual([]);
  });

  test('a batch has every key of its example', async () => {
    const { body } = await server.ask('/v1.0/$batch', {
      method: 'POST',
      body: { requests: [{ id: '1', method: 'GET', url: '/users/ada/memberOf' }] },
    });
    const keys =
      'responses[].id responses[].status responses[].headers.Cache-Control responses[].headers.OData-Version';
    expect(
      listMissing(body, [...keys.split(' '), 'responses[].headers.Content-Type', 'responses[].body.value']),
    ).toEqual([]);
  });

  test('a missing key is found', () => {
    expect(listMissing({ value: [{ a: { b: null } }] }, ['value[].a.b', 'value[].a.c', '@odata.count'])).toEqual([
      'value[].a.c',
      '@odata.count',
    ]);
  });
});
