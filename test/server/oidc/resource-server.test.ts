import { createServer } from 'node:http';
import * as jose from 'jose';
import * as client from 'openid-client';
import { expect, it, onTestFinished } from 'vitest';
import { runGuide } from './guide-code.ts';
import { oidcServer } from './oidc-server.ts';
import { RelyingParty } from './relying-party.ts';

const clients = [
  {
    id: 'orders-api',
    secret: 'secret',
    redirectUris: ['http://localhost:9/orders'],
    resource: { id: 'orders', uris: ['api://orders'], appRoles: ['Orders.All'] },
  },
  { id: 'nightly', kind: 'service', secret: 's', appRoles: ['Policy.Read.All', 'api://orders/Orders.All'] },
];

interface Guide {
  readonly verify: (authorization: string) => Promise<readonly unknown[]>;
}

/** Starts an API that answers with the roles of its caller, as in the guide. */
async function startApi(issuer: string): Promise<string> {
  const guide = await runGuide<Guide>(
    'docs/how-to/resource-server.md',
    'createRemoteJWKSet',
    { jose },
    {
      'http://localhost:4700': issuer,
    },
  );
  const api = createServer((request, response) => {
    guide.verify(request.headers.authorization ?? '').then(
      (roles) => response.end(JSON.stringify(roles)),
      (error: { readonly code?: string }) => {
        response.statusCode = 401;
        response.end(error.code);
      },
    );
  });
  const { promise, resolve } = Promise.withResolvers<void>();
  api.listen(0, '127.0.0.1', resolve);
  await promise;
  onTestFinished(() => void api.close());
  const address = api.address();
  return `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}/`;
}

it('CL51 jose: an API follows a rotation by requesting the keys for an unknown kid, and rejects other tokens', async () => {
  const server = await oidcServer({ clients, clock: { nowMs: Date.now(), running: true } });
  const { issuer, sandbox } = server;
  const url = await startApi(issuer);
  const { config } = await RelyingParty.discover(issuer, { id: 'nightly', secret: 's' });
  const getToken = async (scope: string) => (await client.clientCredentialsGrant(config, { scope })).access_token;
  const call = async (token: string) => {
    const response = await fetch(url, { headers: { authorization: `Bearer ${token}` } });
    return [response.status, await response.text()];
  };
  const before = await getToken('api://orders/.default');
  expect(await call(before)).toEqual([200, '["Orders.All"]']);
  await sandbox.tokens.rotateKeys();
  const after = await getToken('api://orders/.default');
  expect(jose.decodeProtectedHeader(after).kid).not.toBe(jose.decodeProtectedHeader(before).kid);
  expect([await call(after), await call(before)]).toEqual([
    [200, '["Orders.All"]'],
    [200, '["Orders.All"]'],
  ]);
  expect(await call(await getToken(`${issuer}/.default`))).toEqual([401, 'ERR_JWT_CLAIM_VALIDATION_FAILED']);
  await sandbox.faults.set([{ kind: 'token', fault: 'expired' }]);
  expect(await call(await getToken('api://orders/.default'))).toEqual([401, 'ERR_JWT_EXPIRED']);
});

it('keys missing-active: the API rejects a token of the new key until the key is published', async () => {
  const { issuer, sandbox } = await oidcServer({ clients, clock: { nowMs: Date.now(), running: true } });
  const url = await startApi(issuer);
  const { config } = await RelyingParty.discover(issuer, { id: 'nightly', secret: 's' });
  const { access_token: token } = await client.clientCredentialsGrant(config, { scope: 'api://orders/.default' });
  const getStatus = async () => (await fetch(url, { headers: { authorization: `Bearer ${token}` } })).status;
  await sandbox.faults.set([{ kind: 'keys', fault: 'missing-active' }]);
  expect(await getStatus()).toBe(401);
  await sandbox.faults.clear();
  expect(await getStatus()).toBe(200);
});
