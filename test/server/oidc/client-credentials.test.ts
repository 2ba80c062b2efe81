import { once } from 'node:events';
import { IncomingMessage, ServerResponse, request as sendRequest } from 'node:http';
import { connect, Socket } from 'node:net';
import fc from 'fast-check';
import { decodeJwt, decodeProtectedHeader } from 'jose';
import { describe, expect, it } from 'vitest';
import type { SandboxInput } from '../../../src/sandbox/sandbox.ts';
import { Providers } from '../../../src/server/oidc/providers.ts';
import { oidcServer } from './oidc-server.ts';

type Fields = readonly (readonly [name: string, value: string])[];
type Headers = Readonly<Record<string, string>>;

/** Token request, and the sender of the response that it is to get. */
interface TokenRequest {
  readonly title: string;
  readonly form: Fields | string;
  readonly headers?: Headers;
}

const redirectUris = ['https://app.example/callback'];
const appRoles = ['Policy.Read.All', 'read:document', 'api://orders/All', 'api://orders/Audit'];
const claims = { accessToken: [{ name: 'region', value: 'north' }] };
const clients = [
  { id: 'job', kind: 'service', secret: 's.1', appRoles },
  { id: 'none', kind: 'service', secret: 's' },
  { id: 'shop', secret: 's', redirectUris, appRoles: ['Policy.Read.All'], accessTokenLifetimeSeconds: 60, claims },
  { id: 'page', secret: 's', redirectUris },
  { id: 'mixed', secret: 's', redirectUris: ['com.app:/callback', 'http://app.example/callback'], appRoles },
  { id: 'spa', kind: 'public', redirectUris, permissions: ['Policy.Read.All'] },
  {
    id: 'rsa',
    kind: 'service',
    secret: 's',
    appRoles: appRoles.slice(0, 1),
    accessToken: { typ: 'JWT', alg: 'RS256' },
  },
  { id: 'basic', kind: 'service', secret: 's', appRoles, authMethods: ['client_secret_basic'] },
  { id: 'signed', kind: 'service', secret: 's'.repeat(32), appRoles, authMethods: ['client_secret_jwt'] },
  { id: 'bound', kind: 'service', secret: 's', appRoles, dpop: 'required' },
  {
    id: 'orders',
    secret: 's',
    redirectUris,
    resource: { id: 'o', uris: ['api://orders'], appRoles: ['All', 'Audit'] },
    claims,
  },
] as const;

const grant = ['grant_type', 'client_credentials'] as const;
const by = (id: string, secret = 's', ...further: Fields): Fields => [
  grant,
  ['client_id', id],
  ['client_secret', secret],
  ...further,
];
const scoped = (scope: string): Fields => by('job', 's.1', ['scope', scope]);
const inHeader = (text: string, scheme = 'Basic'): Headers => ({
  authorization: `${scheme} ${Buffer.from(text).toString('base64')}`,
});

/** Requests that need no provider. */
const usual: readonly TokenRequest[] = [
  { title: 'a secret in the body', form: by('job', 's.1') },
  { title: 'a secret in the header', form: [grant], headers: inHeader('job:s.1') },
  { title: 'a scheme in lower case', form: [grant], headers: inHeader('job:s.1', 'basic') },
  {
    title: 'the client in the header and in the body',
    form: [grant, ['client_id', 'job']],
    headers: inHeader('job:s.1'),
  },
  {
    title: 'a character set',
    form: by('job', 's.1'),
    headers: { 'content-type': 'application/x-www-form-urlencoded;charset=UTF-8' },
  },
  { title: 'encoded letters', form: 'grant_type=client%5Fcredentials&client_id=%6Aob&client_secret=s%2E1' },
  { title: 'no permissions', form: by('none') },
  { title: 'a client with users, a lifetime and claims', form: by('shop') },
  { title: 'another format', form: by('rsa') },
  { title: 'only the header allowed', form: [grant], headers: inHeader('basic:s') },
  { title: 'an empty scope', form: scoped('') },
  { title: 'a permission', form: scoped('read:document') },
  { title: 'repeated permissions', form: scoped('read:document  read:document Policy.Read.All') },
  { title: 'another resource', form: scoped('api://orders/.default') },
  { title: 'permissions of another resource', form: scoped('api://orders/Audit api://ORDERS/All') },
  { title: 'another media type in demand', form: by('job', 's.1'), headers: { accept: 'text/html' } },
];

