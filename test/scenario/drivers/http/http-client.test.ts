import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer, type RequestListener } from 'node:http';
import { type AddressInfo, createServer as createSocketServer, type Socket } from 'node:net';
import { getCACertificates, setDefaultCACertificates } from 'node:tls';
import { describe, expect, it, onTestFinished } from 'vitest';
import { afterDelay } from '../../../../src/core/clock.ts';
import { inMemory, planSandbox } from '../../../../src/sandbox/sandbox.ts';
import { Sandboxes } from '../../../../src/sandbox/sandboxes.ts';
import { HttpClient } from '../../../../src/scenario/drivers/http/http-client.ts';
import { localCertificate } from '../../../../src/server/https-certificate.ts';
import { startServer } from '../../../../src/server/start.ts';
import { suiteFolder } from '../../../cli/suite-folder.ts';

async function serving(listener: RequestListener, keepAliveTimeout?: number, host = '127.0.0.1'): Promise<string> {
  const server = createServer({ ...(keepAliveTimeout === undefined ? {} : { keepAliveTimeout }) }, listener);
  const listening = Promise.withResolvers<void>();
  server.once('error', listening.reject).listen(0, host, listening.resolve);
  await listening.promise;
  onTestFinished(() => server.closeAllConnections());
  onTestFinished(() => void server.close());
  return `http://localhost:${(server.address() as AddressInfo).port}`;
}

/** Starts a server that writes the given texts in small pieces, one text for each request, and ends the connection after the last. */
async function writing(...responses: readonly string[]): Promise<{ url: string; connections: readonly Socket[] }> {
  const connections: Socket[] = [];
  const server = createSocketServer((socket) => {
    connections.push(socket);
    // A client that refuses a response resets the connection.
    socket.on('error', () => socket.destroy());
    let count = 0;
    socket.setNoDelay(true).on('data', () => {
      const response = Buffer.from(responses[count] ?? '', 'latin1');
      const size = Math.ceil(response.length / 500);
      count += 1;
      for (let from = 0; from < response.length; from += size) socket.write(response.subarray(from, from + size));
      if (count === responses.length) socket.end();
    });
  });
  const listening = Promise.withResolvers<void>();
  server.listen(0, '127.0.0.1', listening.resolve);
  await listening.promise;
  onTestFinished(() => void server.close());
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, connections };
}

/** Returns a response with the given chunks, and with further headers. */
function chunked(chunks: string, headers = ''): string {
  return `HTTP/1.1 200 OK\r\n${headers}Transfer-Encoding: chunked\r\n\r\n${chunks}`;
}

