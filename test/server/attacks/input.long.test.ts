import { connect } from 'node:net';
import { beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { controlDocument } from '../../../src/contract/control-openapi.ts';
import { policyWriterRoles } from '../../../src/contract/policy-caller.ts';
import { headersTimeoutMs, lateRequestCheckMs } from '../../../src/core/limits.ts';
import type { Sandbox } from '../../../src/sandbox/sandbox.ts';
import { nonEmpty } from '../../non-empty.ts';
import { withoutReferences } from '../../openapi-references.ts';
import { setTestServer } from '../../test-server.ts';

const server = setTestServer({ default: { users: [{ id: 'ada' }] } }, { onFault: ({ error }) => faults.push(error) });
let sandbox: Sandbox;
const faults: unknown[] = [];

beforeAll(() => {
  sandbox = server.sandboxes.get('default');
});

type Send = (
  method: string,
  path: string,
  body: string,
  headers?: Readonly<Record<string, string>>,
) => Promise<Response>;

const send: Send = (method, path, body, headers = {}) =>
  fetch(`${server.baseUrl}${path}`, { method, headers: { 'content-type': 'application/json', ...headers }, body });

/** Returns bodies that would pollute the prototype of all objects if merged without checks. */
function pollutions(known: readonly string[]): readonly string[] {
  const evil = '{"polluted":"yes","toString":null,"status":200}';
  const plain = [
    `{"__proto__":${evil}}`,
    `{"constructor":{"prototype":${evil}}}`,
    `{"constructor":${evil},"prototype":${evil}}`,
    `[{"__proto__":${evil}}]`,
    `{"hasOwnProperty":1,"toString":1,"valueOf":1,"toJSON":1,"then":1}`,
  ];
  const inside = known.flatMap((key) => [
    `{"${key}":{"__proto__":${evil}}}`,
    `{"${key}":{"constructor":{"prototype":${evil}}}}`,
    `{"${key}":[{"__proto__":${evil}}]}`,
    `{"${key}":{"ada":{"__proto__":${evil}}}}`,
  ]);
  return [...plain, ...inside];
}

const namesOfEveryObject = [
  '__proto__',
  'constructor',
  'prototype',
  'toString',
  'hasOwnProperty',
  'valueOf',
  '__defineGetter__',
];

function expectUnpolluted(): void {
  expect(({} as Record<string, unknown>)['polluted']).toBeUndefined();
  expect(Object.keys(Object.prototype)).toEqual([]);
  expect(`${{}}`).toBe('[object Object]');
}

interface Described {
  readonly requestBody?: {
    readonly content: Readonly<Record<string, { readonly schema?: { readonly properties?: object } }>>;
  };
}

describe('prototype pollution', () => {
  const operations = Object.entries(
    withoutReferences(controlDocument).paths as unknown as Record<string, Record<string, Described>>,
  ).flatMap(([path, item]) =>
    Object.entries(item)
      .filter(([method]) => ['put', 'post', 'patch'].includes(method))
      .map(([method, { requestBody }]) => ({
        method: method.toUpperCase(),
        path: `/_control/v1${path
          .replaceAll('{sandbox}', 'default')
          .replaceAll('{user}', 'ada')
          .replaceAll(/\{\w+\}/g, '1')}`,
        keys: Object.keys(requestBody?.content['application/json']?.schema?.properties ?? {}),
      })),
  );

  it('no JSON body of the control API pollutes a prototype, at any nesting depth', async () => {
    expect(operations.length).toBeGreaterThan(20);
    for (const { method, path, keys } of operations) {
      for (const body of nonEmpty(pollutions(keys))) {
        const response = await send(method, path, body);
        await response.text();
        expect([method, path, body, response.status < 500 || response.status === 503]).toEqual([
          method,
          path,
          body,
          true,
        ]);
        expectUnpolluted();
      }
    }
    expect(faults).toEqual([]);
  });

  it('no body of the policy API, the document API or client registration pollutes a prototype', async () => {
    const request = {
      user: 'ada',
      permissions: ['Policy.ReadWrite.AuthenticationMethod', 'write:document'],
      roles: [policyWriterRoles[0].name],
    };
    const { access_token: token } = await sandbox.tokens.issue(request);
    const authorization = `Bearer ${token}`;
    for (const body of nonEmpty(
      pollutions(['registrationEnforcement', 'authenticationMethodConfigurations', 'tags', 'title', 'redirect_uris']),
    )) {
      for (const [method, path] of [
        ['PATCH', '/v1.0/policies/authenticationMethodsPolicy'],
        ['PATCH', '/api/v1/document/1/'],
        ['PUT', '/api/v1/document/1/'],
        ['POST', '/oauth2/register'],
      ] as const) {
        const response = await send(method, path, body, { authorization });
        await response.text();
        expect([method, path, body, response.status < 500]).toEqual([method, path, body, true]);
        expectUnpolluted();
      }
    }
    expect(faults).toEqual([]);
  });

  it.each(namesOfEveryObject)('%s is a regular id or is rejected, wherever an id is used', async (name) => {
    const encoded = encodeURIComponent(name);
    for (const path of [
      'sandboxes',
      'sandboxes/default/users',
      'sandboxes/default/sign-ins',
      'sandboxes/default/documents',
      'sandboxes/default/lookup/tokens',
      'sandboxes/default/analyses',
      'runs',
    ]) {
      const response = await fetch(`${server.controlUrl}/${path}/${encoded}`);
      expect([path, response.status >= 400 && response.status < 500]).toEqual([path, true]);
    }
    const created = await send(
      'POST',
      '/_control/v1/sandboxes',
      `{"id":"${name}","users":{"${name}":{}},"tenant":{"groups":{"${name}":["${name}"]}}}`,
    );
    expect([201, 400]).toContain(created.status);
    const held = await send(
      'POST',
      '/_control/v1/sandboxes',
      `{"users":{"${name}":{"groups":["${name}"]}},"tenant":{"groups":{"${name}":["${name}"]}}}`,
    );
    expect([201, 400]).toContain(held.status);
    for (const query of [
      `${encoded}=1`,
      `${encoded}[polluted]=1`,
      `limit[${encoded}]=1`,
      `a[${encoded}][polluted]=1`,
    ]) {
      const response = await fetch(`${server.controlUrl}/sandboxes/default/users?${query}`);
      expect([query, response.status]).toEqual([query, 400]);
    }
    const form = await fetch(`${server.baseUrl}/sign-in`, {
      method: 'POST',
      body: new URLSearchParams({ username: name, [name]: name, action: name }),
    });
    expect(form.status).toBe(400);
    expectUnpolluted();
    expect(faults).toEqual([]);
  });
});

describe('file paths', () => {
  const climbs = [
    '../',
    '..%2f',
    '%2e%2e/',
    '%2e%2e%2f',
    '..%5c',
    '..\\',
    '....//',
    '%252e%252e%252f',
    '..%00/',
    '..;/',
  ];
  const places = [
    '/_console/assets/',
    '/_assets/',
    '/media/',
    '/media/document/1/',
    '/documents/',
    '/s/default/media/',
    '/s/',
  ];
  const targets = ['etc/passwd', 'package.json', 'src/core/limits.ts', 'root/.ssh/id_rsa'];

  it('no spelling of .. leaves the folder of served files', async () => {
    for (const place of places) {
      for (const climb of climbs) {
        for (const target of targets) {
          const text = await raw(
            `GET ${place}${climb.repeat(8)}${target} HTTP/1.1\r\nHost: localhost:${server.port}\r\nConnection: close\r\n\r\n`,
          );
          expect([place, climb, target, text.slice(9, 12)]).toEqual([
            place,
            climb,
            target,
            expect.stringMatching(/^(30|40)/),
          ]);
          expect(text).not.toMatch(/root:x:0|"nudgelab"|requestLogMax/);
        }
      }
    }
    expect(faults).toEqual([]);
  });

  it('no name of a suite file leaves the folder of the suite', async () => {
    for (const name of [
      '../package.json',
      '/etc/passwd',
      '..%2fpackage.json',
      'a/../../package.json',
      'C:\\windows\\win.ini',
      'a\u0000.yaml',
    ]) {
      for (const method of ['GET', 'PUT']) {
        const response = await fetch(
          `${server.controlUrl}/suite/file?file=${encodeURIComponent(name)}&path=${encodeURIComponent(name)}`,
          {
            method,
            ...(method === 'PUT'
              ? { headers: { 'content-type': 'application/json' }, body: JSON.stringify({ file: name, text: 'x' }) }
              : {}),
          },
        );
        expect([name, response.status >= 400]).toEqual([name, true]);
      }
    }
  });
});

async function raw(bytes: string, isWhole: (text: string) => boolean = () => false): Promise<string> {
  const socket = connect(server.port, '127.0.0.1');
  onTestFinished(() => void socket.destroy());
  let text = '';
  const { promise, resolve } = Promise.withResolvers<string>();
  socket.setEncoding('latin1').on('data', (chunk) => {
    text += String(chunk);
    if (isWhole(text)) resolve(text);
  });
  socket.on('error', () => resolve(text)).once('close', () => resolve(text));
  socket.write(bytes, 'latin1');
  return promise;
}

describe('oversized and slow requests', () => {
  it('headers beyond the limit of the parser are rejected, whether one or many', async () => {
    const host = `Host: localhost:${server.port}\r\n`;
    const long = await raw(`GET / HTTP/1.1\r\n${host}X-Long: ${'a'.repeat(20_000)}\r\n\r\n`);
    expect(long).toMatch(/^HTTP\/1\.1 431/);
    const many = await raw(
      `GET / HTTP/1.1\r\n${host}${Array.from({ length: 3_000 }, (_, at) => `X-${at}: a\r\n`).join('')}\r\n`,
    );
    expect(many).toMatch(/^HTTP\/1\.1 431/);
  });

  it.each([
    ['POST', '/_control/v1/sandboxes', 413],
    ['PUT', '/_control/v1/sandboxes/default/users/ada', 413],
    ['POST', '/sign-in', 413],
    ['POST', '/phone/ada@example.test', 413],
    ['POST', '/security-info', 413],
    ['POST', '/lookup/tokens', 413],
    ['POST', '/oauth2/token', 413],
    ['POST', '/oauth2/register', 413],
  ] as const)('payload-too-large: %s %s with an endless body is rejected', async (method, path, status) => {
    const type =
      path.startsWith('/_') || path.endsWith('register') ? 'application/json' : 'application/x-www-form-urlencoded';
    const head = `${method} ${path} HTTP/1.1\r\nHost: localhost:${server.port}\r\nContent-Type: ${type}\r\nTransfer-Encoding: chunked\r\n\r\n`;
    const chunk = 'a'.repeat(65_536);
    const body = `${chunk.length.toString(16)}\r\n${chunk}\r\n`.repeat(40);
    const text = await raw(`${head}${body}`, (sent) => sent.includes('\r\n\r\n'));
    expect(text.slice(9, 12)).toBe(String(status));
  });

  it('JSON beyond the nesting limit is rejected with a response', async () => {
    for (const deep of [
      '['.repeat(200_000),
      `${'{"a":'.repeat(100_000)}1${'}'.repeat(100_000)}`,
      `${'['.repeat(100_000)}${']'.repeat(100_000)}`,
    ]) {
      for (const path of ['/_control/v1/sandboxes', '/oauth2/register']) {
        const response = await send('POST', path, deep);
        expect([400, 413]).toContain(response.status);
        await response.text();
      }
    }
    expect(faults).toEqual([]);
  });

  it('a request with two lengths, or with a length and chunks, is rejected', async () => {
    const head = `POST /sign-in HTTP/1.1\r\nHost: localhost:${server.port}\r\nContent-Type: application/x-www-form-urlencoded\r\n`;
    for (const lengths of [
      'Content-Length: 4\r\nContent-Length: 5\r\n',
      'Content-Length: 4\r\nTransfer-Encoding: chunked\r\n',
      'Content-Length: -1\r\n',
      'Transfer-Encoding: chunked, identity\r\n',
    ]) {
      expect(await raw(`${head}${lengths}\r\na=b\r\n`)).toMatch(/^HTTP\/1\.1 400/);
    }
  });

  it('a client that sends headers one byte at a time is disconnected', { timeout: 240_000 }, async () => {
    const socket = connect(server.port, '127.0.0.1');
    onTestFinished(() => void socket.destroy());
    const { promise, resolve } = Promise.withResolvers<string>();
    socket.setEncoding('utf8').once('data', (text) => resolve(String(text)));
    const startedMs = performance.now();
    socket.write('GET / HTTP/1.1\r\nHost: local');
    expect(await promise).toMatch(/^HTTP\/1\.1 408/);
    expect(performance.now() - startedMs).toBeLessThan(headersTimeoutMs + 4 * lateRequestCheckMs);
  });

  it.each([
    ['a zip file', Buffer.from('504b030414000000080000000000', 'hex')],
    [
      'a picture that says it is vast',
      Buffer.from('89504e470d0a1a0a0000000d494844527fffffff7fffffff0802000000', 'hex'),
    ],
    ['a compressed stream', Buffer.from('1f8b0800000000000003', 'hex')],
    [
      'a PDF that refers to itself',
      Buffer.from(
        '%PDF-1.7\n1 0 obj<</Type/Catalog/Pages 1 0 R/Kids[1 0 R]/Count 999999999>>endobj\ntrailer<</Root 1 0 R/Size 2/Prev 0>>\nstartxref\n9\n%%EOF',
      ),
    ],
  ] as const)('document-unreadable: %s is rejected as a document', { timeout: 240_000 }, async (_what, bytes) => {
    const response = await fetch(`${server.controlUrl}/sandboxes/default/document-uploads`, {
      method: 'POST',
      headers: { 'content-type': 'application/pdf' },
      body: new Uint8Array(bytes),
    });
    expect([413, 422]).toContain(response.status);
    expect(await response.json()).toMatchObject({
      error: { code: expect.stringMatching(/^document-(unreadable|too-large)$/) },
    });
  });
});

describe('header and log injection', () => {
  const injection = 'a\r\nSet-Cookie: planted=1\r\n\r\n<script>';

  it('no text of a request adds a line to the response headers', async () => {
    const encoded = encodeURIComponent(injection);
    const paths = [
      `/sign-in?user=${encoded}`,
      `/try?user=${encoded}`,
      `/s/${encoded}/sign-in`,
      `/oauth2/authorize?client_id=${encoded}&redirect_uri=${encoded}&state=${encoded}`,
      `/documents/1-${encoded}`,
      `/_control/v1/sandboxes/default/journey?user=${encoded}`,
      `/_console/sign-in?next=${encoded}`,
      `/phone/${encoded}`,
      `/api/v2/?type=${encoded}`,
    ];
    for (const path of paths) {
      const response = await fetch(`${server.baseUrl}${path}`, { redirect: 'manual' });
      expect([path, response.headers.getSetCookie().some((cookie) => cookie.startsWith('planted'))]).toEqual([
        path,
        false,
      ]);
      expect([path, response.status < 500]).toEqual([path, true]);
      const isHtml = response.headers.get('content-type')?.startsWith('text/html') === true;
      expect([path, isHtml && (await response.text()).includes('<script>')]).toEqual([path, false]);
    }
    expect(faults).toEqual([]);
  });
});
