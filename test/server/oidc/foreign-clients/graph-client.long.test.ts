import type { Context, Client as GraphClient, Middleware } from '@microsoft/microsoft-graph-client';
import type {
  AuthenticationMethodsPolicy,
  Fido2AuthenticationMethodConfiguration,
  Group,
  MicrosoftAuthenticatorAuthenticationMethodConfiguration,
  SmsAuthenticationMethodConfiguration,
  TemporaryAccessPassAuthenticationMethodConfiguration,
  Organization as Tenant,
  User,
  VoiceAuthenticationMethodConfiguration,
} from '@microsoft/microsoft-graph-types';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { directoryPermissions } from '../../../../src/contract/directory-api/access.ts';
import { configurationTypes } from '../../../../src/contract/method-configurations/configuration-types.ts';
import { policyPermissions } from '../../../../src/contract/policy-caller.ts';
import { installOnDemand } from '../../../../tooling/packages-on-demand.ts';
import { nonEmpty } from '../../../non-empty.ts';
import { DirectoryServer } from '../../directory-api/directory-server.ts';

installOnDemand('test/server/oidc/foreign-clients');
const { AuthenticationHandler, BatchRequestContent, BatchResponseContent, Client, GraphError, PageIterator } =
  await import('@microsoft/microsoft-graph-client');

const usersCount = 7;

/** URL of the API for the client, which sends tokens to hosts by HTTPS alone. */
const publicRoot = 'https://graph.test';

/** Properties of passkeys that the package knows only in its types of beta. */
const passkeyProfiles = ['passkeyProfiles', 'defaultPasskeyProfile'];

/** Sends requests to the server, like a proxy that plays the host. */
class HostProxy implements Middleware {
  readonly #serverUrl: string;

  constructor(serverUrl: string) {
    this.#serverUrl = serverUrl;
  }