const ok = 'HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok';

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

  it.each([
    [
      'a body in chunks',
      'GET',
      'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2;a=b\r\nok\r\n0\r\nX-End: 1\r\n\r\n',
      'ok',
    ],
    ['a body that ends with the connection', 'GET', 'HTTP/1.1 200 OK\r\n\r\nok', 'ok'],
    ['a body of HTTP/1.0', 'GET', 'HTTP/1.0 200 OK\r\nContent-Length: 2\r\n\r\nok', 'ok'],
    ['a final response after informational ones', 'PUT', `HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n${ok}`, 'ok'],
    ['a body in several chunks', 'GET', chunked(`${'1\r\no\r\n'.repeat(9_000)}0\r\n\r\n`), 'o'.repeat(9_000)],
    ['a final response after one with a length', 'GET', `HTTP/1.1 100 X\r\nContent-Length: 5\r\n\r\n${ok}`, 'ok'],
    ['headers without the body that they describe', 'HEAD', 'HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n', ''],
  ] as const)('reads %s', async (_name, method, response, text) => {
    const { url } = await writing(response);
    expect(await newClient().send({ method, url })).toMatchObject({ status: 200, text });
  });

  it.each(['Content-Length: 2', 'Transfer-Encoding: chunked', 'X: y'])(
    'expects no body after the statuses 204 and 304 with the header %s',
    async (header) => {
      for (const status of [204, 304]) {
        const { url, connections } = await writing(`HTTP/1.1 ${status} X\r\n${header}\r\n\r\n`, ok);
        const client = newClient();
        expect(await client.send({ method: 'GET', url })).toMatchObject({ status, text: '' });
        expect(await client.send({ method: 'GET', url })).toMatchObject({ status: 200, text: 'ok' });
        expect(connections).toHaveLength(1);
      }
    },
  );

  it('joins repeated headers, keeps cookies apart, reads the first location, and reads bytes outside ASCII as Latin-1', async () => {
    const { url } = await writing(
      'HTTP/1.1 204 No\r\nA: 1\r\na:  2 \r\nSet-Cookie: b=1\r\nSet-Cookie: c=2\r\nD: \xe9\r\nLocation: /e\r\nLocation: /f\r\nConstructor: g\r\nConstructor: h\r\n\r\n',
    );
    const { status, headers } = await newClient().send({ method: 'GET', url });
    expect([status, headers]).toEqual([
      204,
      { a: '1, 2', 'set-cookie': ['b=1', 'c=2'], d: 'é', location: '/e', constructor: 'g, h' },
    ]);
  });

  const cut = 'the connection was closed before the response was complete';
  const invalid = 'the response is not valid HTTP';
  it.each([
    ['nothing', '', cut],
    ['a part of its body', 'HTTP/1.1 200 OK\r\nContent-Length: 3\r\n\r\nok', cut],
    ['a part of its headers', 'HTTP/1.1 200 OK\r\nContent-Le', cut],
    ['a part of its chunks', chunked('2\r\nok\r\n'), cut],
    ['another protocol', 'SSH-2.0-x\r\n', invalid],
    ['a status that does not exist', 'HTTP/1.1 000 X\r\n\r\n', invalid],
    ['a change of the protocol', 'HTTP/1.1 101 X\r\n\r\n', invalid],
    ['too many headers', `HTTP/1.1 200 OK\r\n${'A: b\r\n'.repeat(2_800)}\r\n`, invalid],
    ['a header without a name', 'HTTP/1.1 200 OK\r\nA\r\nContent-Length: 2\r\n\r\nok', invalid],
    ['a header name with a space', 'HTTP/1.1 200 OK\r\nA : b\r\nContent-Length: 2\r\n\r\nok', invalid],
    ['a header with a carriage return', 'HTTP/1.1 200 OK\r\nA: b\rc\r\nContent-Length: 2\r\n\r\nok', invalid],
    ['lines without a carriage return', 'HTTP/1.1 200 OK\nContent-Length: 2\n\nok', invalid],
    ['a length that is no number', 'HTTP/1.1 200 OK\r\nContent-Length: abc\r\n\r\nok', invalid],
    ['a negative length', 'HTTP/1.1 200 OK\r\nContent-Length: -2\r\n\r\nok', invalid],
    ['a list of lengths', 'HTTP/1.1 200 OK\r\nContent-Length: 2, 2\r\n\r\nok', invalid],
    ['two lengths', 'HTTP/1.1 200 OK\r\nContent-Length: 2\r\nContent-Length: 2\r\n\r\nok', invalid],
    ['a length and chunks', chunked('2\r\nok\r\n0\r\n\r\n', 'Content-Length: 2\r\n'), invalid],
    ['an unknown coding', 'HTTP/1.1 200 OK\r\nTransfer-Encoding: gzip, chunked\r\n\r\n2\r\nok\r\n0\r\n\r\n', invalid],
    ['a chunk that is longer than its size', chunked('2\r\noks\r\n0\r\n\r\n'), invalid],
    ['a trailer without a name', chunked('0\r\nA\r\n\r\n'), invalid],
  ])('server-unreachable: a response is refused that consists of %s', async (_name, response, reason) => {
    const { url } = await writing(response);
    await expect(newClient().send({ method: 'GET', url })).rejects.toMatchObject({
      code: 'server-unreachable',
      message: `${url}: ${reason}`,
    });
  });

  it.each(['-5', '+5', '5x', '0x5', '5.0', 'zz', '', ' 5', '1ffffffffffff'])(
    'server-unreachable: a chunk of the size "%s" is refused',
    async (size) => {
      const { url } = await writing(chunked(`${size}\r\na: bc\r\n0\r\n\r\n`));
      await expect(newClient().send({ method: 'GET', url })).rejects.toThrow(`${url}: ${invalid}`);
    },
  );

  it('keeps no connection whose server has not read the whole request', async () => {
    const connections: Socket[] = [];
    const server = createSocketServer((socket) => {
      connections.push(socket);
      socket.on('error', () => socket.destroy()).once('data', () => socket.pause().write(ok));
    });
    const listening = Promise.withResolvers<void>();
    server.listen(0, '127.0.0.1', listening.resolve);
    await listening.promise;
    onTestFinished(() => void server.close());
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const client = newClient();
    expect((await client.send({ method: 'POST', url, body: 'x'.repeat(20_000_000) })).text).toBe('ok');
    expect((await client.send({ method: 'GET', url })).text).toBe('ok');
    expect(connections).toHaveLength(2);
  });

  it.each([`timeout=${'9'.repeat(400)}`, 'timeout=99999999', 'timeout=x'])('accepts the hint %s', async (hint) => {
    const { url } = await writing(`HTTP/1.1 200 OK\r\nKeep-Alive: ${hint}\r\nContent-Length: 2\r\n\r\nok`);
    expect((await newClient().send({ method: 'GET', url })).text).toBe('ok');
  });

  it('opens another connection if the server has closed the last one, or has sent more than one response', async () => {
    const [closing, talkative] = [await writing(ok), await writing(`${ok}${ok}`, ok)];
    const client = newClient();
    for (const { url, connections } of [closing, talkative]) {
      for (const _ of [1, 2]) {
        expect((await client.send({ method: 'GET', url })).text).toBe('ok');
        const socket = connections.at(-1);
        if (socket?.destroyed === false) await once(socket, 'close');
      }
      expect(connections).toHaveLength(2);
    }
  });

  it('carries one request on a connection at a time, and refuses header values that would begin another line', async () => {
    const ports: (number | undefined)[] = [];
    const url = await serving((request, response) => {
      ports.push(request.socket.remotePort);
      response.end(String(request.headers['x-own']));
    });
    const client = newClient();
    const send = (value: string): Promise<string> =>
      client.send({ method: 'GET', url, headers: { 'x-own': value } }).then(({ text }) => text);
    await expect(send('a\r\nx-other: b')).rejects.toThrow('the header x-own contains an invalid character');
    const named = client.send({ method: 'GET', url, headers: { 'b\nz': 'c' } });
    await expect(named).rejects.toThrow('the header name "b\\nz" is invalid');
    expect(await Promise.all(['a', 'b', 'c'].map(send))).toEqual(['a', 'b', 'c']);
    expect(await Promise.all(['d', 'e', 'f'].map(send))).toEqual(['d', 'e', 'f']);
    expect([ports.length, new Set(ports).size]).toEqual([6, 3]);
  });

  it('send: reaches a server on either loopback address as localhost', async () => {
    const send = async (host: string) => {
      const url = await serving((request, response) => response.end(request.headers.host), undefined, host);
      return { url, text: (await newClient().send({ method: 'GET', url })).text };
    };
    const older = await send('127.0.0.1');
    expect(`http://${older.text}`).toBe(older.url);
    // Some containers have no IPv6.
    const newer = await send('::1').catch((error: unknown) => error);
    expect(newer).toSatisfy((one: typeof older & { code?: string }) =>
      one.code === undefined ? `http://${one.text}` === one.url : ['EADDRNOTAVAIL', 'EAFNOSUPPORT'].includes(one.code),
    );
  });

  it('server-unreachable: the error names the server if a connection is refused or breaks', async () => {
    const client = newClient();
    const url = await serving((request) => request.socket.destroy());
    await expect(client.send({ method: 'GET', url })).rejects.toMatchObject({ code: 'server-unreachable' });
    await expect(client.send({ method: 'GET', url: 'http://localhost:1' })).rejects.toMatchObject({
      code: 'server-unreachable',
      message: 'http://localhost:1: connect ECONNREFUSED 127.0.0.1:1',
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
