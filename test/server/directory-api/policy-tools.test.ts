import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { directoryPermissions } from '../../../src/contract/directory-api/access.ts';
import { policyPermissions } from '../../../src/contract/policy-caller.ts';
import { nonEmpty } from '../../non-empty.ts';
import { DirectoryServer, type Reply } from './directory-server.ts';

/** Calls of public administration programs on the policy and its configurations, as recorded, and what they read. */
let server: DirectoryServer;
let authorization: string;

const pilots = '31111111-2222-4333-8444-555555555555';
const ada = '11111111-2222-4333-8444-555555555555';
const policy = 'policies/authenticationMethodsPolicy';
const configurations = `${policy}/authenticationMethodConfigurations`;

beforeAll(async () => {
  server = await DirectoryServer.start({
    tenant: { id: 'contoso' },
    users: [{ id: ada, groups: [pilots] }],
    settings: {
      dialect: 'entra',
      directory: { unknownResource: 'empty', groups: { [pilots]: { displayName: 'Pilots' } } },
    },
  });
  const permissions = [...Object.values(policyPermissions), ...directoryPermissions];
  authorization = `Bearer ${await server.token({ app: 'tool', permissions })}`;
});
afterAll(() => server.stop());

function send(path: string, method = 'GET', body?: unknown, headers = {}): Promise<Reply> {
  return server.ask(path, { method, body, headers: { authorization, ...headers } });
}

interface BatchPart {
  readonly id: string;
  readonly status: number;
  readonly body?: Readonly<Record<string, unknown>>;
}

async function batch(requests: readonly object[], root = '/beta'): Promise<readonly BatchPart[]> {
  const { body } = await send(`${root}/$batch`, 'POST', { requests });
  return (body['responses'] ?? []) as readonly BatchPart[];
}

