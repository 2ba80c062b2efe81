/** Properties that responses contain without a value: single values are `null`, and lists are empty. */
export interface NotSimulatedProperties {
  readonly values: readonly string[];
  readonly lists: readonly string[];
}

/** Names that the directory API uses on the wire. They are data, so the code contains no name of a provider. */
export interface Dialect {
  readonly name: string;
  /** Namespace of types and functions in responses. */
  readonly namespace: string;
  /** Namespaces that requests can use. */
  readonly namespaces: readonly string[];
  /** Error codes by status. Any other status uses the code of its class. */
  readonly errorCodes: Readonly<Record<number, string>>;
  readonly userProperties: NotSimulatedProperties;
  readonly groupProperties: NotSimulatedProperties;
  readonly signInProperties: NotSimulatedProperties;
  readonly auditProperties: NotSimulatedProperties;
  /** Values of the tenant. */
  readonly tenant: {
    readonly tenantType: string;
    readonly domainCapabilities: string;
    /** Service and plan of a paid subscription. */
    readonly paidService: string;
    readonly paidPlanId: string;
  };
  /** Known collections that are not simulated, in lower case. They can be answered as empty. */
  readonly notSimulated: readonly string[];
}

/** Dialect of the specification, which is the default. */
export const seedDialect: Dialect = {
  name: 'seed',
  namespace: 'graph',
  namespaces: ['graph', 'microsoft.graph'],
  errorCodes: {
    400: 'badRequest',
    401: 'unauthenticated',
    403: 'accessDenied',
    404: 'notFound',
    405: 'methodNotAllowed',
    406: 'notAcceptable',
    409: 'conflict',
    412: 'preconditionFailed',
    413: 'payloadTooLarge',
    415: 'unsupportedMediaType',
    424: 'failedDependency',
    429: 'tooManyRequests',
    503: 'serviceUnavailable',
  },
  tenant: {
    tenantType: 'AAD',
    domainCapabilities: 'Email, OfficeCommunicationsOnline',
    paidService: 'AADPremiumService',
    paidPlanId: '41781fb2-bc02-4b7c-bd55-b576c07bb09d',
  },
  userProperties: {
    values: [
      'aboutMe',
      'ageGroup',
      'authorizationInfo',
      'birthday',
      'city',
      'companyName',
      'consentProvidedForMinor',
      'country',
      'creationType',
      'customSecurityAttributes',
      'deletedDateTime',
      'employeeHireDate',
      'employeeId',
      'employeeLeaveDateTime',
      'employeeOrgData',
      'employeeType',
      'externalUserState',
      'externalUserStateChangeDateTime',
      'faxNumber',
      'hireDate',
      'isManagementRestricted',
      'isResourceAccount',
      'lastPasswordChangeDateTime',
      'legalAgeGroupClassification',
      'mailboxSettings',
      'mySite',
      'onPremisesDistinguishedName',
      'onPremisesDomainName',
      'onPremisesExtensionAttributes',
      'onPremisesImmutableId',
      'onPremisesLastSyncDateTime',
      'onPremisesSamAccountName',
      'onPremisesSecurityIdentifier',
      'onPremisesUserPrincipalName',
      'passwordPolicies',
      'passwordProfile',
      'postalCode',
      'preferredDataLocation',
      'preferredName',
      'securityIdentifier',
      'showInAddressList',
      'signInActivity',
      'signInSessionsValidFromDateTime',
      'state',
      'streetAddress',
      'usageLocation',
    ],
    lists: [
      'assignedLicenses',
      'assignedPlans',
      'identities',
      'imAddresses',
      'interests',
      'licenseAssignmentStates',
      'onPremisesProvisioningErrors',
      'otherMails',
      'pastProjects',
      'provisionedPlans',
      'proxyAddresses',
      'responsibilities',
      'schools',
      'serviceProvisioningErrors',
      'skills',
    ],
  },
  groupProperties: {
    values: [
      'allowExternalSenders',
      'autoSubscribeNewMembers',
      'classification',
      'deletedDateTime',
      'expirationDateTime',
      'hasMembersWithLicenseErrors',
      'hideFromAddressLists',
      'hideFromOutlookClients',
      'isArchived',
      'isAssignableToRole',
      'isManagementRestricted',
      'isSubscribedByMail',
      'licenseProcessingState',
      'membershipRule',
      'membershipRuleProcessingState',
      'onPremisesDomainName',
      'onPremisesLastSyncDateTime',
      'onPremisesNetBiosName',
      'onPremisesSamAccountName',
      'onPremisesSecurityIdentifier',
      'onPremisesSyncEnabled',
      'preferredDataLocation',
      'preferredLanguage',
      'renewedDateTime',
      'securityIdentifier',
      'theme',
      'uniqueName',
      'unseenCount',
    ],
    lists: [
      'assignedLabels',
      'assignedLicenses',
      'onPremisesProvisioningErrors',
      'proxyAddresses',
      'serviceProvisioningErrors',
    ],
  },
  signInProperties: {
    values: [
      'appOwnerTenantId',
      'appTokenProtectionStatus',
      'authenticationMethodsUsed',
      'autonomousSystemNumber',
      'azureResourceId',
      'clientCredentialType',
      'federatedCredentialId',
      'flaggedForReview',
      'globalSecureAccessIpAddress',
      'homeTenantName',
      'ipAddressFromResourceProvider',
      'isTenantRestricted',
      'isThroughGlobalSecureAccess',
      'managedServiceIdentity',
      'mfaDetail',
      'originalTransferMethod',
      'privateLinkDetails',
      'processingTimeInMilliseconds',
      'resourceOwnerTenantId',
      'resourceServicePrincipalId',
      'servicePrincipalCredentialKeyId',
      'servicePrincipalCredentialThumbprint',
      'servicePrincipalId',
      'servicePrincipalName',
      'signInIdentifier',
      'signInIdentifierType',
      'signInTokenProtectionStatus',
      'tokenIssuerName',
      'tokenProtectionStatusDetails',
      'uniqueTokenIdentifier',
      'userAgent',
    ],
    lists: [
      'appliedConditionalAccessPolicies_v2',
      'appliedEventListeners',
      'authenticationAppDeviceDetails',
      'authenticationAppPolicyEvaluationDetails',
      'authenticationContextClassReferences',
      'authenticationProcessingDetails',
      'authenticationRequirementPolicies',
      'conditionalAccessAudiences',
      'sessionLifetimePolicies',
    ],
  },
  auditProperties: { values: [], lists: [] },
  notSimulated: [
    'applications',
    'devices',
    'domains',
    'identity/conditionalaccess/authenticationstrength/policies',
    'identity/conditionalaccess/namedlocations',
    'identity/conditionalaccess/policies',
    'identitygovernance/accessreviews/definitions',
    'oauth2permissiongrants',
    'policies/accessreviewpolicy',
    'policies/permissiongrantpolicies',
    'policies/rolemanagementpolicies',
    'rolemanagement/directory/roleassignments',
    'rolemanagement/directory/roledefinitions',
    'rolemanagement/directory/roleeligibilityschedules',
    'serviceprincipals',
    'subscribedskus',
  ],
};
