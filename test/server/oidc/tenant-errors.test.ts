import { describe, expect, it } from 'vitest';
import { nonEmpty } from '../../non-empty.ts';
import { answerAt, appBrowser, application } from './relying-party.ts';
import {
  getAuthorizeUrl,
  type JsonAnswer,
  postForm,
  redeemCode,
  signInAt,
  type TenantServer,
  tenantServer,
} from './tenant-server.ts';

const clients = [
  {
    id: 'library',
    secret: 'secret',
    anyLoopbackRedirect: true,
    resource: { id: 'library', uris: ['api://library'], scopes: ['Read'], appRoles: [] },
  },
  { id: 'test-public', kind: 'public', anyLoopbackRedirect: true },
  { id: 'browser', kind: 'public', spa: true, anyLoopbackRedirect: true },
  { id: 'consent', kind: 'public', consent: 'required', anyLoopbackRedirect: true },
  { id: 'modest', kind: 'public', permissions: ['Policy.Read.All'], anyLoopbackRedirect: true },
  { id: 'site', secret: 'secret', appRoles: ['Policy.Read.All'], anyLoopbackRedirect: true },
  { id: 'user-site', secret: 'secret', anyLoopbackRedirect: true },
  { id: 'television', kind: 'public', grants: ['device_code'] },
];

const day = 86_400_000;

/** Requests of a program and the expected error. */
interface Refusal {
  readonly status: number;
  readonly error: string;
  readonly number: number | null;
}

type Attempt = (server: TenantServer) => Promise<JsonAnswer>;

const refused = (status: number, error: string, number: number | null): Refusal => ({ status, error, number });

const atToken =
  (form: Readonly<Record<string, string>>): Attempt =>
  ({ at }) =>
    postForm(`${at()}/oauth2/v2.0/token`, form);

/** Returns a new refresh token of a client. */
async function getRefreshToken({ at }: TenantServer, client_id = 'test-public'): Promise<string> {
  const { code = '' } = answerAt(await appBrowser().signIn(getAuthorizeUrl(at(), { client_id })));
  const { body } = await redeemCode(at(), code, { client_id });
  return String(body['refresh_token']);
}

const refresh = ({ at }: TenantServer, refresh_token: string, client_id = 'test-public') =>
  postForm(`${at()}/oauth2/v2.0/token`, { client_id, grant_type: 'refresh_token', refresh_token });

async function getCode({ at }: TenantServer): Promise<string> {
  return answerAt(await appBrowser().signIn(getAuthorizeUrl(at())))['code'] ?? '';
}

const advance = (server: TenantServer, byMs: number) => server.sandbox.clock.advance({ ms: byMs });

const begin = async ({ at }: TenantServer) => {
  const form = { client_id: 'television', scope: 'openid' };
  return (await postForm(`${at()}/oauth2/v2.0/devicecode`, form)).body;
};

const poll = ({ at }: TenantServer, device_code: string) =>
  postForm(`${at()}/oauth2/v2.0/token`, { client_id: 'television', grant_type: 'device_code', device_code });

const assertion = {
  client_assertion_type: 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer',
  client_assertion: `${btoa('{"alg":"RS256"}')}.${btoa('{"sub":"site"}')}.AAAA`,
};

const own = { grant_type: 'client_credentials' };

