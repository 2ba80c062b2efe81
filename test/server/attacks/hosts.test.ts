import { once } from 'node:events';
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { expect, test } from 'vitest';
import { defaultSandboxId } from '../../../src/core/default-sandbox.ts';
import { RequestLog } from '../../../src/server/request-log.ts';
import { setTestServer } from '../../test-server.ts';

const requestLog = new RequestLog();
const server = setTestServer({ [defaultSandboxId]: {}, second: {} }, { requestLog });

/** Sends an unmodified header block and returns the status of the response. */
async function getStatus(target: string, hosts: readonly string[]): Promise<number> {
  const socket = connect(server.port, '127.0.0.1');
  await once(socket, 'connect');
  const answered = text(socket);
  socket.write(
    `GET ${target} HTTP/1.1\r\n${hosts.map((host) => `Host: ${host}\r\n`).join('')}Connection: close\r\n\r\n`,
  );
  return Number((await answered).slice(9, 12));
}

test('bad-request: two Host headers are rejected, in any order and even if they are equal', async () => {
  const own = `localhost:${server.port}`;
  for (const path of ['/', '/_control/v1/health', '/s/second/v1.0/policies']) {
    expect(await getStatus(path, [own, 'evil.example'])).toBe(400);
    expect(await getStatus(path, [own, own])).toBe(400);
    expect(await getStatus(path, ['evil.example', own])).toBe(403);
  }
});

test('origin-not-allowed: an absolute request target requires that its host and the Host header are both allowed', async () => {
  const own = `localhost:${server.port}`;
  expect(await getStatus('http://evil.example/_control/v1/health', [own])).toBe(403);
  expect(await getStatus(`http://${own}/_control/v1/health`, [own])).toBe(200);
  expect(await getStatus(`http://${own}/_control/v1/health`, ['evil.example'])).toBe(403);
});

test('origin-not-allowed: a target that is neither a path nor a URL matches no host and causes no failure', async () => {
  const own = `localhost:${server.port}`;
  for (const address of ['http://localhost:99999', 'http://[', 'http://%zz', 'http:']) {
    for (const path of ['/.well-known/openid-configuration', '/sign-in', '/_control/v1/health']) {
      // The parser rejects an unreadable target with 400, and the router returns 404 for an unknown one.
      const status = await getStatus(`${address}${path}`, [own]);
      expect([address, path, status]).toEqual([address, path, expect.toBeOneOf([400, 403, 404])]);
    }
  }
});

test('an absolute request target is routed to its sandbox', async () => {
  const own = `localhost:${server.port}`;
  const count = (id: string): number => requestLog.listRequests(id).requests.length;
  const before = [count(defaultSandboxId), count('second')] as const;
  await getStatus(`http://${own}/s/second/v1.0/policies`, [own]);
  expect([count(defaultSandboxId), count('second')]).toEqual([before[0], before[1] + 1]);
});
