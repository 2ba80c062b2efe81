import { readFileSync } from 'node:fs';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { getCACertificates, setDefaultCACertificates } from 'node:tls';
import { describe, expect, it, onTestFinished } from 'vitest';
import { afterDelay } from '../../../../src/core/clock.ts';
import { inMemory, planSandbox } from '../../../../src/sandbox/sandbox.ts';
import { Sandboxes } from '../../../../src/sandbox/sandboxes.ts';
import { HttpClient } from '../../../../src/scenario/drivers/http/http-client.ts';
import { localCertificate } from '../../../../src/server/https-certificate.ts';
import { startServer } from '../../../../src/server/start.ts';
import { suiteFolder } from '../../../cli/suite-folder.ts';

async function serving(listener: RequestListener, keepAliveTimeout?: number): Promise<string> {
  const server = createServer({ ...(keepAliveTimeout === undefined ? {} : { keepAliveTimeout }) }, listener);
  const listening = Promise.withResolvers<void>();
  server.listen(0, '127.0.0.1', listening.resolve);
  await listening.promise;
  onTestFinished(() => server.closeAllConnections());
  onTestFinished(() => void server.close());
  return `http://localhost:${(server.address() as AddressInfo).port}`;
}

function newClient(): HttpClient {
  const client = new HttpClient();
  onTestFinished(() => client.close());
  return client;
}

describe('HTTP client of the http driver', () => {
  it('sends the whole body, and reads the status, headers and non-ASCII text', async () => {
    const url = await serving((request, response) => {
      const { method, headers } = request;
      request.setEncoding('utf8').on('data', (text: string) => {
        response.writeHead(409, { 'set-cookie': ['a=1', 'b=2'] });
        response.end(`${method} ${headers['content-length']} ${headers['x-own']} ${text}`);
      });
    });
    const answer = await newClient().send({ method: 'POST', url, headers: { 'x-own': 'yes' }, body: 'Grüße' });
    expect(answer).toMatchObject({ status: 409, text: 'POST 7 yes Grüße', headers: { 'set-cookie': ['a=1', 'b=2'] } });
  });

  it('sends each header once, the credentials of the URL, and no body only where one is usual', async () => {
    const url = await serving(({ method, rawHeaders, url: path }, response) => {
      const names = rawHeaders.filter((_text, index) => index % 2 === 0).map((name) => name.toLowerCase());
      const {
        host,
        authorization,
        'content-length': length,
        'transfer-encoding': transfer,
      } = Object.fromEntries(names.map((name, index) => [name, rawHeaders[2 * index + 1]]));
      const isOnce = new Set(names).size === names.length;
      response.end(JSON.stringify({ method, path, isOnce, host, authorization, length, transfer }));
    });
    const client = newClient();
    const send = async (request: Parameters<HttpClient['send']>[0]): Promise<unknown> =>
      JSON.parse((await client.send(request)).text);
    const plain = { isOnce: true, host: new URL(url).host };
    expect(await send({ method: 'GET', url: `${url}/a?b=c#d` })).toEqual({ ...plain, method: 'GET', path: '/a?b=c' });
    expect(await send({ method: 'DELETE', url })).toEqual({ ...plain, method: 'DELETE', path: '/' });
    expect(await send({ method: 'POST', url })).toEqual({ ...plain, method: 'POST', path: '/', length: '0' });
    expect(await send({ method: 'GET', url, headers: { host: 'other.test' } })).toMatchObject({
      isOnce: true,
      host: 'other.test',
    });
    const named = url.replace('//', '//lab:se%20cret@');
    const authorization = `Basic ${Buffer.from('lab:se cret').toString('base64')}`;
    expect(await send({ method: 'GET', url: named })).toMatchObject({ ...plain, authorization });
  });

  it('server-unreachable: waits longer for a response on a kept connection than the server keeps idle connections', async () => {
    const [atRestMs, hintedMs, slowMs] = [2_000, 1_000, 1_300];
    const ports: (number | undefined)[] = [];
    const url = await serving((request, response) => {
      ports.push(request.socket.remotePort);
      if (ports.length === 1) response.end('at once');
      else afterDelay(slowMs, () => response.end('late'));
    }, atRestMs);
    const client = newClient();
    await client.send({ method: 'GET', url });
    expect(slowMs).toBeGreaterThan(hintedMs);
    expect(await client.send({ method: 'GET', url })).toMatchObject({ status: 200, text: 'late' });
    expect(ports[1]).toBe(ports[0]);
  });

  it('reuses its connection, and closes it once in-flight requests have finished', async () => {
    const ports = new Set<number | undefined>();
    const url = await serving((request, response) => {
      ports.add(request.socket.remotePort);
      response.end('here');
    });
    const client = newClient();
    for (const _ of [1, 2, 3]) await client.send({ method: 'GET', url });
    expect(ports.size).toBe(1);
    const running = client.send({ method: 'GET', url });
    await client.close();
    expect((await running).text).toBe('here');
  });

  it('server-unreachable: the error names the server if a connection is refused or breaks', async () => {
    const client = newClient();
    const url = await serving((request) => request.socket.destroy());
    await expect(client.send({ method: 'GET', url })).rejects.toMatchObject({ code: 'server-unreachable' });
    await expect(client.send({ method: 'GET', url: 'http://localhost:1' })).rejects.toMatchObject({
      code: 'server-unreachable',
      message: expect.stringContaining('http://localhost:1'),
    });
  });

  it('server-unreachable: over HTTPS, only servers with a trusted certificate authority are reachable', async () => {
    const certificate = await localCertificate(suiteFolder({}));
    const sandboxes = await Sandboxes.open(inMemory());
    await sandboxes.create('default', planSandbox({}));
    const server = await startServer({ sandboxes, port: 0, tls: certificate });
    onTestFinished(() => server.close());
    const health = { method: 'GET', url: `${server.controlUrl}/health` } as const;
    await expect(newClient().send(health)).rejects.toMatchObject({ code: 'server-unreachable' });
    const trusted = getCACertificates('default');
    setDefaultCACertificates([...trusted, readFileSync(certificate.authorityPath, 'utf8')]);
    onTestFinished(() => setDefaultCACertificates(trusted));
    expect((await newClient().send(health)).status).toBe(200);
  });
});
