import { beforeEach, expect, test } from 'vitest';
import { planSandbox, type Sandbox } from '../../../src/sandbox/sandbox.ts';
import type { TokenRequest } from '../../../src/sandbox/token-service.ts';
import { setTestServer } from '../../test-server.ts';

const server = setTestServer();
let sandbox: Sandbox;
let made = 0;

beforeEach(async () => {
  made += 1;
  const users = [
    { id: 'ada', methods: ['sms', 'voice'] },
    { id: 'helen', methods: ['sms'] },
  ];
  sandbox = await server.sandboxes.create(`log-${made}`, planSandbox({ users }));
});

const everything = [
  'UserAuthenticationMethod.ReadWrite.All',
  'User.Read.All',
  'Policy.Read.All',
  'Policy.ReadWrite.AuthenticationMethod',
];
const tool: TokenRequest = { app: 'deployment', permissions: everything };
const policy = '/v1.0/policies/authenticationMethodsPolicy';
const mobile = '/users/ada/authentication/phoneMethods/3179e48a-750b-4051-897c-87b9720928f7';
const campaign = {
  registrationEnforcement: { authenticationMethodsRegistrationCampaign: { state: 'disabled' } },
};

const passkeys = {
  '@odata.type': '#graph.fido2AuthenticationMethodConfiguration',
  isSelfServiceRegistrationAllowed: false,
};

async function send(method: string, path: string, as: TokenRequest | null, body?: object): Promise<void> {
  const token = as === null ? null : (await sandbox.tokens.issue(as)).access_token;
  await fetch(`${server.baseUrl}/s/${sandbox.id}${path}`, {
    method,
    headers: { 'content-type': 'application/json', ...(token === null ? {} : { authorization: `Bearer ${token}` }) },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
}

/** Returns the logged requests of administrators' tools: status, user, client, and types of the journal entries. */
async function listLogged(): Promise<readonly unknown[]> {
  const response = await fetch(`${server.controlUrl}/sandboxes/${sandbox.id}/requests?administration=true&limit=10`);
  const { requests } = (await response.json()) as {
    requests: readonly { status: number; userId: string | null; client: string | null; entries?: readonly number[] }[];
  };
  const journal = await sandbox.journal({ after: 0, limit: 100 });
  const getType = (seq: number) => journal.find((entry) => entry.seq === seq)?.event.type;
  return requests.map(({ status, userId, client, entries }) => [status, userId, client, entries?.map(getType)]);
}

test.for<[string, Parameters<typeof send>, unknown]>([
  ['a read', ['GET', '/v1.0/users', tool], [200, null, 'deployment', undefined]],
  ['no token', ['GET', '/beta/users', null], [401, null, null, undefined]],
  ['an unknown path', ['GET', '/v1.0/nonsense', tool], [404, null, null, undefined]],
  ['a missing permission', ['GET', policy, { app: 'reader' }], [403, null, 'reader', undefined]],
  [
    'the token of a user',
    ['GET', '/v1.0/users', { user: 'helen', permissions: everything }],
    [200, 'helen', 'nudgelab-control', undefined],
  ],
  [
    'the token of an administrator who is no user',
    ['GET', '/v1.0/users', { permissions: everything }],
    [200, null, 'nudgelab-control', undefined],
  ],
  ['a change of the policy', ['PATCH', policy, tool, campaign], [200, null, 'deployment', ['tenant.changed']]],
  ['a change of the policy to what it is', ['PATCH', policy, tool, {}], [200, null, 'deployment', undefined]],
  [
    'a changed configuration',
    ['PATCH', `${policy}/authenticationMethodConfigurations/fido2`, tool, passkeys],
    [204, null, 'deployment', ['tenant.changed']],
  ],
  [
    'a removed phone',
    ['DELETE', `/v1.0${mobile}`, tool],
    [204, null, 'deployment', ['method.removed', 'method.removed']],
  ],
  [
    'a batch',
    [
      'POST',
      '/v1.0/$batch',
      tool,
      {
        requests: [
          { id: '1', method: 'DELETE', url: mobile },
          {
            id: '2',
            method: 'PATCH',
            url: policy.slice('/v1.0'.length),
            headers: { 'Content-Type': 'application/json' },
            body: campaign,
          },
        ],
      },
    ],
    [200, null, 'deployment', ['method.removed', 'method.removed', 'tenant.changed']],
  ],
])('request log: %s is logged with its caller and its journal entries', async ([, request, logged]) => {
  await send(...request);
  expect(await listLogged()).toEqual([logged]);
});