/** Rows of the table of CL18 for the endpoints of programs. */
const rows: readonly (readonly [string, Attempt, Refusal])[] = [
  [
    'tenant unknown',
    ({ at }) => postForm(`${at('fabrikam.example')}/oauth2/v2.0/token`, {}),
    refused(400, 'invalid_request', 90002),
  ],
  [
    'client unknown',
    atToken({ ...own, client_id: 'nobody', client_secret: 'x' }),
    refused(400, 'unauthorized_client', 700016),
  ],
  [
    'secret wrong',
    atToken({ ...own, client_id: 'site', client_secret: 'wrong' }),
    refused(401, 'invalid_client', 7000215),
  ],
  ['secret missing', atToken({ ...own, client_id: 'site' }), refused(401, 'invalid_client', 7000218)],
  ['assertion bad', atToken({ ...own, client_id: 'site', ...assertion }), refused(401, 'invalid_client', 700027)],
  [
    'public client sends a secret',
    atToken({ ...own, client_id: 'test-public', client_secret: 'x' }),
    refused(401, 'invalid_client', 700025),
  ],
  [
    'scope unknown, device',
    ({ at }) => postForm(`${at()}/oauth2/v2.0/devicecode`, { client_id: 'television', scope: 'openid api://no/x' }),
    refused(400, 'invalid_scope', 70011),
  ],
  [
    'client credentials without .default',
    atToken({ ...own, client_id: 'site', client_secret: 'secret', scope: 'Policy.Read.All' }),
    refused(400, 'invalid_scope', 1002012),
  ],
  [
    'client credentials without a scope',
    atToken({ ...own, client_id: 'site', client_secret: 'secret' }),
    refused(400, 'invalid_scope', 1002012),
  ],
  [
    'client credentials with OpenID scopes alone',
    atToken({ ...own, client_id: 'site', client_secret: 'secret', scope: 'openid profile' }),
    refused(400, 'invalid_scope', 1002012),
  ],
  [
    'client credentials for two resources',
    atToken({
      ...own,
      client_id: 'site',
      client_secret: 'secret',
      scope: 'https://graph.microsoft.com/.default api://library/.default',
    }),
    refused(400, 'invalid_scope', 700022),
  ],
  [
    'scope of no resource, where one is needed',
    atToken({ ...own, client_id: 'site', client_secret: 'secret', scope: 'openid .default' }),
    refused(400, 'invalid_scope', 700023),
  ],
  [
    'two resources',
    async (server) => {
      const token = await getRefreshToken(server);
      const scope = 'Policy.Read.All api://library/Read';
      const form = { client_id: 'test-public', grant_type: 'refresh_token', refresh_token: token, scope };
      return postForm(`${server.at()}/oauth2/v2.0/token`, form);
    },
    refused(400, 'invalid_scope', 700022),
  ],
  [
    'code expired',
    async (server) => {
      const code = await getCode(server);
      await advance(server, day);
      return redeemCode(server.at(), code);
    },
    refused(400, 'invalid_grant', 70008),
  ],
  [
    'code used',
    async (server) => {
      const code = await getCode(server);
      await redeemCode(server.at(), code);
      return redeemCode(server.at(), code);
    },
    refused(400, 'invalid_grant', 54005),
  ],
  [
    'verifier wrong',
    async (server) => redeemCode(server.at(), await getCode(server), { code_verifier: 'x'.repeat(43) }),
    refused(400, 'invalid_grant', 501481),
  ],
  [
    'refresh token expired',
    async (server) => {
      const token = await getRefreshToken(server);
      await advance(server, 91 * day);
      return refresh(server, token);
    },
    refused(400, 'invalid_grant', 700082),
  ],
  [
    'refresh token of a browser client expired',
    async (server) => {
      const token = await getRefreshToken(server, 'browser');
      await advance(server, 2 * day);
      return refresh(server, token, 'browser');
    },
    refused(400, 'invalid_grant', 700084),
  ],
  [
    'refresh token revoked by its second use',
    async (server) => {
      const token = await getRefreshToken(server);
      await refresh(server, token);
      return refresh(server, token);
    },
    refused(400, 'invalid_grant', 50173),
  ],
  ['refresh token unknown', (server) => refresh(server, 'none'), refused(400, 'invalid_grant', 50173)],
  [
    'grant type unknown',
    atToken({ client_id: 'test-public', grant_type: 'magic' }),
    refused(400, 'unsupported_grant_type', 70003),
  ],
  [
    'grant type not the client’s',
    atToken({ ...own, client_id: 'user-site', client_secret: 'secret' }),
    refused(400, 'unauthorized_client', null),
  ],
  [
    'device pending',
    async (server) => poll(server, String((await begin(server))['device_code'])),
    refused(400, 'authorization_pending', 70016),
  ],
  [
    'device declined',
    async (server) => {
      const device = await begin(server);
      const browser = appBrowser();
      const page = await browser.load(String(device['verification_uri']));
      const compared = await browser.press(page, 'Next', { Code: String(device['user_code']) });
      await browser.press(compared, 'Cancel');
      return poll(server, String(device['device_code']));
    },
    refused(400, 'authorization_declined', null),
  ],
  [
    'device expired',
    async (server) => {
      const device = await begin(server);
      await advance(server, 900_000);
      return poll(server, String(device['device_code']));
    },
    refused(400, 'expired_token', 70019),
  ],
  ['device unknown', (server) => poll(server, 'none'), refused(400, 'bad_verification_code', 70018)],
  ['parameter missing', atToken({ client_id: 'test-public' }), refused(400, 'invalid_request', 900144)],
  [
    'parameter missing, code',
    atToken({ client_id: 'test-public', grant_type: 'authorization_code' }),
    refused(400, 'invalid_request', 900144),
  ],
  [
    'parameter malformed',
    ({ at }) =>
      postForm(`${at()}/oauth2/v2.0/par`, {
        client_id: 'test-public',
        max_age: 'long',
        redirect_uri: application,
        response_type: 'code',
        scope: 'openid',
        code_challenge: 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM',
        code_challenge_method: 'S256',
      }),
    refused(400, 'invalid_request', 90004),
  ],
];