/** Requests that the provider has to respond to. */
const unusual: readonly TokenRequest[] = [
  { title: 'nothing', form: [] },
  { title: 'a wrong secret', form: by('job', 's.2') },
  { title: 'an empty secret', form: by('job', '') },
  { title: 'no secret', form: [grant, ['client_id', 'job']] },
  { title: 'no client', form: [grant] },
  { title: 'an unknown client', form: by('nobody') },
  { title: 'no grant type', form: by('job', 's.1').slice(1) },
  { title: 'an unknown grant type', form: [['grant_type', 'password'], ...by('job', 's.1').slice(1)] },
  { title: 'another grant', form: [['grant_type', 'refresh_token'], ...by('job', 's.1').slice(1)] },
  { title: 'a repeated grant type', form: [grant, ...by('job', 's.1')] },
  { title: 'a repeated client', form: by('job', 's.1', ['client_id', 'job']) },
  { title: 'a repeated scope', form: by('job', 's.1', ['scope', 'a'], ['scope', 'b']) },
  { title: 'a further parameter', form: by('job', 's.1', ['resource', 'api://orders']) },
  { title: 'an assertion', form: by('job', 's.1', ['client_assertion', 'x']) },
  { title: 'two secrets', form: by('job', 's.1'), headers: inHeader('job:s.1') },
  { title: 'two clients', form: [grant, ['client_id', 'none']], headers: inHeader('job:s.1') },
  { title: 'a bearer token', form: [grant], headers: { authorization: 'Bearer x' } },
  { title: 'base64 without padding', form: [grant], headers: { authorization: 'Basic YmFzaWM6cw' } },
  { title: 'an encoded secret', form: [grant], headers: inHeader('job:s%2E1') },
  { title: 'an unknown scope', form: scoped('unknown') },
  { title: 'scopes of two resources', form: scoped('read:document api://orders/All') },
  { title: 'an unknown resource', form: scoped('api://nowhere/.default') },
  { title: 'a method that the client does not have', form: by('basic') },
  { title: 'a client that signs', form: by('signed', 's'.repeat(32)) },
  { title: 'a client with proofs', form: by('bound') },
  { title: 'a client without the grant', form: by('page') },
  { title: 'a client that the provider rejects', form: by('mixed') },
  { title: 'a client without a secret', form: by('spa') },
  { title: 'a proof', form: by('job', 's.1'), headers: { dpop: 'x' } },
  { title: 'an attestation', form: by('job', 's.1'), headers: { 'oauth-client-attestation': 'x' } },
  { title: 'the origin of a client', form: by('job', 's.1'), headers: { origin: 'https://app.example' } },
  { title: 'a byte order mark', form: '\ufeffgrant_type=client_credentials&client_id=job&client_secret=s.1' },
  { title: 'JSON', form: '{}', headers: { 'content-type': 'application/json' } },
  { title: 'no media type', form: by('job', 's.1'), headers: { 'content-type': '' } },
  {
    title: 'another character set',
    form: by('job', 's.1'),
    headers: { 'content-type': 'application/x-www-form-urlencoded; charset=utf-16le' },
  },
];

const formType = 'application/x-www-form-urlencoded';
const toBody = (form: TokenRequest['form']): string =>
  typeof form === 'string'
    ? form
    : new URLSearchParams(form.map(([name, value]): [string, string] => [name, value])).toString();

