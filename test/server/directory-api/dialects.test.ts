import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { directoryPermissions } from '../../../src/contract/directory-api/access.ts';
import { getDialect } from '../../../src/contract/directory-api/dialect.ts';
import { policyPermissions } from '../../../src/contract/policy-caller.ts';
import { defaultSandboxId } from '../../../src/core/default-sandbox.ts';
import { nameBasedUuid } from '../../../src/core/ids.ts';
import { MemoryStore } from '../../../src/journal/stores/memory.store.ts';
import { planSandbox } from '../../../src/sandbox/sandbox.ts';
import { Sandboxes } from '../../../src/sandbox/sandboxes.ts';
import { type RunningServer, startServer } from '../../../src/server/start.ts';
import { nonEmpty } from '../../non-empty.ts';
import { DirectoryServer, type Reply } from './directory-server.ts';

const permissions = [...Object.values(policyPermissions), ...directoryPermissions];
const policy = 'policies/authenticationMethodsPolicy';
const wireId = (kind: string, id: string) => nameBasedUuid(`${kind}:${id}`);

/** Sandbox whose ids are no GUIDs, with targets of each kind. */
const input = {
  tenant: {
    id: 'acme',
    groups: { pilots: ['staff'] },
    campaign: {
      state: 'enabled',
      includeTargets: [
        { targetType: 'group', id: 'pilots', targetedAuthenticationMethod: 'vendorAuthenticator' },
        { targetType: 'user', id: 'ada', targetedAuthenticationMethod: 'vendorAuthenticator' },
      ],
      excludeTargets: [{ targetType: 'group', id: 'unknown-group' }],
    },
    methodsPolicy: { authenticator: { includeTargets: [{ targetType: 'group', id: 'staff' }] } },
  },
  users: [
    { id: 'ada', groups: ['pilots'] },
    { id: 'ben', groups: ['staff'] },
  ],
};

async function createTool(settings: object): Promise<Tool> {
  const server = await DirectoryServer.start({ ...input, settings });
  const authorization = `Bearer ${await server.token({ app: 'tool', permissions })}`;
  return {
    server,
    send: (path, method = 'GET', body, headers = {}) =>
      server.ask(path, { method, body, headers: { authorization, ...headers } }),
  };
}

interface Tool {
  readonly server: DirectoryServer;
  readonly send: (path: string, method?: string, body?: unknown, headers?: Record<string, string>) => Promise<Reply>;
}