const shape =
  /^(AADSTS(\d+): )?(?:["A-Z]|[a-z]+[_.:=]).*\. Trace ID: [\w-]{36} Correlation ID: [\w-]+ Timestamp: \d{4}-\d\d-\d\d \d\d:\d\d:\d\dZ$/;

describe('CL18: errors of programs', () => {
  it.each(nonEmpty(rows))('%s', async (_name, attempt, { status, error, number }) => {
    const server = await tenantServer({ clients, settings: { dialect: 'entra' } });
    const answer = await attempt(server);
    expect([answer.status, answer.headers.get('location')]).toEqual([status, null]);
    expect(answer.body).toMatchObject({ error, error_codes: number === null ? [] : [number] });
    const [, , described] = shape.exec(String(answer.body['error_description'])) ?? [null, null, 'no match'];
    expect(described).toBe(number === null ? undefined : String(number));
    expect(answer.body['timestamp']).toMatch(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\dZ$/);
    for (const name of ['trace_id', 'correlation_id']) expect(answer.body[name]).toMatch(/^[\w-]{36}$/);
  });

  it('the correlation id is the one of the request, and the time is that of the sandbox', async () => {
    const { at } = await tenantServer({ clients });
    const correlation = '3b9c1d2e-0000-4000-8000-123456789abc';
    const { body } = await postForm(`${at()}/oauth2/v2.0/token`, {}, { 'client-request-id': correlation });
    expect(body).toMatchObject({ correlation_id: correlation, timestamp: '2026-03-04 05:06:07Z', error_codes: [] });
    expect(body['error_description']).toContain(`Correlation ID: ${correlation}`);
  });

  it('the dialect of the specification has no numbers', async () => {
    const { at } = await tenantServer({ clients });
    const { body } = await postForm(`${at()}/oauth2/v2.0/token`, { ...own, client_id: 'nobody' });
    expect(body).toMatchObject({ error: 'unauthorized_client', error_codes: [] });
    expect(body['error_description']).not.toContain('AADSTS');
  });

  it('the plain form keeps the two members of OAuth 2.0', async () => {
    const { issuer } = await tenantServer({ clients, settings: { dialect: 'entra' } });
    const { body } = await postForm(`${issuer}/oauth2/token`, { ...own, client_id: 'nobody' });
    expect(Object.keys(body).toSorted()).toEqual(['error', 'error_description']);
  });
});

describe('CL18: errors that a page shows and never redirects', () => {
  it.each([
    ['client unknown', { client_id: 'nobody' }, 'AADSTS700016'],
    ['redirect URI not registered', { redirect_uri: 'https://evil.example/callback' }, 'AADSTS50011'],
    ['parameter missing', { client_id: '' }, 'AADSTS900144'],
  ])('%s', async (_name, parameters, number) => {
    const { at } = await tenantServer({ clients, settings: { dialect: 'entra' } });
    const shown = await appBrowser().load(getAuthorizeUrl(at(), parameters));
    expect(shown).toMatchObject({ status: 400, page: { name: 'problem' } });
    expect(shown.text).toContain(number);
    expect(shown.address.startsWith(at())).toBe(true);
  });
});

describe('CL18: errors that the application receives by redirect', () => {
  /** Rows of the table of CL18: the request, whether a session exists, and the expected error. */
  const redirects: readonly (readonly [string, Readonly<Record<string, string>>, boolean, string, number | null])[] = [
    ['response type not enabled', { response_type: 'token' }, false, 'unsupported_response_type', 70005],
    ['id_token not enabled', { response_type: 'id_token' }, false, 'unsupported_response_type', 700054],
    [
      'scope not allowed',
      { client_id: 'modest', scope: 'openid Policy.ReadWrite.AuthenticationMethod' },
      false,
      'invalid_scope',
      70011,
    ],
    ['no user signed in', { prompt: 'none' }, false, 'login_required', 50058],
    [
      'second factor needed',
      { prompt: 'none', claims: '{"id_token":{"acr":{"essential":true,"value":"urn:nudgelab:acr:mfa"}}}' },
      true,
      'interaction_required',
      50076,
    ],
    ['consent needed', { prompt: 'none', client_id: 'consent' }, true, 'consent_required', 65001],
    ['parameter missing', { code_challenge: '', code_challenge_method: '' }, false, 'invalid_request', 900144],
    ['parameter malformed', { max_age: 'long' }, false, 'invalid_request', 90004],
  ];

  for (const response_mode of ['query', 'fragment', 'form_post']) {
    // An ID token is never in a query, so a request for one is malformed there.
    const rows = redirects.filter(([, { response_type }]) => response_mode !== 'query' || response_type === undefined);
    it.each(nonEmpty(rows))(`%s, by ${response_mode}`, async (_name, parameters, hasSession, error, number) => {
      const server = await tenantServer({ clients, settings: { dialect: 'entra' } });
      await server.sandbox.directory.setNextSignIn('ada', { mfa: { completed: false } });
      const browser = appBrowser();
      if (hasSession) await signInAt(server.at(), {}, browser);
      const shown = await browser.load(getAuthorizeUrl(server.at(), { ...parameters, response_mode }));
      const answer = response_mode === 'form_post' ? readFields(shown.text) : answerAt(shown);
      expect(answer).toMatchObject({ error, state: 'mine', iss: server.sandbox.tokens.tenantIssuer });
      expect(answer['error_description']).toMatch(shape);
      expect(answer['error_description']).toContain(number === null ? '' : `AADSTS${number}: `);
    });
  }

  it('user refuses consent: access_denied 65004', async () => {
    const { at } = await tenantServer({ clients, settings: { dialect: 'entra' } });
    const browser = appBrowser();
    const consent = await browser.signIn(getAuthorizeUrl(at(), { client_id: 'consent' }));
    const answer = answerAt(await browser.press(consent, 'Cancel'));
    expect(answer).toMatchObject({ error: 'access_denied', state: 'mine' });
    expect(answer['error_description']).toContain('AADSTS65004: ');
  });
});

/** Returns the hidden fields of a form. */
function readFields(text: string): Readonly<Record<string, string>> {
  const fields = text.matchAll(/<input type="hidden" name="([^"]*)" value="([^"]*)">/g);
  return Object.fromEntries(Array.from(fields, ([, name = '', value = '']) => [name, value.replaceAll('&#39;', "'")]));
}

describe('CL18: requests that no endpoint reads', () => {
  const json = { method: 'POST', body: '{}', headers: { 'content-type': 'application/json' } };

  it.each(['default', 'demo'])('a program of sandbox %s gets the error with the ids of the tenant form', async (id) => {
    const { at } = await tenantServer({ id });
    const response = await fetch(`${at()}/oauth2/v2.0/token`, { headers: { 'client-request-id': 'mine' } });
    expect([response.status, response.headers.get('allow')]).toEqual([405, 'POST, OPTIONS']);
    expect(await response.json()).toMatchObject({
      error: 'invalid_request',
      error_codes: [],
      correlation_id: 'mine',
      trace_id: expect.any(String),
      timestamp: expect.any(String),
    });
  });

  it.each(['authorize', 'logout'])('a user gets a page at %s', async (name) => {
    const { at } = await tenantServer({ id: 'demo' });
    const response = await fetch(`${at()}/oauth2/v2.0/${name}`, json);
    expect([response.status, response.headers.get('content-type')]).toEqual([415, 'text/html; charset=utf-8']);
  });
});
