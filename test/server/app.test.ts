import { connect } from 'node:net';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { Fault } from '../../src/server/faults.ts';
import { startServer } from '../../src/server/start.ts';
import {
  beginPrompt,
  errorCodeIn,
  formType,
  type IdentityServer,
  pageIn,
  send,
  startIdentityServer,
} from './identity-server.ts';

let server: IdentityServer;
const faults: Fault[] = [];

beforeEach(async () => {
  faults.length = 0;
  server = await startIdentityServer(
    {},
    { publicHosts: ['Simulator.example.test'], onFault: (fault) => faults.push(fault) },
  );
});

afterEach(async () => {
  await server.close();
});

describe('URL of the server', () => {
  test('start: the URL contains localhost and the chosen port', () => {
    expect([server.baseUrl, server.controlUrl]).toEqual([
      `http://localhost:${server.port}`,
      `http://localhost:${server.port}/_control/v1`,
    ]);
    expect(server.port).toBeGreaterThan(0);
  });

  test('address-in-use: a port in use is rejected', async () => {
    const { sandboxes, port } = server;
    await expect(startServer({ sandboxes, port })).rejects.toMatchObject({ code: 'address-in-use', exitCode: 2 });
  });

  test('usage-invalid: an address that this machine does not have is rejected', async () => {
    const { sandboxes } = server;
    await expect(
      startServer({ sandboxes, port: 0, host: '192.0.2.1', controlKey: 'a-key-that-nobody-guesses' }),
    ).rejects.toMatchObject({
      code: 'usage-invalid',
    });
  });
});

describe('foreign hosts', () => {
  test.for(['evil.example', 'localhost', 'localhost:1', 'localhost.evil.example', ''])(
    'origin-not-allowed: Host %j is rejected on every route, in the format of its API',
    async (host) => {
      const pages = await Promise.all(
        ['/', '/sign-in', '/nowhere'].map((path) => server.ask(path, { headers: { host } })),
      );
      expect(pages.map((answer) => [answer.status, errorCodeIn(answer)])).toEqual(
        pages.map(() => [403, 'origin-not-allowed']),
      );
      const paths = ['/v1.0/policies/authenticationMethodsPolicy', '/s/other/v1.0/policies', '/_control/v1/health'];
      const answers = await Promise.all(paths.map((path) => server.ask(path, { headers: { host } })));
      const codes = answers.map(({ status, text }) => [
        status,
        (JSON.parse(text) as { error: { code: string } }).error.code,
      ]);
      expect(codes).toEqual([
        [403, 'accessDenied'],
        [403, 'accessDenied'],
        [403, 'origin-not-allowed'],
      ]);
      const shapes: readonly (readonly [string, (body: Record<string, unknown>) => boolean])[] = [
        [
          '/oauth2/token',
          ({ error, error_description: description }) => error === 'invalid_request' && typeof description === 'string',
        ],
        ['/s/other/oauth2/userinfo', ({ code }) => code === 'origin-not-allowed'],
        ['/.well-known/openid-configuration', ({ code }) => code === 'origin-not-allowed'],
        ['/s/other/.well-known/openid-configuration', ({ code }) => code === 'origin-not-allowed'],
        ['/api/v2/', ({ success, error }) => success === false && typeof error === 'string'],
        ['/s/other/api/v2/', ({ success, error }) => success === false && typeof error === 'string'],
        ['/api/v1/document/', ({ detail }) => typeof detail === 'string'],
        ['/s/other/api/v1/document/1/', ({ detail }) => typeof detail === 'string'],
      ];
      for (const [path, hasShape] of shapes) {
        const { status, text, headers } = await server.ask(path, { headers: { host } });
        expect([path, status, String(headers['content-type']).split(';')[0]]).toEqual([path, 403, 'application/json']);
        expect([path, hasShape(JSON.parse(text) as Record<string, unknown>)]).toEqual([path, true]);
      }
      const person = await server.ask('/oauth2/authorize', { headers: { host } });
      expect([person.status, errorCodeIn(person)]).toEqual([403, 'origin-not-allowed']);
    },
  );

  test('origin-not-allowed: loopback names with the port and configured hosts are accepted', async () => {
    const hosts = ['localhost', 'LOCALHOST', '127.0.0.1', '[::1]'].map((name) => `${name}:${server.port}`);
    const answers = await Promise.all(
      [...hosts, 'simulator.example.test'].map((host) => server.ask('/', { headers: { host } })),
    );
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200]);
  });

  test('origin-not-allowed: a form of a configured host is accepted, including behind a TLS proxy', async () => {
    const host = 'simulator.example.test';
    const question = { method: 'POST', body: 'username=ada@example.test' };
    for (const origin of [`http://${host}`, `https://${host}`]) {
      expect((await server.ask('/sign-in', { ...question, headers: { ...formType, host, origin } })).status).toBe(200);
    }
  });
});