describe('policy in the dialect entra', () => {
  let tool: Tool;
  beforeAll(async () => {
    tool = await createTool({ dialect: 'entra' });
  });
  afterAll(() => tool.server.stop());

  test('DIR6 DIR7: the context of the configurations is selected with them, sent back, and left out on request', async () => {
    const name = 'authenticationMethodConfigurations@odata.context';
    const select = `/v1.0/${policy}?$select=authenticationMethodConfigurations`;
    const { body } = await tool.send(select);
    expect(Object.keys(body)).toEqual(['@odata.context', name, 'authenticationMethodConfigurations']);
    expect((await tool.send(`/v1.0/${policy}`, 'PATCH', { [name]: body[name] })).status).toBe(200);
    expect((await tool.send(`/v1.0/${policy}`, 'PATCH', { [name]: 'other' })).status).toBe(400);
    const plain = await tool.server.ask(select, { headers: { accept: 'application/json;odata.metadata=none' } });
    expect(Object.keys(plain.body)).toEqual(['authenticationMethodConfigurations']);
  });

  test('DIR7 DIR40 DIR91: contexts, names and ids are those of the dialect', async () => {
    const { body } = await tool.send(`/v1.0/${policy}`);
    expect(body).toMatchObject({
      '@odata.context': `${tool.server.url}/v1.0/$metadata#authenticationMethodsPolicy`,
      'authenticationMethodConfigurations@odata.context': `${tool.server.url}/v1.0/$metadata#policies/authenticationMethodsPolicy/authenticationMethodConfigurations`,
      reconfirmationInDays: null,
      registrationEnforcement: {
        authenticationMethodsRegistrationCampaign: {
          includeTargets: [
            { id: wireId('group', 'pilots'), targetedAuthenticationMethod: 'microsoftAuthenticator' },
            { id: wireId('user', 'ada'), targetedAuthenticationMethod: 'microsoftAuthenticator' },
          ],
          excludeTargets: [{ id: wireId('group', 'unknown-group') }],
        },
      },
    });
    const configurations = body['authenticationMethodConfigurations'] as readonly Record<string, unknown>[];
    const app = configurations.find(({ id }) => id === 'MicrosoftAuthenticator');
    expect(app).toMatchObject({
      '@odata.type': '#microsoft.graph.microsoftAuthenticatorAuthenticationMethodConfiguration',
      'includeTargets@odata.context': `${tool.server.url}/v1.0/$metadata#authenticationMethodsPolicy/authenticationMethodConfigurations('MicrosoftAuthenticator')/microsoft.graph.microsoftAuthenticatorAuthenticationMethodConfiguration/includeTargets`,
      includeTargets: [{ id: wireId('group', 'staff') }],
    });
    expect(configurations.map(({ id }) => id)).not.toContain('HardwareOath');
    const { body: beta } = await tool.send(`/beta/${policy}`);
    expect(JSON.stringify(beta)).toContain('"HardwareOath"');
  });

  test.for(['v1.0', 'beta'])('DIR92 %s: GET and PATCH back changes nothing and records nothing', async (version) => {
    const { body } = await tool.send(`/${version}/${policy}`);
    const { seq } = tool.server.sandbox.directoryRequests.view;
    const back = await tool.send(`/${version}/${policy}`, 'PATCH', body);
    expect([back.status, back.body]).toEqual([200, body]);
    expect(tool.server.sandbox.directoryRequests.view.seq).toBe(seq);
  });

  test('DIR40 a PATCH that names ids on the wire stores those of the facts; the words of seed are understood', async () => {
    const campaign = {
      includeTargets: [
        {
          '@odata.type': '#microsoft.graph.authenticationMethodsRegistrationCampaignIncludeTarget',
          targetType: 'user',
          id: wireId('user', 'ben').toUpperCase(),
          targetedAuthenticationMethod: 'vendorAuthenticator',
        },
        { targetType: 'group', id: 'staff', targetedAuthenticationMethod: 'MICROSOFTAUTHENTICATOR' },
      ],
    };
    const body = { registrationEnforcement: { authenticationMethodsRegistrationCampaign: campaign } };
    const changed = await tool.send(`/v1.0/${policy}`, 'PATCH', body);
    expect([changed.status, changed.body.error]).toEqual([200, undefined]);
    expect(tool.server.sandbox.directory.tenant().campaign.includeTargets).toEqual([
      { targetType: 'user', id: 'ben', targetedAuthenticationMethod: 'vendorAuthenticator' },
      { targetType: 'group', id: 'staff', targetedAuthenticationMethod: 'vendorAuthenticator' },
    ]);
    const wrong = { includeTargets: [{ ...campaign.includeTargets[0], id: 'no-user' }] };
    const refused = await tool.send(`/v1.0/${policy}`, 'PATCH', {
      registrationEnforcement: { authenticationMethodsRegistrationCampaign: wrong },
    });
    expect([refused.status, refused.body.error?.code]).toEqual([400, 'badRequest']);
    expect(refused.body.error?.message).toContain('"no-user" is not a GUID or "all_users"');
  });

  test('DIR53 DIR54 a PATCH of passkeys is what the next verdict reads, and unknown AAGUIDs are a warning', async () => {
    const aaGuids = ['2FC0579F-8113-47EA-B116-BB5A8DB9202A', '11111111-2222-4333-8444-555555555555'];
    const path = `/v1.0/${policy}/authenticationMethodConfigurations/fido2`;
    const changed = await tool.send(path, 'PATCH', {
      '@odata.type': '#microsoft.graph.fido2AuthenticationMethodConfiguration',
      keyRestrictions: { isEnforced: true, enforcementType: 'allow', aaGuids },
    });
    expect(changed.status).toBe(204);
    const { fido2 } = tool.server.sandbox.directory.tenant().methodsPolicy;
    expect(fido2.keyRestrictions).toEqual({ type: 'allow', kinds: ['security-key'] });
    expect((await tool.send(path)).body).toMatchObject({ keyRestrictions: { aaGuids } });
    const warnings = tool.server.sandbox.directory.warnings().filter(({ code }) => code === 'unknown-aaguid');
    expect(warnings.map(({ message }) => message)).toEqual([expect.stringContaining('11111111-2222')]);
  });

  test('DIR90 error codes and the time are those of the dialect', async () => {
    const answers = [
      await tool.send('/v1.0/nothing'),
      await tool.send('/v1.0/policies/nothing'),
      await tool.send('/v1.0/identity/conditionalAccess/policies'),
      await tool.send(`/v1.0/${policy}?$top=1`),
      await tool.send('/v1.0/users?$top=x'),
      await tool.send('/v1.0/users/no-user'),
      await tool.send('/v1.0/users', 'POST', {}),
      await tool.send('/v1.0/users', 'GET', undefined, { authorization: 'Bearer none' }),
    ];
    expect(answers.map(({ status, body }) => [status, body.error?.code])).toEqual([
      [400, 'BadRequest'],
      [400, 'BadRequest'],
      [400, 'BadRequest'],
      [400, 'badRequest'],
      [400, 'Request_UnsupportedQuery'],
      [404, 'Request_ResourceNotFound'],
      [405, 'Request_BadRequest'],
      [401, 'InvalidAuthenticationToken'],
    ]);
    expect(answers[0]?.body.error).toMatchObject({
      innerError: { date: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d$/) },
    });
    expect(answers[0]?.body.error?.message).toContain("Resource not found for the segment 'nothing'.");
  });
});

