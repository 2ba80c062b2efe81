import { expect, it, onTestFinished } from 'vitest';
import { key, keyedServer } from '../access/keyed-server.ts';
import { oidcServer } from './oidc-server.ts';
import { greedy, ownToken, permission, type Registered, register } from './registering.ts';
import { answerAt, appBrowser, application, RelyingParty } from './relying-party.ts';

/** Returns the statuses of reading and writing the policy. */
async function policyStatuses(issuer: string, token: string): Promise<readonly number[]> {
  const url = `${issuer}/v1.0/policies/authenticationMethodsPolicy`;
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
  const body = JSON.stringify({ policyMigrationState: 'preMigration' });
  return [(await fetch(url, { headers })).status, (await fetch(url, { method: 'PATCH', headers, body })).status];
}

it.each([undefined, permission, 'Policy.Read.All'])(
  '067: a dynamically registered client has no application role, and changes nothing by client credentials (%s)',
  async (scope) => {
    const { issuer, sandbox } = await oidcServer();
    const { body: client } = await register(issuer);
    const before = sandbox.entryCount;
    const { status, body } = await ownToken(issuer, client, scope);
    if (scope === undefined) expect(await policyStatuses(issuer, body.access_token)).toEqual([403, 403]);
    else expect([status, body.error]).toEqual([400, 'invalid_scope']);
    expect(sandbox.entryCount).toBe(before);
  },
);

it('067: a dynamically registered client has no role after updating its registration', async () => {
  const { issuer } = await oidcServer();
  const { body: client } = await register(issuer, {
    redirect_uris: [application],
    grant_types: ['client_credentials'],
  });
  const changed = await fetch(client.registration_client_uri, {
    method: 'PUT',
    headers: { authorization: `Bearer ${client.registration_access_token}`, 'content-type': 'application/json' },
    body: JSON.stringify({ ...greedy, client_id: client.client_id, client_secret: client.client_secret }),
  });
  expect(changed.status).toBe(200);
  expect((await ownToken(issuer, client, permission)).body.error).toBe('invalid_scope');
});

it('067: delegated permissions of a dynamically registered client require user consent; a sign-in does not', async () => {
  const { issuer } = await oidcServer();
  const { body: client } = await register(issuer);
  const party = await RelyingParty.discover(issuer, { id: client.client_id, secret: client.client_secret });
  const browser = appBrowser();
  const tokens = await party.signIn(browser, { scope: 'openid profile' });
  expect(tokens.scope).toBe('openid profile');
  const request = await party.ask({ scope: `openid ${permission}` });
  const consent = await browser.load(request.url);
  expect(consent.page?.name).toBe('consent');
  const silent = await party.ask({ scope: `openid ${permission}`, prompt: 'none' });
  expect(answerAt(await browser.load(silent.url))['error']).toBe('consent_required');
  const granted = await party.redeem(await browser.press(consent, 'Accept'), request);
  expect(granted.scope).toBe(`openid ${permission}`);
  const again = await party.ask({ scope: `openid ${permission}`, prompt: 'none' });
  expect(answerAt(await browser.load(again.url))['code']).toBeTypeOf('string');
});

it('067: clients of a fixture keep their roles and the consent of their administrator', async () => {
  const roles = ['Policy.Read.All' as const];
  const clients = [
    { id: 'job', kind: 'service' as const, secret: 'right-secret', appRoles: roles },
    { id: 'test-public', kind: 'public' as const, permissions: roles, anyLoopbackRedirect: true },
  ];
  const { issuer } = await oidcServer({ clients });
  const job = { client_id: 'job', client_secret: 'right-secret' } as Registered;
  const { body } = await ownToken(issuer, job, roles[0]);
  expect(await policyStatuses(issuer, body.access_token)).toEqual([200, 403]);
  const tokens = await (await RelyingParty.discover(issuer)).signIn(appBrowser(), { scope: `openid ${roles[0]}` });
  expect(tokens.scope).toBe(`openid ${roles[0]}`);
});

/** Starts a server with a control key for the duration of a test. */
async function guarded(options: Parameters<typeof keyedServer>[1] = {}): Promise<string> {
  const { server, sandboxes } = await keyedServer(key, options);
  onTestFinished(async () => {
    await server.close();
    await sandboxes.close();
  });
  return server.baseUrl;
}

it.each([undefined, 'Bearer wrong-key-of-the-server', `Basic ${btoa(`x:${key}`)}`, 'Bearer', `Bearer ${key}x`])(
  'registration-key-required: a server with a control key rejects a registration with %j',
  async (authorization) => {
    const issuer = await guarded();
    const { response, body } = await register(issuer, greedy, authorization === undefined ? {} : { authorization });
    expect([response.status >= 400 && response.status <= 401, body.client_id]).toEqual([true, undefined]);
    if (response.status === 401) {
      expect(body).toMatchObject({ error: 'invalid_token', code: 'registration-key-required' });
      expect(response.headers.get('www-authenticate')).toMatch(/^Bearer/);
    }
  },
);

it('registration-key-required: without a token the response is 401, for any spelling of the path', async () => {
  const issuer = await guarded();
  expect((await register(issuer)).response.status).toBe(401);
  for (const path of [
    '/OAuth2/Register',
    '/oauth2/register/',
    '/oauth2/%72egister',
    '/oauth2//register',
    '/s/default/oauth2/register',
  ]) {
    const response = await fetch(`${issuer}${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(greedy),
    });
    expect([path, response.status]).not.toEqual([path, 201]);
  }
});

it('067: the control key registers a client, which manages itself with its own token', async () => {
  const issuer = await guarded();
  const { response, body } = await register(issuer, greedy, { authorization: `Bearer ${key}` });
  expect(response.status).toBe(201);
  const headers = { authorization: `Bearer ${body.registration_access_token}` };
  expect((await fetch(body.registration_client_uri, { headers })).status).toBe(200);
  expect((await ownToken(issuer, body, permission)).body.error).toBe('invalid_scope');
});

it('067: a server with open registration, or without a control key, registers any client', async () => {
  expect((await register(await guarded({ openRegistration: true }))).response.status).toBe(201);
  expect((await register((await oidcServer()).issuer)).response.status).toBe(201);
});

it('too-many-requests: registration does not allow additional guesses of the control key', async () => {
  const issuer = await guarded();
  const statuses: number[] = [];
  for (let guess = 0; guess < 12; guess += 1) {
    const { response } = await register(issuer, greedy, { authorization: `Bearer a-wrong-control-key-${guess}` });
    statuses.push(response.status);
  }
  expect(statuses).toEqual([...new Array(10).fill(401), 429, 429]);
  const { response } = await register(issuer, greedy, { authorization: `Bearer ${key}` });
  expect([response.status, Number(response.headers.get('retry-after')) > 0]).toEqual([429, true]);
  const control = await fetch(`${issuer}/_control/v1/sandboxes`, { headers: { authorization: `Bearer ${key}` } });
  expect(control.status).toBe(429);
});
