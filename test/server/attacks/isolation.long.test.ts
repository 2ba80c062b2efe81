import { beforeAll, describe, expect, it } from 'vitest';
import { controlDocument } from '../../../src/contract/control-openapi.ts';
import { directoryDocument } from '../../../src/contract/directory-api/directory-openapi.ts';
import { documentDocument } from '../../../src/contract/document-openapi.ts';
import { lookupDocument } from '../../../src/contract/lookup-openapi.ts';
import { policyWriterRoles } from '../../../src/contract/policy-caller.ts';
import { policyDocument } from '../../../src/contract/policy-openapi.ts';
import { planSandbox } from '../../../src/sandbox/sandbox.ts';
import { nonEmpty } from '../../non-empty.ts';
import { setTestServer } from '../../test-server.ts';
import { Visitor } from '../visitor.ts';

/** Text that occurs in all data of the second sandbox and nowhere else. */
const marker = 'zebra-of-the-second';

const server = setTestServer();

type Headers = Readonly<Record<string, string>>;

/** Credentials and ids of one sandbox. */
interface Holdings {
  readonly id: string;
  readonly user: string;
  readonly signIn: string;
  readonly document: string;
  readonly fileToken: string;
  readonly lookupTokenId: string;
  readonly snapshot: string;
  /** Headers for every way to authenticate. */
  readonly credentials: readonly Headers[];
}

let first: Holdings;
let second: Holdings;

