import { once } from 'node:events';
import {
  createServer,
  request as httpRequest,
  type IncomingMessage,
  type Server,
  type ServerResponse,
} from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, test } from 'vitest';
import { MemoryStore } from '../../../src/journal/stores/memory.store.ts';
import { Sandboxes } from '../../../src/sandbox/sandboxes.ts';
import { startServer } from '../../../src/server/start.ts';
import { described } from './described-apis.ts';
import { type FuzzOptions, type FuzzSeen, fuzz } from './fuzz.ts';
import { bent } from './schema-values.ts';

const seed = Number(process.env['NUDGELAB_TEST_SEED'] ?? 20_260_105);
const endings: (() => Promise<unknown> | undefined)[] = [];

afterEach(async () => {
  for (const end of endings.splice(0)) await end();
});

/** Fuzzes a real server in this process, behind a proxy that may alter its responses. */
async function fuzzed(
  options: Omit<FuzzOptions, 'seed'>,
  bend?: (request: IncomingMessage, response: ServerResponse) => boolean,
): Promise<FuzzSeen> {
  const sandboxes = await Sandboxes.open(new MemoryStore());
  const server = await startServer({ sandboxes, port: 0 });
  endings.push(
    () => server.close(),
    () => sandboxes.close(),
  );
  if (bend === undefined) return fuzz({ ...server, runs: true }, { ...options, seed });
  const before = await standBefore(server.baseUrl, bend);
  const { port } = before.address() as AddressInfo;
  const baseUrl = `http://localhost:${port}`;
  return fuzz({ baseUrl, controlUrl: server.controlUrl, runs: true }, { ...options, seed });
}

async function standBefore(
  baseUrl: string,
  bend: (request: IncomingMessage, response: ServerResponse) => boolean,
): Promise<Server> {
  const server = createServer((request, response) => {
    if (bend(request, response)) return;
    const { method = 'GET', url = '/' } = request;
    const headers = { ...request.headers, host: new URL(baseUrl).host };
    const onward = httpRequest(baseUrl, { method, path: url, headers }, (answer) => {
      response.writeHead(answer.statusCode ?? 0, answer.headers);
      answer.pipe(response);
    });
    onward.on('error', () => response.destroy());
    request.pipe(onward);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  endings.push(async () => {
    server.closeAllConnections();
    server.close();
  });
  return server;
}

test('L7, D8: every response to a generated request matches the documents', { timeout: 240_000 }, async () => {
  const { failure, byStatus, sent } = await fuzzed({ requests: 500 });
  expect(failure).toBeNull();
  expect(sent).toBeGreaterThan(300);
  // Without this check the test would also pass if every request were rejected.
  expect([...byStatus.keys()]).toEqual(expect.arrayContaining([200, 400, 401, 404]));
});

test('every API receives requests for its operations', () => {
  const counts = Object.groupBy(described, ({ api }) => api);
  expect(counts.control?.length).toBeGreaterThan(50);
  const operations = counts.control?.map(({ method, path }) => `${method} ${path.replace('/_control/v1', '')}`);
  expect(operations).toEqual(
    expect.arrayContaining(['POST /runs', 'POST /sandboxes/{sandbox}/analyses', 'PUT /sandboxes/{sandbox}/faults']),
  );
  expect(counts.policy?.map(({ method }) => method)).toEqual(['GET', 'PATCH']);
  expect(counts.lookup).toHaveLength(1);
  expect(counts.document?.length).toBeGreaterThan(3);
});

describe('canaries', () => {
  const isHealth = ({ method, url = '' }: IncomingMessage) => method === 'GET' && url.includes('/user-summary');

  test.each([
    ['status 500', (response: ServerResponse) => response.writeHead(500).end()],
    ['status 418 is not described', (response: ServerResponse) => response.writeHead(418).end()],
    [
      'breaks its schema',
      (response: ServerResponse) =>
        response.writeHead(200, { 'content-type': 'application/json' }).end('{"users":"x"}'),
    ],
    ['media type', (response: ServerResponse) => response.writeHead(200, { 'content-type': 'text/html' }).end('{}')],
    ['was not answered', (response: ServerResponse) => response.destroy()],
  ] as const)('%s: is found and shrunk to a few requests', { timeout: 240_000 }, async (expectedText, answer) => {
    const { failure } = await fuzzed({ requests: 4_000 }, (request, response) => {
      if (!isHealth(request)) return false;
      answer(response);
      return true;
    });
    expect(failure?.message).toContain(expectedText);
    expect(failure?.requests.length).toBeLessThanOrEqual(3);
    expect(failure?.path).not.toBe('');
  });

  test('the same number corrupts a value in the same way, and always changes it', () => {
    const value = { a: [1, 2, { b: 'c' }] };
    expect(bent(value, 7)).toEqual(bent(value, 7));
    expect(Array.from({ length: 20 }, (_, at) => JSON.stringify(bent(value, at)))).not.toEqual(
      Array.from({ length: 20 }, () => JSON.stringify(value)),
    );
  });
});