test('DIR50 betaOnly leaves the properties of beta out of v1.0, and rejects them there', async () => {
  const tool = await createTool({ directory: { betaOnly: true } });
  const { body } = await tool.send(`/v1.0/${policy}`);
  const { body: beta } = await tool.send(`/beta/${policy}`);
  expect(Object.keys(beta).filter((name) => !Object.hasOwn(body, name))).toEqual([
    'systemCredentialPreferences',
    'reportSuspiciousActivitySettings',
  ]);
  expect(JSON.stringify(body)).not.toContain('enforceRegistrationAfterAllowedSnoozes');
  const refused = await tool.send(`/v1.0/${policy}`, 'PATCH', { systemCredentialPreferences: { state: 'enabled' } });
  expect([refused.status, refused.body.error?.message]).toEqual([400, expect.stringContaining('/beta only')]);
  expect((await tool.send(`/v1.0/${policy}`, 'PATCH', body)).status).toBe(200);
  await tool.server.stop();
});

test('DIR92 DIR93 the same sandbox in two dialects differs in names alone, and switching changes no state', async () => {
  const tool = await createTool({ dialect: 'entra', directory: { wireIds: 'facts' } });
  const { sandbox } = tool.server;
  const read = async (): Promise<readonly string[]> => {
    const paths = [
      `/beta/${policy}`,
      '/v1.0/users?$expand=memberOf',
      '/v1.0/groups',
      '/v1.0/users/ada/authentication/methods',
    ];
    const replies = await Promise.all(nonEmpty(paths).map((path) => tool.send(path)));
    return replies.map(({ text }) => text);
  };
  const entra = await read();
  const [version, etag] = [sandbox.directory.tenantVersion(), sandbox.directory.tenant()];
  await sandbox.directory.patchSettings({ dialect: 'seed' }, 'control-api');
  const seed = await read();
  expect([sandbox.directory.tenantVersion(), sandbox.directory.tenant()]).toEqual([version, etag]);
  const further = new Set(['X509Certificate', 'QRCodePin', 'VerifiableCredentials']);
  // The public service also returns these properties of groups and roles, which have no value here.
  const { groupProperties: group, roleProperties: role } = getDialect({ dialect: 'entra', authenticatorWireName: '' })
    .data.shownProperties;
  const withoutValue = new Set([...(group?.always ?? []), ...(role?.always ?? [])]);
  const toSeed = (text: string): unknown => {
    const plain = text
      .replaceAll('microsoft.graph.', 'graph.')
      .replaceAll('microsoftAuthenticator', 'vendorAuthenticator')
      .replaceAll('MicrosoftAuthenticator', 'VendorAuthenticator');
    return JSON.parse(plain, (key, value: unknown) => {
      if (key.endsWith('@odata.context') || key === 'reconfirmationInDays') return undefined;
      if (withoutValue.has(key) && (value === null || (Array.isArray(value) && value.length === 0))) return undefined;
      return key === 'authenticationMethodConfigurations'
        ? (value as readonly { id: string }[]).filter(({ id }) => !further.has(id))
        : value;
    });
  };
  expect(entra.map(toSeed)).toEqual(seed.map(toSeed));
  expect(entra).not.toEqual(seed);
  await tool.server.stop();
});