/** Sends a request and returns the response. The id of a token, its signature and the time of the machine are left out. */
async function send(url: string, { form, headers = {} }: Omit<TokenRequest, 'title'>) {
  const body = Buffer.from(toBody(form));
  const all = { 'content-type': formType, 'content-length': String(body.length), ...headers };
  const request = sendRequest(url, { method: 'POST', headers: all }).end(body);
  const [response] = (await once(request, 'response')) as [IncomingMessage];
  const chunks = await response.toArray();
  const text = Buffer.concat(chunks as Buffer[]).toString('utf8');
  return { status: response.statusCode, headers: response.rawHeaders.map(hideDate), body: hideIds(text) };
}

const hideDate = (header: string, at: number, all: readonly string[]): string => (all[at - 1] === 'Date' ? '' : header);

function hideIds(text: string): unknown {
  if (!text.startsWith('{')) return text;
  const members = Object.entries(JSON.parse(text) as Readonly<Record<string, unknown>>);
  return members.map(([name, value]) => [name, name === 'access_token' ? readToken(String(value)) : value]);
}

function readToken(token: string) {
  const payload = Object.entries(decodeJwt(token)).map(([name, value]) =>
    name === 'jti' ? [name, /^[\w-]{43}$/.test(String(value))] : [name, value],
  );
  return [Object.entries(decodeProtectedHeader(token)), payload, token.length];
}

/** Starts a server. `send` sends a request, and `sendToProvider` the same one, which a query leads to the provider. */
async function startBoth(input: SandboxInput = {}) {
  const server = await oidcServer({ clients, ...input });
  const url = `${server.issuer}/oauth2/token`;
  return {
    ...server,
    send: (request: Omit<TokenRequest, 'title'>) => send(url, request),
    sendToProvider: (request: Omit<TokenRequest, 'title'>) => send(`${url}?provider`, request),
  };
}

/** Returns `true` if a request is answered without the provider. */
async function isAnsweredShortly(server: Awaited<ReturnType<typeof startBoth>>, { form, headers = {} }: TokenRequest) {
  const { answerApp } = await new Providers().mounted(server.sandbox);
  const response = new ServerResponse(new IncomingMessage(new Socket()));
  const all = Object.fromEntries(Object.entries({ 'content-type': formType, ...headers }));
  return answerApp({ headers: all, body: Buffer.from(toBody(form)) }, response);
}

/** Reads the token requests in the request log. */
async function readLog(serverUrl: string): Promise<readonly Record<string, unknown>[]> {
  const response = await fetch(`${serverUrl}/_control/v1/sandboxes/default/requests?path=/oauth2/token`);
  return ((await response.json()) as { readonly requests: readonly Record<string, unknown>[] }).requests;
}

/** Requests with any combination of parameters and headers. Few of their secrets are wrong, which would be throttled. */
const anyRequest = fc
  .record({
    grantType: fc.constantFrom('client_credentials', 'client_credentials', 'client_credentials', 'refresh_token', ''),
    client: fc.constantFrom(...clients),
    scope: fc.option(
      fc.array(fc.constantFrom('.default', 'openid', 'api://orders/.default', ...appRoles), { maxLength: 3 }),
    ),
    place: fc.constantFrom('body', 'header', 'both'),
    further: fc.subarray(
      [
        ['client_info', '1'],
        ['scope', 'x'],
        ['grant_type', 'client_credentials'],
      ] as const,
      { maxLength: 1 },
    ),
    headers: fc.subarray(
      [
        ['accept', 'text/html'],
        ['origin', 'https://app.example'],
        ['dpop', 'x'],
      ] as const,
      { maxLength: 1 },
    ),
  })
  .map(({ grantType, client: { id, ...client }, scope, place, further, headers }) => {
    const secret = 'secret' in client ? client.secret : '';
    const isInBody = place !== 'header';
    const form: Fields = [
      ['grant_type', grantType],
      ...(isInBody
        ? ([
            ['client_id', id],
            ['client_secret', secret],
          ] as const)
        : []),
      ...(scope === null ? [] : [['scope', scope.join(' ')] as const]),
      ...further,
    ];
    return {
      form,
      headers: { ...Object.fromEntries(headers), ...(place === 'body' ? {} : inHeader(`${id}:${secret}`)) },
    };
  });