describe('routes outside the APIs', () => {
  test('routes: the root page describes the server and links to the sign-in page', async () => {
    const [root, other] = [await server.ask('/'), await server.ask('/s/other')];
    expect([pageIn(root).name, pageIn(other).name]).toEqual(['landing', 'landing']);
    expect([root.text.includes('href="/sign-in"'), other.text.includes('href="/s/other/sign-in"')]).toEqual([
      true,
      true,
    ]);
    expect(root.text).toContain('/_control/v1/health');
  });

  test.for([
    ['/nowhere', 404, 'not-found'],
    ['/s/other/nowhere', 404, 'not-found'],
    ['/s/missing', 404, 'sandbox-not-found'],
    ['/s/missing/nowhere', 404, 'sandbox-not-found'],
    ['/s/%zz', 400, 'bad-request'],
  ] as const)('routes: %s returns %i with %s, as a page', async ([path, status, code]) => {
    const answer = await server.ask(path);
    expect([answer.status, errorCodeIn(answer), pageIn(answer).name]).toEqual([status, code, 'problem']);
    expect(faults).toEqual([]);
  });

  test('routes: no response reveals the server software, and pages have no ETag', async () => {
    const { headers } = await server.ask('/');
    expect([headers['x-powered-by'], headers['etag']]).toEqual([undefined, undefined]);
  });

  test('routes: the stylesheet can be cached permanently', async () => {
    const { text } = await server.ask('/sign-in');
    const path = /<link rel="stylesheet" href="([^"]+)">/.exec(text)?.[1] ?? '';
    const answer = await server.ask(path);
    expect([answer.status, answer.headers['content-type']]).toEqual([200, 'text/css; charset=utf-8']);
    expect(answer.headers['cache-control']).toContain('immutable');
    expect(answer.text).toContain('prefers-color-scheme: dark');
  });
});

describe('failures and shutdown', () => {
  test('internal-error: an unexpected failure is reported to the embedding program, not to the browser', async () => {
    const prompt = await beginPrompt(server, 'ada');
    server.sandbox.recorder.store.append = () => {
      throw new RangeError('the secret of the store');
    };
    const answer = await send(server, prompt, { action: 'skip' });
    expect([answer.status, errorCodeIn(answer), answer.text.includes('secret')]).toEqual([
      500,
      'internal-error',
      false,
    ]);
    expect(faults).toMatchObject([{ method: 'POST', path: prompt.address }]);
    expect(faults[0]?.error).toMatchObject({ cause: new RangeError('the secret of the store') });
  });

  test('start: closing completes running requests and then rejects new ones', async () => {
    const { promise: closed, resolve } = Promise.withResolvers<void>();
    const socket = connect(server.port, '127.0.0.1');
    const { promise: answered, resolve: answer } = Promise.withResolvers<string>();
    socket.once('data', (data) => answer(data.toString()));
    const body = 'username=ada@example.test';
    const head = `POST /sign-in HTTP/1.1\r\nHost: localhost:${server.port}\r\nContent-Type: application/x-www-form-urlencoded`;
    const { promise: sent, resolve: wasSent } = Promise.withResolvers<void>();
    socket.write(`${head}\r\nContent-Length: ${body.length}\r\n\r\n${body.slice(0, 5)}`, () => wasSent());
    await sent;
    await server.ask('/');
    void server.close().then(resolve);
    socket.write(body.slice(5));
    expect(await answered).toMatch(/^HTTP\/1.1 200 OK/);
    await closed;
    await expect(server.ask('/')).rejects.toThrow();
  });

  test('start: closing ends an open event stream', async () => {
    const stream = await fetch(`${server.controlUrl}/sandboxes/default/events`);
    const reader = stream.body?.getReader();
    await server.close();
    const read = async (): Promise<unknown> => ((await reader?.read())?.done === true ? 'ended' : read());
    expect([stream.status, await read().catch(() => 'cut')]).toEqual([200, expect.stringMatching(/ended|cut/)]);
  });
});