async function control(line: string, body?: object): Promise<Record<string, unknown>> {
  const [method = '', path = ''] = line.split(' ');
  const response = await fetch(`${server.controlUrl}${path}`, {
    method,
    headers: { 'content-type': 'application/json' },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const text = await response.text();
  if (!response.ok) throw new Error(`${line}: ${response.status} ${text}`);
  return text === '' ? {} : (JSON.parse(text) as Record<string, unknown>);
}

async function furnish(id: string, word: string): Promise<Holdings> {
  const user = `user-${word}`;
  const sandbox = await server.sandboxes.create(
    id,
    planSandbox({
      tenant: { campaign: { state: 'disabled' }, groups: { [`group-${word}`]: [user] } },
      users: [
        { id: user, displayName: `Name ${word}`, userPrincipalName: `${user}@example.test`, password: 'correct horse' },
      ],
      clients: [
        {
          id: `client-${word}`,
          kind: 'service',
          secret: `secret-${word}`,
          appRoles: ['Policy.Read.All', 'read:document'],
        },
      ],
    }),
  );
  const tenant = await control(`GET /sandboxes/${id}/tenant`);
  expect(JSON.stringify(tenant)).toContain(word);
  const document = await control(`POST /sandboxes/${id}/documents`, {
    title: `Document ${word}`,
    public: false,
    owner: user,
    pages: [{ content: `Page ${word}` }],
  });
  await control(`PATCH /sandboxes/${id}/lookup`, {});
  const account = 'free';
  const token = await control(`POST /sandboxes/${id}/lookup/tokens`, { account, name: `token ${word}` });
  const permissions = ['Policy.Read.All', 'Policy.ReadWrite.AuthenticationMethod', 'read:document', 'write:document'];
  const roles = [policyWriterRoles[0].name];
  const delegated = await control(`POST /sandboxes/${id}/tokens`, { user, permissions, roles });
  const own = await control(`POST /sandboxes/${id}/tokens`, { app: `client-${word}`, permissions });
  await control(`POST /sandboxes/${id}/snapshot`, { name: `snapshot-${word}` });
  const visitor = new Visitor(sandbox);
  await visitor.load();
  await visitor.press('Next', { Username: `${user}@example.test` });
  await visitor.press('Sign in', { Password: 'correct horse' });
  await visitor.press('Verify', { Code: '123456' });
  expect(visitor.page.name).toBe('not-nudged');
  // The cookie names are without ports, as the server reads them.
  const cookie = (await visitor.jar.serialize()).cookies
    .map(({ key, value }) => `${key?.replace(/-\d+/, '')}=${value}`)
    .join('; ');
  expect(cookie).toContain(`nudgelab-${id}-`);
  const bearer = (value: unknown): Headers => ({ authorization: `Bearer ${String(value)}` });
  return {
    id,
    user,
    signIn: visitor.signInId,
    document: String(document['id']),
    fileToken: new URL(String(document['recordUrl']), server.baseUrl).search,
    lookupTokenId: String(token['id']),
    snapshot: `snapshot-${word}`,
    credentials: [
      bearer(delegated['access_token']),
      bearer(own['access_token']),
      bearer(token['token']),
      { cookie },
      // Replayed cookies have the names of the other sandbox and the values of this one.
      { cookie: cookie.replaceAll(`nudgelab-${id}-`, `nudgelab-${id === 'first' ? 'second' : 'first'}-`) },
      { authorization: `Basic ${btoa(`client-${word}:secret-${word}`)}` },
    ],
  };
}

beforeAll(async () => {
  first = await furnish('first', 'antelope');
  second = await furnish('second', marker);
  expect(JSON.stringify([first, second])).not.toMatch(/undefined|null/);
});

interface Walked {
  readonly method: string;
  readonly path: string;
}

function walk(document: { readonly paths: object }): readonly Walked[] {
  return Object.entries(document.paths).flatMap(([path, item]) =>
    Object.keys(item as object)
      .filter((method) => ['get', 'head', 'options', 'put', 'post', 'patch', 'delete'].includes(method))
      .map((method) => ({ method: method.toUpperCase(), path })),
  );
}

const provider: readonly Walked[] = [
  { method: 'GET', path: '/oauth2/userinfo' },
  { method: 'POST', path: '/oauth2/introspect' },
  { method: 'POST', path: '/oauth2/revoke' },
  { method: 'POST', path: '/oauth2/token' },
  { method: 'GET', path: '/oauth2/authorize' },
  { method: 'GET', path: '/oauth2/register/{client}' },
];

const pages: readonly Walked[] = [
  { method: 'GET', path: '/security-info' },
  { method: 'GET', path: '/sign-in/{signIn}' },
  { method: 'POST', path: '/sign-in/{signIn}' },
  { method: 'GET', path: '/lookup/tokens' },
  { method: 'GET', path: '/documents/{id}/' },
  { method: 'GET', path: '/media/{id}/' },
];

const tenantRoutes: readonly Walked[] = [
  ...walk(policyDocument).map(({ method, path }) => ({ method, path: `/v1.0${path}` })),
  // Some of its operations exist only below /beta.
  ...walk(directoryDocument).map(({ method, path }) => ({ method, path: `/beta${path}` })),
  ...walk(documentDocument),
  ...walk(lookupDocument).map(({ method, path }) => ({
    method,
    path: `${path}?type=email&query=ada@example.test&tool=all`,
  })),
  ...provider,
  ...pages,
];

/** Fills the ids of a sandbox into a path. */
function filled(path: string, holdings: Holdings): string {
  const ids: Readonly<Record<string, string>> = {
    user: holdings.user,
    signIn: holdings.signIn,
    document: holdings.document,
    id: holdings.document,
    token: holdings.lookupTokenId,
    account: 'free',
    client: `client-${marker}`,
    type: 'email',
    tool: 'quorvex',
    method: 'sms',
  };
  return path.replaceAll(/\{(\w+)\}/g, (_whole, name: string) => encodeURIComponent(ids[name] ?? 'analysis-1'));
}

async function sendRequest(
  { method, path }: Walked,
  prefix: string,
  headers: Headers,
): Promise<{ status: number; text: string }> {
  const response = await fetch(`${server.baseUrl}${prefix}${path}`, {
    method,
    redirect: 'manual',
    headers: { ...(method === 'POST' ? { 'content-type': 'application/x-www-form-urlencoded' } : {}), ...headers },
    ...(method === 'POST' ? { body: 'token=x&grant_type=client_credentials&formToken=x&action=password' } : {}),
    ...(method === 'PUT' || method === 'PATCH' ? { body: '{}' } : {}),
  });
  return { status: response.status, text: `${JSON.stringify([...response.headers])}\n${await response.text()}` };
}

describe('sandbox isolation', () => {
  it('credentials of one sandbox are invalid in another, on every route of a tenant', async () => {
    expect(tenantRoutes.length).toBeGreaterThan(18);
    for (const route of tenantRoutes) {
      const walked = { ...route, path: filled(route.path, second) };
      const anonymous = await sendRequest(walked, '/s/second', {});
      for (const headers of nonEmpty(first.credentials)) {
        const answer = await sendRequest(walked, '/s/second', headers);
        const place = `${walked.method} ${walked.path} with ${JSON.stringify(headers).slice(0, 60)}`;
        expect([place, answer.text.includes(marker)]).toEqual([place, false]);
        expect([place, answer.status < 300 ? anonymous.status : answer.status]).toEqual([place, answer.status]);
      }
    }
  });

  it('ids of one sandbox do not exist in another, on every route of a tenant', async () => {
    for (const route of tenantRoutes) {
      const walked = { ...route, path: filled(route.path, second) };
      for (const headers of nonEmpty([...first.credentials, ...second.credentials])) {
        const answer = await sendRequest(walked, '/s/first', headers);
        expect([
          walked.path,
          answer.text.replaceAll(`client-${marker}`, '').replaceAll(second.user, '').includes(marker),
        ]).toEqual([walked.path, false]);
      }
    }
  });

  it('control test: with its own credentials, the second sandbox returns its data', async () => {
    const shown = new Set<string>();
    for (const route of tenantRoutes) {
      for (const headers of second.credentials) {
        const answer = await sendRequest({ ...route, path: filled(route.path, second) }, '/s/second', headers);
        if (answer.text.includes(marker)) shown.add(route.path);
      }
    }
    expect([...shown].sort()).toEqual(
      expect.arrayContaining(['/api/v1/document/{id}/', '/security-info', '/sign-in/{signIn}']),
    );
  });

  it('control API routes of a sandbox neither find nor change anything of another sandbox, by any id', async () => {
    const routes = walk(controlDocument).filter(({ path }) => path.startsWith('/sandboxes/{sandbox}'));
    expect(routes.length).toBeGreaterThan(40);
    const before = server.sandboxes.get('second').entryCount;
    const { id } = await control('POST /sandboxes/first/fork', {});
    for (const { method, path } of routes) {
      if (path.endsWith('/events')) continue;
      const isWhole = path === '/sandboxes/{sandbox}' && method === 'DELETE';
      const target = isWhole ? String(id) : 'first';
      const address = filled(path.replace('{sandbox}', target), second);
      const body = path.endsWith('/restore') || path.endsWith('/snapshot') ? { name: second.snapshot } : {};
      const hasBody = ['POST', 'PUT', 'PATCH'].includes(method);
      const response = await fetch(`${server.controlUrl}${address}`, {
        method,
        headers: hasBody ? { 'content-type': 'application/json' } : {},
        ...(hasBody ? { body: JSON.stringify(body) } : {}),
      });
      const echoed = [second.user, second.snapshot].reduce(
        (text, own) => text.replaceAll(own, ''),
        await response.text(),
      );
      expect([method, path, echoed.includes(marker)]).toEqual([method, path, false]);
      expect([method, path, response.status < 500 || response.status === 503]).toEqual([method, path, true]);
    }
    expect(server.sandboxes.get('second').entryCount).toBe(before);
  });

  it('a fork has separate keys: tokens and cookies of its origin are invalid there', async () => {
    const { id } = await control('POST /sandboxes/second/fork', { id: 'forked' });
    for (const path of ['/v1.0/policies/authenticationMethodsPolicy', `/sign-in/${second.signIn}`, '/security-info']) {
      for (const headers of nonEmpty(second.credentials)) {
        const tossed = headers['cookie']
          ?.replaceAll('nudgelab-second-', 'nudgelab-forked-')
          .replaceAll('nudgelab-first-', 'nudgelab-forked-');
        const answer = await sendRequest(
          { method: 'GET', path },
          `/s/${String(id)}`,
          tossed === undefined ? headers : { cookie: tossed },
        );
        expect([path, answer.status < 300]).toEqual([path, false]);
      }
    }
  });
});
