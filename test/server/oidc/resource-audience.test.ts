import { decodeJwt } from 'jose';
import { describe, expect, it } from 'vitest';
import { findProblems } from '../planning-problems.ts';
import { answerAt, appBrowser, application } from './relying-party.ts';
import { getAuthorizeUrl, postForm, redeemCode, signInAt, tenantServer } from './tenant-server.ts';

const ada = { id: 'ada' };
const shop = { id: 'shop', kind: 'public', anyLoopbackRedirect: true };

const graph = 'https://graph.microsoft.com';
const graphId = '00000003-0000-0000-c000-000000000000';

describe('audience and URIs of the built-in resource', () => {
  it.each([
    ['no URI', 'openid Policy.Read.All', graph],
    ['a URI', `openid ${graph}/Policy.Read.All`, graph],
    ['another case', 'openid HTTPS://Graph.Microsoft.com//Policy.Read.All', graph],
    ['the id', `openid ${graphId}/Policy.Read.All`, graphId],
    ['the id, .default', `openid offline_access ${graphId}/.default`, graphId],
    ['the URL of the sandbox', 'openid {base}/Policy.Read.All', '{base}'],
    ['several: the first', `openid ${graphId}/Policy.Read.All ${graph}/read:document`, graphId],
  ])('CL31 tenant form, %s: aud as the request wrote it, with the same subject', async (_case, sent, aud) => {
    const clients = [{ ...shop, id: 'test-public', permissions: ['Policy.Read.All', 'read:document'] }];
    const { at, issuer } = await tenantServer({ users: [ada], clients, settings: { dialect: 'entra' } });
    const write = (text: string) => text.replaceAll('{base}', issuer);
    const scope = `${write(sent)}${sent.includes('offline_access') ? '' : ' offline_access'}`;
    const { body, browser } = await signInAt(at(), { scope });
    const token = decodeJwt(String(body['access_token']));
    expect(token.aud).toBe(write(aud));
    const { body: bare } = await signInAt(at(), { scope: 'openid Policy.Read.All' }, browser);
    expect(decodeJwt(String(bare['access_token']))).toMatchObject({ aud: graph, sub: token.sub });
    const refresh = { client_id: 'test-public', grant_type: 'refresh_token' };
    const sentToken = { ...refresh, refresh_token: String(body['refresh_token']) };
    const { body: next } = await postForm(`${at()}/oauth2/v2.0/token`, sentToken);
    expect(decodeJwt(String(next['access_token'])).aud).toBe(write(aud));
    const { status } = await fetch(`${issuer}/oauth2/userinfo`, {
      headers: { authorization: `Bearer ${String(body['access_token'])}` },
    });
    expect(status).toBe(200);
  });

  it('CL31 the scope of a token request decides the audience of that token', async () => {
    const clients = [{ ...shop, id: 'test-public', permissions: ['Policy.Read.All'] }];
    const { at } = await tenantServer({ users: [ada], clients, settings: { dialect: 'entra' } });
    const url = getAuthorizeUrl(at(), { scope: `openid ${graph}/Policy.Read.All` });
    const { code = '' } = answerAt(await appBrowser().signIn(url));
    const { body } = await redeemCode(at(), code, { scope: `openid ${graphId}/Policy.Read.All` });
    expect(decodeJwt(String(body['access_token'])).aud).toBe(graphId);
  });

  it.each([
    ['uri', graph, graph],
    ['uri', graphId, graphId],
    ['id', graphId, '{base}'],
    ['uri', 'api://orders', 'api://orders'],
    ['uri', 'api://sales', 'api://sales'],
    ['id', 'api://sales', 'orders'],
  ])('CL31 client credentials, audience %s, %s', async (audience, uri, aud) => {
    const resource = { id: 'orders', uris: ['api://orders', 'api://sales'], appRoles: ['All'] };
    const clients = [
      { id: 'api', secret: 's', redirectUris: [application], resource },
      { id: 'batch', kind: 'service', secret: 's', appRoles: ['Policy.Read.All', 'api://orders/All'] },
    ];
    const { at, issuer } = await tenantServer({ clients, settings: { dialect: 'entra', identity: { audience } } });
    const { body } = await postForm(`${at()}/oauth2/v2.0/token`, {
      grant_type: 'client_credentials',
      client_id: 'batch',
      client_secret: 's',
      scope: `${uri}/.default`,
    });
    expect(decodeJwt(String(body['access_token'])).aud).toBe(aud.replace('{base}', issuer));
  });

  it.each([
    ['a URI', { id: 'orders', uris: ['api://orders', `${graph}/`] }, 'uris.1'],
    ['a URI in another case', { id: 'orders', uris: ['HTTPS://graph.microsoft.com'] }, 'uris.0'],
    ['the id', { id: graphId, uris: ['api://orders'] }, 'id'],
    ['the public URL of the directory', { id: 'orders', uris: ['https://public.example'] }, 'uris.0'],
  ])("CL30 a client's resource cannot have %s of the built-in resource", (_case, resource, at) => {
    const settings = { dialect: 'entra', directory: { publicRoot: 'https://public.example' } };
    const [problem, ...others] = findProblems({ clients: [{ ...shop, resource }], settings });
    expect(problem?.location).toBe(`clients.0.resource.${at}`);
    expect(problem?.message).toContain('names the APIs of the sandbox');
    expect(others).toEqual([]);
  });

  it('CL30 a dialect without such ids leaves them to clients', () => {
    expect(findProblems({ clients: [{ ...shop, resource: { id: 'orders', uris: [graph] } }] })).toEqual([]);
  });
});