  async execute(context: Context): Promise<void> {
    const url = typeof context.request === 'string' ? context.request : context.request.url;
    expect(url.startsWith(publicRoot)).toBe(true);
    context.response = await fetch(url.replace(publicRoot, this.#serverUrl), context.options);
  }

  setNext(): void {
    // The last part of a chain has no next one.
  }
}

/**
 * Names of the properties of a type of the public package, which the compiler compares with that type. The fields of a
 * response are compared with these names.
 */
const createProperties = <T>() => ({
  are: <const Names extends readonly (keyof Required<T> & string)[]>(...names: Names): readonly string[] => names,
});

const publicProperties = {
  user: createProperties<User>().are(
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
  ),
  group: createProperties<Group>().are(
    'id',
    'deletedDateTime',
    'classification',
    'createdDateTime',
    'description',
    'displayName',
    'expirationDateTime',
    'groupTypes',
    'isAssignableToRole',
    'mail',
    'mailEnabled',
    'mailNickname',
    'membershipRule',
    'membershipRuleProcessingState',
    'onPremisesDomainName',
    'onPremisesLastSyncDateTime',
    'onPremisesNetBiosName',
    'onPremisesProvisioningErrors',
    'onPremisesSamAccountName',
    'onPremisesSecurityIdentifier',
    'onPremisesSyncEnabled',
    'preferredDataLocation',
    'preferredLanguage',
    'proxyAddresses',
    'renewedDateTime',
    'securityEnabled',
    'securityIdentifier',
    'theme',
    'visibility',
  ),
  tenant: createProperties<Tenant>().are(
    'id',
    'assignedPlans',
    'businessPhones',
    'city',
    'country',
    'countryLetterCode',
    'createdDateTime',
    'defaultUsageLocation',
    'deletedDateTime',
    'displayName',
    'marketingNotificationEmails',
    'onPremisesLastSyncDateTime',
    'onPremisesSyncEnabled',
    'partnerTenantType',
    'postalCode',
    'preferredLanguage',
    'privacyProfile',
    'provisionedPlans',
    'securityComplianceNotificationMails',
    'securityComplianceNotificationPhones',
    'state',
    'street',
    'technicalNotificationMails',
    'tenantType',
    'verifiedDomains',
  ),
  policy: createProperties<AuthenticationMethodsPolicy>().are(
    'id',
    'displayName',
    'description',
    'lastModifiedDateTime',
    'policyVersion',
    'policyMigrationState',
    'reconfirmationInDays',
    'registrationEnforcement',
    'authenticationMethodConfigurations',
  ),
  fido2: createProperties<Fido2AuthenticationMethodConfiguration>().are(
    'id',
    'state',
    'isSelfServiceRegistrationAllowed',
    'isAttestationEnforced',
    'keyRestrictions',
    'excludeTargets',
    'includeTargets',
  ),
  app: createProperties<MicrosoftAuthenticatorAuthenticationMethodConfiguration>().are(
    'id',
    'state',
    'isSoftwareOathEnabled',
    'featureSettings',
    'excludeTargets',
    'includeTargets',
  ),
  sms: createProperties<SmsAuthenticationMethodConfiguration>().are('id', 'state', 'excludeTargets', 'includeTargets'),
  voice: createProperties<VoiceAuthenticationMethodConfiguration>().are(
    'id',
    'state',
    'isOfficePhoneAllowed',
    'excludeTargets',
    'includeTargets',
  ),
  pass: createProperties<TemporaryAccessPassAuthenticationMethodConfiguration>().are(
    'id',
    'state',
    'defaultLifetimeInMinutes',
    'defaultLength',
    'minimumLifetimeInMinutes',
    'maximumLifetimeInMinutes',
    'isUsableOnce',
    'excludeTargets',
    'includeTargets',
  ),
} as const;

/** Properties in the examples of the public reference that the public types lack. */
const furtherProperties = {
  group: ['resourceBehaviorOptions', 'resourceProvisioningOptions'],
  tenant: ['directorySizeQuota', 'isMultipleDataLocationsForServicesEnabled'],
};

describe('the public JavaScript client against the dialect entra', () => {
  let server: DirectoryServer;
  let client: GraphClient;

  beforeAll(async () => {
    const users = Array.from({ length: usersCount }, (_, index) => ({ id: `user-${index}`, groups: ['staff'] }));
    server = await DirectoryServer.start({
      tenant: { groups: { pilots: ['staff'] } },
      users,
      settings: { dialect: 'entra', directory: { betaOnly: true, publicRoot } },
    });
    const token = await server.token({
      app: 'tool',
      permissions: [...Object.values(policyPermissions), ...directoryPermissions],
    });
    const authentication = new AuthenticationHandler({ getAccessToken: () => Promise.resolve(token) });
    authentication.setNext(new HostProxy(server.url));
    client = Client.initWithMiddleware({
      baseUrl: publicRoot,
      // Only known hosts receive tokens.
      customHosts: new Set([new URL(publicRoot).hostname]),
      middleware: authentication,
    });
  });
  afterAll(() => server.stop());

  function listNames(resource: object): readonly string[] {
    return Object.keys(resource).filter((name) => !name.includes('@odata.'));
  }

  test('the page iterator follows the next links to the end', async () => {
    const first = await client.api('/users').top(3).select(['id', 'userPrincipalName']).get();
    const names: string[] = [];
    const iterator = new PageIterator(client, first, (user: User) => {
      names.push(String(user.userPrincipalName));
      return true;
    });
    await iterator.iterate();
    expect(iterator.isComplete()).toBe(true);
    expect(names.toSorted()).toEqual(Array.from({ length: usersCount }, (_, index) => `user-${index}@example.test`));
  });

  test('ConsistencyLevel and Prefer are sent, and their results are read', async () => {
    const counted = await client.api('/users').header('ConsistencyLevel', 'eventual').count(true).top(1).get();
    expect(counted['@odata.count']).toBe(usersCount);
    const page = await client.api('/users').header('Prefer', 'odata.maxpagesize=2').get();
    expect(page.value).toHaveLength(2);
  });

  test('the batch helpers send requests with dependencies and read their responses', async () => {
    const content = new BatchRequestContent([
      // The helper cuts the host off, so URLs have no version.
      { id: '1', request: new Request(`${publicRoot}/users?$top=1`) },
      { id: '2', request: new Request(`${publicRoot}/groups`), dependsOn: ['1'] },
      { id: '3', request: new Request(`${publicRoot}/users/nobody`), dependsOn: ['2'] },
    ]);
    const responses = new BatchResponseContent(await client.api('/$batch').post(await content.getContent()));
    expect(responses.getResponseById('1').status).toBe(200);
    expect(((await responses.getResponseById('2').json()) as { value: Group[] }).value).toHaveLength(2);
    expect(responses.getResponseById('3').status).toBe(404);
  });

  test('errors are read with the codes of the dialect', async () => {
    const error = await client
      .api('/users/nobody')
      .get()
      .catch((one: unknown) => one);
    expect(error).toBeInstanceOf(GraphError);
    expect(error).toMatchObject({ statusCode: 404, code: 'Request_ResourceNotFound' });
  });

  test('a configuration is changed and read back', async () => {
    const path = '/policies/authenticationMethodsPolicy/authenticationMethodConfigurations/sms';
    const change = {
      '@odata.type': '#microsoft.graph.smsAuthenticationMethodConfiguration',
      state: 'disabled',
    } satisfies SmsAuthenticationMethodConfiguration & { '@odata.type': string };
    expect(await client.api(path).patch(change)).toBeUndefined();
    const read: SmsAuthenticationMethodConfiguration = await client.api(path).get();
    expect(read).toMatchObject({ id: 'Sms', state: 'disabled' });
    await client.api(path).delete();
    expect(await client.api(path).get()).toMatchObject({ state: 'enabled' });
  });

  test('responses have the properties of the public types', async () => {
    const policy: AuthenticationMethodsPolicy = await client.api('/policies/authenticationMethodsPolicy').get();
    expect(listNames(policy)).toEqual(publicProperties.policy);
    const configurations = nonEmpty(policy.authenticationMethodConfigurations ?? []);
    const byId = (id: string) => listNames(configurations.find((one) => one.id === id) ?? {}).toSorted();
    expect(byId('Fido2')).toEqual([...publicProperties.fido2, ...passkeyProfiles].toSorted());
    expect(byId('MicrosoftAuthenticator')).toEqual(publicProperties.app.toSorted());
    expect(byId('Sms')).toEqual(publicProperties.sms.toSorted());
    expect(byId('Voice')).toEqual(publicProperties.voice.toSorted());
    expect(byId('TemporaryAccessPass')).toEqual(publicProperties.pass.toSorted());
    // The public types of v1.0 have a type for each configuration.
    expect(configurations).toHaveLength(configurationTypes.length - 2);
    const [user] = (await client.api('/users').top(1).get()).value as User[];
    expect(listNames(user ?? {}).toSorted()).toEqual(publicProperties.user.toSorted());
    const [group] = (await client.api('/groups').get()).value as Group[];
    expect(listNames(group ?? {}).toSorted()).toEqual(
      [...publicProperties.group, ...furtherProperties.group].toSorted(),
    );
    const [tenant] = (await client.api('/organization').get()).value as Tenant[];
    expect(listNames(tenant ?? {}).toSorted()).toEqual(
      [...publicProperties.tenant, ...furtherProperties.tenant].toSorted(),
    );
  });
});
