import { once } from 'node:events';
import { request as httpRequest, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { gzipSync } from 'node:zlib';
import express from 'express';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { apiBodyBytesMax } from '../../src/core/limits.ts';
import { jsonBody } from '../../src/server/control-api/json-body.ts';

let server: Server;

beforeAll(async () => {
  const app = express();
  app.use(...jsonBody, (request, response) => {
    response.json({ body: request.body === undefined ? 'none' : request.body });
  });
  app.use(((
    error: { code?: string; status?: number; problems?: readonly { location: string }[] },
    _request,
    response,
    _next,
  ) => {
    response
      .status(400)
      .json({ code: error.code ?? error.status, places: error.problems?.map(({ location }) => location) ?? [] });
  }) as express.ErrorRequestHandler);
  server = app.listen(0, '127.0.0.1');
  await once(server, 'listening');
});

afterAll(() => server.close());

/** Returns the parsed body, or the error of a rejected one. */
function sent(
  body: string | Uint8Array | null,
  headers: Readonly<Record<string, string>> = {},
  method = 'POST',
): Promise<unknown> {
  const { port } = server.address() as AddressInfo;
  return new Promise((resolve, reject) => {
    const outgoing = httpRequest({ port, host: '127.0.0.1', method, headers }, async (response) => {
      let text = '';
      for await (const chunk of response) text += String(chunk);
      resolve(JSON.parse(text));
    });
    outgoing.on('error', reject);
    outgoing.end(body ?? undefined);
  });
}

const json = { 'content-type': 'application/json' };
const nested = (levels: number): string => `${'{"a":'.repeat(levels)}1${'}'.repeat(levels)}`;

describe('JSON body of a request', () => {
  it.for([
    ['{"a":[1,{"b":null}]}', json, { a: [1, { b: null }] }],
    ['[1]', json, [1]],
    ['"text"', json, 'text'],
    ['7', json, 7],
    ['{"a":1}', { 'content-type': 'application/merge-patch+json' }, { a: 1 }],
    ['{"a":1}', { 'content-type': 'application/json; charset=UTF-8' }, { a: 1 }],
    ['{"a":1}', { 'content-type': 'application/json; charset="utf8"' }, { a: 1 }],
    ['{"a":"ü"}', { 'content-type': 'application/json', 'transfer-encoding': 'chunked' }, { a: 'ü' }],
    ['', json, {}],
    [null, {}, {}],
  ] as const)('%j with %j is parsed', async ([body, headers, expected]) => {
    expect(await sent(body, headers)).toEqual({ body: expected });
  });

  it('compressed bodies and UTF-16 bodies are parsed', async () => {
    expect(await sent(gzipSync('{"a":1}'), { ...json, 'content-encoding': 'gzip' })).toEqual({ body: { a: 1 } });
    const wide = { 'content-type': 'application/json; charset=utf-16le' };
    expect(await sent(Buffer.from('{"a":"é"}', 'utf16le'), wide)).toEqual({ body: { a: 'é' } });
  });

  it('only POST treats a missing body as an empty object', async () => {
    expect(await sent(null, { 'content-length': '0' }, 'PUT')).toEqual({ body: 'none' });
    expect(await sent(null, {}, 'PATCH')).toEqual({ body: 'none' });
  });

  it.for([
    ['{"a":1}', { 'content-type': 'text/plain' }],
    ['a=1', { 'content-type': 'application/x-www-form-urlencoded' }],
    ['{"a":1}', {}],
    ['{"a":1}', { 'content-type': 'text/plain', 'transfer-encoding': 'chunked' }],
  ] as const)('unsupported-media-type: %s with %j is rejected', async ([body, headers]) => {
    expect(await sent(body, headers)).toMatchObject({ code: 'unsupported-media-type' });
  });

  it.for(['{', 'x', '{"a":}'])('bad-request: %s is not valid JSON', async (body) => {
    expect(await sent(body, json)).toMatchObject({ code: 'bad-request' });
  });

  it('payload-too-large: a body of exactly the limit is accepted, and one more byte is rejected', async () => {
    const text = (bytes: number): string => JSON.stringify('x'.repeat(bytes - 2));
    expect(await sent(text(apiBodyBytesMax), json)).toHaveProperty('body');
    expect(await sent(text(apiBodyBytesMax + 1), json)).toMatchObject({ code: 'payload-too-large' });
  });

  it('bad-request: a body may have at most 64 levels of objects and lists', async () => {
    expect(await sent(nested(64), json)).toHaveProperty('body');
    expect(await sent(nested(65), json)).toEqual({ code: 'bad-request', places: ['body'] });
    expect(await sent(`${'['.repeat(65)}${']'.repeat(65)}`, json)).toEqual({ code: 'bad-request', places: ['body'] });
  });

  it('bad-request: a key that refers to the prototype is rejected with its location', async () => {
    expect(await sent('{"__proto__":1}', json)).toEqual({ code: 'bad-request', places: ['body'] });
    expect(await sent('{"a":[{"b":{"__proto__":{}}}]}', json)).toEqual({ code: 'bad-request', places: ['body.a.0.b'] });
    expect(await sent('{"a":"__proto__","proto":1}', json)).toHaveProperty('body');
  });
});
