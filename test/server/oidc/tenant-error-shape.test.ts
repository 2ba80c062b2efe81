import { SignJWT } from 'jose';
import { describe, expect, it } from 'vitest';
import { answerAt, appBrowser } from './relying-party.ts';
import { getAuthorizeUrl, type JsonAnswer, postForm, type TenantServer, tenantServer } from './tenant-server.ts';

const secret = 'a secret of more than 32 bytes, for tests';
const clients = [
  { id: 'test-public', kind: 'public', anyLoopbackRedirect: true },
  { id: 'job', kind: 'service', secret, authMethods: ['client_secret_jwt'], appRoles: ['Policy.Read.All'] },
];

const tokenUrl = ({ at }: TenantServer) => `${at()}/oauth2/v2.0/token`;

/** Keys of an error of the public service, without those that are optional. */
const errorKeys = ['correlation_id', 'error', 'error_codes', 'error_description', 'timestamp', 'trace_id'];

const assertionType = 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer';

const unknownScope = 'openid api://nowhere/Read';

/** Requests that different parts of the server reject. */
const rejected: readonly (readonly [string, (server: TenantServer) => Promise<JsonAnswer>, number | null])[] = [
  [
    'a scope',
    ({ at }) =>
      postForm(`${at()}/oauth2/v2.0/par`, {
        client_id: 'test-public',
        redirect_uri: 'http://localhost:9/callback',
        response_type: 'code',
        code_challenge: 'x'.repeat(43),
        code_challenge_method: 'S256',
        scope: unknownScope,
      }),
    70011,
  ],
  [
    'the origin of a page',
    (server) => postForm(tokenUrl(server), { client_id: 'test-public' }, { origin: 'https://evil.example' }),
    90004,
  ],
  [
    'the header of a client',
    (server) => postForm(tokenUrl(server), { grant_type: 'client_credentials' }, { authorization: 'Basic !!!' }),
    90004,
  ],
  [
    'an assertion of another client',
    async (server) => {
      const exp = Math.floor(server.sandbox.clock.nowMs() / 1000) + 60;
      const claims = { iss: 'job', sub: 'job', aud: tokenUrl(server), jti: 'one', exp };
      const signed = await new SignJWT(claims).setProtectedHeader({ alg: 'HS256' }).sign(Buffer.from(secret));
      return postForm(tokenUrl(server), {
        grant_type: 'client_credentials',
        client_id: 'test-public',
        client_assertion_type: assertionType,
        client_assertion: signed,
      });
    },
    700027,
  ],
  [
    'the method of the request',
    async (server) => {
      const response = await fetch(tokenUrl(server));
      const body = (await response.json()) as Record<string, unknown>;
      return { status: response.status, body, headers: response.headers };
    },
    null,
  ],
];

describe('CL18: shape of errors', () => {
  it.each(rejected)(
    'an error about %s has the keys of the public service, and no others',
    async (_name, send, number) => {
      const { status, body } = await send(await tenantServer({ clients, settings: { dialect: 'entra' } }));
      expect(Object.keys(body).toSorted()).toEqual(errorKeys);
      expect(status === 401).toBe(body['error'] === 'invalid_client');
      expect(body['error_codes']).toEqual(number === null ? [] : [number]);
    },
  );

  it('a text that is no assertion is a failed authentication, as an assertion of another client', async () => {
    const server = await tenantServer({ clients, settings: { dialect: 'entra' } });
    const { status, body } = await postForm(tokenUrl(server), {
      grant_type: 'client_credentials',
      client_id: 'job',
      client_assertion_type: assertionType,
      client_assertion: 'a.b.c',
    });
    expect([status, body['error'], body['error_codes']]).toEqual([401, 'invalid_client', [700027]]);
  });

  it.each(['query', 'fragment'])(
    'a redirect by %s names the rejected scope only in its text',
    async (response_mode) => {
      const { at } = await tenantServer({ clients });
      const answer = answerAt(await appBrowser().load(getAuthorizeUrl(at(), { scope: unknownScope, response_mode })));
      expect(Object.keys(answer).toSorted()).toEqual(['error', 'error_description', 'iss', 'state']);
      expect(answer).toMatchObject({
        error: 'invalid_scope',
        error_description: expect.stringContaining('api://nowhere'),
      });
    },
  );

  it('a form names the rejected scope only in its text', async () => {
    const { at } = await tenantServer({ clients });
    const url = getAuthorizeUrl(at(), { scope: unknownScope, response_mode: 'form_post' });
    const { text } = await appBrowser().load(url);
    expect(text).toContain('name="error" value="invalid_scope"');
    expect(text).not.toContain('name="scope"');
  });

  it.each([
    ['/oauth2/v2.0/logout?id_token_hint=damaged', 'AADSTS90004: could not decode'],
    ['/oauth2/v2.0/authorize', 'AADSTS900144: '],
  ])('the page at %s shows %s', async (path, text) => {
    const { at } = await tenantServer({ clients, settings: { dialect: 'entra' } });
    const page = await appBrowser().load(`${at()}${path}`);
    expect(page.status).toBe(400);
    expect(page.text.toLowerCase()).toContain(text.toLowerCase());
  });

  it('names of parameters and values keep their spelling, and other sentences begin with a capital letter', async () => {
    const server = await tenantServer({ clients });
    const parameters = { redirect_uri: 'https://evil.example/', response_type: 'code', scope: 'openid' };
    const answers = [
      await postForm(`${server.at()}/oauth2/v2.0/par`, { client_id: 'test-public', ...parameters }),
      await postForm(tokenUrl(server), {
        client_id: 'test-public',
        grant_type: 'refresh_token',
        refresh_token: 'none',
      }),
    ];
    expect(answers.map(({ body }) => String(body['error_description']).split(' ', 1)[0])).toEqual([
      'redirect_uri',
      'Grant',
    ]);
  });
});