test('DIR92 property: in generated tenants, what is read can be sent back without a change', async () => {
  const target = fc.record({
    targetType: fc.constantFrom('user', 'group'),
    id: fc.constantFrom('ada', 'pilots', 'unknown', '4d8c2f10-6a3e-4b57-9c21-7e5f0a9b1c01'),
  });
  const targets = fc.uniqueArray(target, { selector: (one) => `${one.targetType}:${one.id}`, maxLength: 4 });
  const restrictions = fc.option(
    fc.record({
      type: fc.constantFrom('allow', 'block'),
      kinds: fc.uniqueArray(fc.constantFrom('security-key', 'keychain', 'windows-bound')),
    }),
  );
  const tenants = fc.record({
    groups: fc.constant({ pilots: ['staff'] }),
    methodsPolicy: fc.record({
      authenticator: fc.record({
        state: fc.constantFrom('enabled', 'disabled'),
        includeTargets: targets,
        excludeTargets: targets,
      }),
      fido2: fc.record({
        selfService: fc.boolean(),
        keyRestrictions: restrictions,
        profiles: fc.uniqueArray(
          fc.record({
            id: fc.constantFrom('one', 'two'),
            passkeyTypes: fc.constantFrom('any', 'synced', 'deviceBound'),
            attestationEnforced: fc.boolean(),
            keyRestrictions: restrictions,
          }),
          { selector: ({ id }) => id },
        ),
      }),
    }),
  });
  await fc.assert(
    fc.asyncProperty(tenants, fc.constantFrom('seed', 'entra'), async (tenant, dialect) => {
      const server = await DirectoryServer.start({ tenant, users: [{ id: 'ada' }], settings: { dialect } });
      try {
        const authorization = `Bearer ${await server.token({ app: 'tool', permissions })}`;
        const send = (path: string, method: string, body?: unknown) =>
          server.ask(`/beta/${path}`, { method, body, headers: { authorization } });
        const before = server.sandbox.directory.tenant();
        const { seq } = server.sandbox.directoryRequests.view;
        const { body } = await send(policy, 'GET');
        expect((await send(policy, 'PATCH', body)).status).toBe(200);
        const { body: listed } = await send(`${policy}/authenticationMethodConfigurations`, 'GET');
        for (const configuration of nonEmpty(listed.value ?? [])) {
          const path = `${policy}/authenticationMethodConfigurations/${String(configuration['id'])}`;
          const reply = await send(path, 'PATCH', configuration);
          expect([reply.status, reply.text]).toEqual([204, '']);
        }
        expect(server.sandbox.directoryRequests.view.seq).toBe(seq);
        expect(server.sandbox.directory.tenant()).toEqual(before);
      } finally {
        await server.stop();
      }
    }),
    { seed: 20_261_124, numRuns: 25 },
  );
});

describe('DIR3 sandbox with a port of its own', () => {
  let server: RunningServer;
  let authorization: string;
  beforeAll(async () => {
    const sandboxes = await Sandboxes.open(new MemoryStore());
    await sandboxes.create(defaultSandboxId, planSandbox({ users: [{ id: 'ada' }] }));
    const lab = await sandboxes.create('lab', planSandbox({ users: [{ id: 'cleo' }, { id: 'dan' }] }));
    server = await startServer({ sandboxes, port: 0, boundPorts: [{ sandboxId: 'lab', port: 0 }] });
    authorization = `Bearer ${(await lab.tokens.issue({ app: 'tool', permissions })).access_token}`;
  });
  afterAll(() => server.close());

  test('DIR3 DIR10 the prefix and the port answer alike, and URLs in responses start with the address of the request', async () => {
    const [bound] = server.boundUrls;
    expect(bound?.sandboxId).toBe('lab');
    const roots = [`${bound?.baseUrl}`, `${bound?.baseUrl}/s/lab`, `${server.baseUrl}/s/lab`];
    const bodies: unknown[] = [];
    for (const root of nonEmpty(roots)) {
      const response = await fetch(`${root}/v1.0/users?$top=1&$select=id`, { headers: { authorization } });
      expect(response.status).toBe(200);
      const body = (await response.json()) as { '@odata.nextLink': string; value: unknown };
      expect(body['@odata.nextLink'].startsWith(`${root}/v1.0/users?`)).toBe(true);
      const rest = await fetch(body['@odata.nextLink'], { headers: { authorization } });
      bodies.push([body.value, ((await rest.json()) as { value: unknown }).value]);
    }
    expect(bodies).toEqual(roots.map(() => [[{ id: 'cleo' }], [{ id: 'dan' }]]));
  });

  test('DIR3 pages, discovery and shared files are at the port too', async () => {
    const root = server.boundUrls[0]?.baseUrl ?? '';
    const page = await fetch(`${root}/sign-in`);
    expect([page.status, page.headers.get('content-type')]).toEqual([200, expect.stringContaining('text/html')]);
    const discovery = await fetch(`${root}/.well-known/openid-configuration`);
    expect(((await discovery.json()) as { issuer: string }).issuer).toBe(root);
    expect((await fetch(`${root}/_control/v1/sandboxes/lab`)).status).toBe(200);
    expect((await fetch(`${root}/common/v2.0/.well-known/openid-configuration`)).status).toBe(200);
  });
});
