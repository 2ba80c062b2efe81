import { describe, expect, it } from 'vitest';
import { nonEmpty } from '../../non-empty.ts';
import { answerAt, appBrowser, application } from './relying-party.ts';
import { getAuthorizeUrl, postForm, type TenantServer, tenantServer } from './tenant-server.ts';

const clients = [{ id: 'test-public', kind: 'public', anyLoopbackRedirect: true, grants: ['device_code'] }];
const request = {
  client_id: 'test-public',
  redirect_uri: application,
  response_type: 'code',
  code_challenge: 'x'.repeat(43),
  code_challenge_method: 'S256',
};

/** Endpoints that read scopes without a page, by form. */
const endpoints = {
  plain: ({ issuer }: TenantServer) => [`${issuer}/oauth2/par`, `${issuer}/oauth2/device`],
  tenant: ({ at }: TenantServer) => [`${at()}/oauth2/v2.0/par`, `${at()}/oauth2/v2.0/devicecode`],
};

describe('a request without a scope', () => {
  it.each([
    ['tenant', undefined, 'invalid_request', 'AADSTS900144: '],
    ['plain', undefined, 'invalid_scope', 'missing'],
    ['plain', 'Unknown.Read', 'invalid_scope', 'missing'],
  ] as const)('CL18: in the %s form, the scope %s is rejected before any page', async (form, scope, error, text) => {
    const server = await tenantServer({ clients, settings: { dialect: 'entra' } });
    for (const url of nonEmpty(endpoints[form](server))) {
      const { status, body } = await postForm(url, { ...request, ...(scope === undefined ? {} : { scope }) });
      expect([status, body['error']]).toEqual([400, error]);
      expect(body['error_description']).toContain(text);
    }
    const base = form === 'tenant' ? `${server.at()}/oauth2/v2.0/authorize` : `${server.issuer}/oauth2/authorize`;
    const url = `${base}?${new URLSearchParams({ ...request, state: 'mine', ...(scope === undefined ? {} : { scope }) })}`;
    const answer = answerAt(await appBrowser().load(url));
    expect(answer).toMatchObject({ error, state: 'mine', error_description: expect.stringContaining(text) });
  });
});

describe('CL17: claims of the access token, which libraries request with their capabilities', () => {
  const capabilities = { access_token: { xms_cc: { values: ['CP1'] } } };

  it.each([
    ['alone', capabilities],
    ['with others', { ...capabilities, id_token: { acr: null } }],
  ])('%s, are accepted by every endpoint', async (_name, requested) => {
    const server = await tenantServer({ clients });
    const claims = JSON.stringify(requested);
    for (const url of nonEmpty(endpoints.tenant(server))) {
      const { status, body } = await postForm(url, { ...request, scope: 'openid', claims });
      expect([status < 300, body['error']]).toEqual([true, undefined]);
    }
    const signedIn = answerAt(await appBrowser().signIn(getAuthorizeUrl(server.at(), { claims })));
    expect(signedIn['code']).toMatch(/^[\w-]+$/);
  });

  it('damaged claims are still rejected', async () => {
    const server = await tenantServer({ clients });
    for (const url of nonEmpty(endpoints.tenant(server))) {
      const { status, body } = await postForm(url, { ...request, scope: 'openid', claims: '{"access_token":' });
      expect([status, body['error']]).toEqual([400, 'invalid_request']);
    }
  });
});