describe('recorded calls of public programs on the policy', () => {
  test('CIPP: reads the policy and writes the registration campaign with all five fields', async () => {
    const groups = await send(`/beta/groups?$select=id,displayName&$filter=startsWith(displayName,'Pil')`);
    const [group] = nonEmpty(groups.body.value ?? []);
    expect(group).toEqual({ id: pilots, displayName: 'Pilots' });
    const { body } = await send(`/beta/${policy}`);
    const { authenticationMethodsRegistrationCampaign: before } = body['registrationEnforcement'] as {
      authenticationMethodsRegistrationCampaign: object;
    };
    const campaign = {
      state: 'enabled',
      snoozeDurationInDays: 5,
      enforceRegistrationAfterAllowedSnoozes: true,
      excludeTargets: [],
      includeTargets: [
        { id: group?.['id'], targetType: 'group', targetedAuthenticationMethod: 'microsoftAuthenticator' },
      ],
    };
    expect(Object.keys(before).toSorted()).toEqual(Object.keys(campaign).toSorted());
    const registrationEnforcement = { authenticationMethodsRegistrationCampaign: campaign };
    const changed = await send(`/beta/${policy}`, 'PATCH', { registrationEnforcement });
    expect(changed.status).toBe(200);
    const { body: after } = await send(`/beta/${policy}`);
    expect(after).toMatchObject({ registrationEnforcement });
  });

  test('Maester: reads configurations by key with ConsistencyLevel, and sorts a batch by id', async () => {
    const headers = { ConsistencyLevel: 'eventual' };
    const read = await Promise.all(
      nonEmpty(['Fido2', 'MicrosoftAuthenticator', 'TemporaryAccessPass']).map((id) =>
        send(`/beta/${configurations}('${id}')`, 'GET', undefined, headers),
      ),
    );
    expect(read.map(({ status, body }) => [status, body['id']])).toEqual([
      [200, 'Fido2'],
      [200, 'MicrosoftAuthenticator'],
      [200, 'TemporaryAccessPass'],
    ]);
    expect(read[1]?.body).toMatchObject({
      featureSettings: {
        displayAppInformationRequiredState: { state: 'default' },
        displayLocationInformationRequiredState: { state: 'default' },
        numberMatchingRequiredState: { state: 'default' },
      },
    });
    const parts = await batch([
      { id: '10', method: 'GET', url: policy, headers },
      { id: '2', method: 'GET', url: `/${configurations}`, headers },
    ]);
    expect(
      parts.toSorted((one, other) => Number(one.id) - Number(other.id)).map(({ id, status }) => [id, status]),
    ).toEqual([
      ['2', 200],
      ['10', 200],
    ]);
  });

  test('EntraExporter: exports each configuration, and collections that are not simulated are empty', async () => {
    const ids = [
      'fido2',
      'microsoftAuthenticator',
      'sms',
      'voice',
      'email',
      'softwareOath',
      'temporaryAccessPass',
      'x509Certificate',
    ];
    const parts = await batch(
      nonEmpty(ids).map((id) => ({
        id,
        method: 'GET',
        url: `/${configurations}/${id}`,
        headers: { ConsistencyLevel: 'eventual' },
      })),
      '/v1.0',
    );
    expect(parts.map(({ status, body }) => [status, String(body?.['id']).toLowerCase()])).toEqual(
      ids.map((id) => [200, id.toLowerCase()]),
    );
    const collections = ['identity/conditionalAccess/policies', 'servicePrincipals', 'subscribedSkus', 'domains'];
    for (const collection of nonEmpty(collections)) {
      const reply = await send(`/beta/${collection}`);
      expect([reply.status, reply.body.value, reply.headers.get('nudgelab-not-simulated')]).toEqual([200, [], 'true']);
    }
  });

  test('Microsoft365DSC: sets each configuration from what it read, finds groups by name, and resets', async () => {
    const found = await send(`/v1.0/groups?$filter=displayName eq 'Pilots'`);
    expect(found.body.value?.map(({ id }) => id)).toEqual([pilots]);
    const { body } = await send(`/beta/${configurations}/Sms`);
    const { '@odata.context': _context, 'includeTargets@odata.context': _targets, ...desired } = body;
    const wanted = {
      ...desired,
      '@odata.type': '#microsoft.graph.smsAuthenticationMethodConfiguration',
      state: 'enabled',
      includeTargets: [{ targetType: 'group', id: pilots, isRegistrationRequired: false, isUsableForSignIn: true }],
    };
    expect((await send(`/beta/${configurations}/Sms`, 'PATCH', wanted)).status).toBe(204);
    expect((await send(`/beta/${configurations}/Sms`)).body).toMatchObject(wanted);
    expect((await send(`/beta/${configurations}/Sms`, 'DELETE')).status).toBe(204);
    const external = await send(`/beta/${configurations}`, 'POST', {
      '@odata.type': '#microsoft.graph.externalAuthenticationMethodConfiguration',
      displayName: 'Duo',
      state: 'disabled',
      appId: pilots,
      openIdConnectSetting: { clientId: 'duo', discoveryUrl: 'https://duo.example/.well-known/openid-configuration' },
      includeTargets: [{ targetType: 'group', id: 'all_users', isRegistrationRequired: false }],
      excludeTargets: [],
    });
    expect(external.status).toBe(201);
    const { body: listed } = await send(`/beta/${policy}`);
    const names = (listed['authenticationMethodConfigurations'] as readonly { displayName?: string }[]).flatMap(
      ({ displayName }) => displayName ?? [],
    );
    expect(names).toEqual(['Duo']);
    expect((await send(`/beta/${configurations}/${String(external.body['id'])}`, 'DELETE')).status).toBe(204);
  });

  test('ScubaGear: reads the whole policy with the contexts of targets, and the tenant', async () => {
    const { body } = await send(`/beta/${policy}`);
    const listed = nonEmpty(body['authenticationMethodConfigurations'] as readonly Readonly<Record<string, unknown>>[]);
    for (const configuration of listed) {
      expect(configuration['includeTargets@odata.context']).toContain(
        `authenticationMethodConfigurations('${String(configuration['id'])}')/microsoft.graph.`,
      );
    }
    expect(listed.map(({ id }) => id)).toEqual([
      'Fido2',
      'MicrosoftAuthenticator',
      'Sms',
      'Voice',
      'SoftwareOath',
      'HardwareOath',
      'TemporaryAccessPass',
      'Email',
      'X509Certificate',
      'QRCodePin',
      'VerifiableCredentials',
    ]);
    expect(body).toMatchObject({ policyMigrationState: 'migrationComplete' });
    const { body: tenant } = await send('/v1.0/organization');
    expect(tenant.value).toHaveLength(1);
  });
});