describe('CL33: tokens of applications without the provider', () => {
  it.each(usual)('equal those of the provider: $title', async (request) => {
    const server = await startBoth();
    expect(await isAnsweredShortly(server, request)).toBe(true);
    const response = await server.send(request);
    expect(response.status).toBe(200);
    expect(response).toEqual(await server.sendToProvider(request));
  });

  it.each(unusual)('are left to the provider: $title', async (request) => {
    const server = await startBoth();
    expect(await isAnsweredShortly(server, request)).toBe(false);
    expect(await server.send(request)).toEqual(await server.sendToProvider(request));
  });

  it('equal those of the provider for any request', async () => {
    const server = await startBoth();
    await fc.assert(
      fc.asyncProperty(anyRequest, async (request) => {
        expect(await server.send(request)).toEqual(await server.sendToProvider(request));
      }),
      { numRuns: 150 },
    );
  });

  it.each<[string, SandboxInput]>([
    ['a fault of tokens', { faults: [{ kind: 'token', fault: 'expired' }] }],
    ['listed default scopes', { settings: { identity: { listDefaultScope: true } } }],
    ['required nonces', { settings: { identity: { dpopNonce: true } } }],
  ])('are left to the provider in a sandbox with %s', async (_title, input) => {
    const server = await startBoth(input);
    const request = { title: '', form: scoped('.default') };
    expect(await isAnsweredShortly(server, request)).toBe(false);
    expect(await server.send(request)).toEqual(await server.sendToProvider(request));
  });

  it('are left to the provider after a wrong secret, until a correct one', async () => {
    const server = await startBoth();
    const request = { title: '', form: by('job', 's.1') };
    expect((await server.send({ form: by('job', 's.2') })).status).toBe(401);
    expect(await isAnsweredShortly(server, request)).toBe(false);
    expect((await server.send(request)).status).toBe(200);
    expect(await isAnsweredShortly(server, request)).toBe(true);
  });

  it('are in the request log with their client', async () => {
    const server = await startBoth();
    const request = { form: by('job', 's.1') };
    await server.send(request);
    await server.sendToProvider(request);
    const requests = await readLog(server.serverUrl);
    const [own, provided] = requests.map(({ seq: _seq, queryHash: _hash, ...entry }) => entry);
    expect(own).toMatchObject({ path: '/oauth2/token', status: 200, client: 'job', userId: null });
    expect(provided).toEqual(own);
  });

  it('also have a body without a length, which the provider reads', async () => {
    const { issuer } = await startBoth();
    const request = sendRequest(`${issuer}/oauth2/token`, { method: 'POST', headers: { 'content-type': formType } });
    request.write(toBody(by('job', 's.1')));
    const [response] = (await once(request.end(), 'response')) as [IncomingMessage];
    expect(response.statusCode).toBe(200);
    response.resume();
  });

  it('a connection that closes within the body is no fault', async () => {
    const server = await startBoth();
    const { port } = new URL(server.serverUrl);
    const socket = connect(Number(port), '127.0.0.1');
    const head = ['POST /oauth2/token HTTP/1.1', `Host: localhost:${port}`, `Content-Type: ${formType}`];
    socket.write([...head, 'Content-Length: 100', '', 'grant_type='].join('\r\n'));
    await expect.poll(() => readLog(server.serverUrl)).toHaveLength(1);
    socket.destroy();
    await once(socket, 'close');
    expect((await server.send({ form: by('job', 's.1') })).status).toBe(200);
    expect(server.faults).toEqual([]);
  });
});
