import { connect, type Socket } from 'node:net';
import { describe, expect, it, onTestFinished } from 'vitest';
import { MemoryStore } from '../../../src/journal/stores/memory.store.ts';
import { planSandbox } from '../../../src/sandbox/sandbox.ts';
import { Sandboxes } from '../../../src/sandbox/sandboxes.ts';
import { type RunningServer, type ServerOptions, startServer } from '../../../src/server/start.ts';
import type { AnsweredRequest } from '../../../src/server/traffic/traffic.ts';
import { nonEmpty } from '../../non-empty.ts';

const campaign = { state: 'disabled' };

interface Running {
  readonly server: RunningServer;
  readonly sandboxes: Sandboxes;
  readonly stop: (graceMs?: number) => Promise<void>;
}

async function running(options: Partial<ServerOptions> = {}): Promise<Running> {
  const sandboxes = await Sandboxes.open(new MemoryStore());
  for (const id of ['default', 'other']) {
    await sandboxes.create(id, planSandbox({ tenant: { campaign }, users: [{ id: 'ada' }] }));
  }
  const server = await startServer({ sandboxes, port: 0, ...options });
  let stopped: Promise<void> | null = null;
  const stop = (graceMs?: number): Promise<void> => {
    stopped ??= server.close(graceMs);
    return stopped;
  };
  onTestFinished(async () => {
    await stop();
    await sandboxes.close();
  });
  return { server, sandboxes, stop };
}

/** Request with an incomplete body, which keeps it in flight until the test completes it. */
interface HeldRequest {
  readonly socket: Socket;
  /** Returns everything that the server has sent. */
  readonly answer: () => string;
  /** Resolves when the text sent by the server satisfies the condition. */
  until(holds: (text: string) => boolean): Promise<void>;
  finish(): void;
  readonly closed: Promise<void>;
}

const body = 'username=nobody';

async function hold({ port }: RunningServer): Promise<HeldRequest> {
  const socket = connect(port, '127.0.0.1');
  let text = '';
  const waiting: { holds: (text: string) => boolean; resolve: () => void }[] = [];
  socket.setEncoding('utf8').on('data', (chunk) => {
    text += String(chunk);
    for (const { holds, resolve } of waiting) if (holds(text)) resolve();
  });
  socket.on('error', () => undefined);
  const { promise: closed, resolve: onClosed } = Promise.withResolvers<void>();
  socket.once('close', () => onClosed());
  onTestFinished(() => void socket.destroy());
  const type = 'application/x-www-form-urlencoded';
  socket.write(
    `POST /sign-in HTTP/1.1\r\nHost: localhost:${port}\r\nContent-Type: ${type}\r\nContent-Length: ${body.length}\r\n` +
      'Expect: 100-continue\r\n\r\n',
  );
  const held: HeldRequest = {
    socket,
    answer: () => text,
    until: (holds) => {
      const { promise, resolve } = Promise.withResolvers<void>();
      if (holds(text)) resolve();
      else waiting.push({ holds, resolve });
      return promise;
    },
    finish: () => void socket.write(body),
    closed,
  };
  await held.until((sent) => sent.includes('100 Continue'));
  return held;
}

const addresses = [
  ['/v1.0/policies/authenticationMethodsPolicy', ({ error }: Json) => (error as Json)['code'] === 'serviceUnavailable'],
  ['/api/v2/?action=usage', ({ success, code }: Json) => success === false && code === 503],
  ['/api/v1/document/', ({ detail }: Json) => typeof detail === 'string'],
  ['/oauth2/token', ({ error }: Json) => error === 'temporarily_unavailable'],
  ['/.well-known/openid-configuration', ({ error }: Json) => error === 'temporarily_unavailable'],
  ['/_control/v1/sandboxes', ({ error }: Json) => (error as Json)['code'] === 'server-busy'],
  ['/_metrics', ({ error }: Json) => (error as Json)['code'] === 'server-busy'],
] as const;

type Json = Record<string, unknown>;

describe('too many in-flight requests', () => {
  it('server-busy: a request beyond the limit gets Retry-After in the format of each API, then the server recovers', async () => {
    const { server } = await running({ limits: { requestsMax: 2 } });
    const held = [await hold(server), await hold(server)];
    for (const [path, hasShape] of addresses) {
      for (const prefix of path.startsWith('/_') ? [''] : ['', '/s/other']) {
        const response = await fetch(`${server.baseUrl}${prefix}${path}`);
        expect([path, response.status, response.headers.get('retry-after')]).toEqual([path, 503, '1']);
        expect([path, hasShape((await response.json()) as Json)]).toEqual([path, true]);
      }
    }
    const page = await fetch(`${server.baseUrl}/sign-in`);
    expect([
      page.status,
      page.headers.get('retry-after'),
      (await page.text()).includes('data-error="server-busy"'),
    ]).toEqual([503, '1', true]);
    for (const path of ['health', 'ready']) expect((await fetch(`${server.controlUrl}/${path}`)).status).toBe(200);
    for (const request of held) request.finish();
    for (const request of held) await request.until((text) => text.includes('HTTP/1.1 400'));
    expect((await fetch(`${server.baseUrl}/sign-in`)).status).toBe(200);
    const metrics = await (await fetch(`${server.baseUrl}/_metrics`)).text();
    expect(metrics).toMatch(/nudgelab_http_requests_refused_total 13\n/);
  });

  it('event streams do not count as in-flight requests and have a separate limit', async () => {
    const { server } = await running({ limits: { requestsMax: 1 } });
    const streams: Response[] = [];
    for (const id of ['default', 'other', 'default']) {
      streams.push(await fetch(`${server.controlUrl}/sandboxes/${id}/events`));
    }
    expect(streams.map(({ status }) => status)).toEqual([200, 200, 200]);
    expect((await fetch(`${server.baseUrl}/sign-in`)).status).toBe(200);
    for (const stream of streams) await stream.body?.cancel();
  });
});

describe('server shutdown', () => {
  it('in-flight requests complete, streams end, new connections are rejected, and the readiness check fails', async () => {
    const { server, stop } = await running();
    const held = await hold(server);
    const stream = await fetch(`${server.controlUrl}/sandboxes/default/events`);
    const connection = connect(server.port, '127.0.0.1');
    onTestFinished(() => void connection.destroy());
    // A partially received request keeps its connection open.
    connection.write(`GET /_control/v1/ready HTTP/1.1\r\nHost: localhost:${server.port}\r\n`);
    await fetch(`${server.controlUrl}/ready`);
    const ended = stop(20_000);
    expect((await stream.text()).includes('event:')).toBe(false);
    await expect(fetch(`${server.controlUrl}/health`)).rejects.toThrow();
    held.finish();
    await held.until((text) => text.includes('HTTP/1.1 400'));
    expect(held.answer()).toMatch(/connection: close/i);
    const { promise, resolve } = Promise.withResolvers<string>();
    connection.setEncoding('utf8').once('data', (text) => resolve(String(text)));
    connection.write('\r\n');
    expect(await promise).toMatch(/^HTTP\/1\.1 503[\s\S]*server-not-ready/);
    await ended;
  });

  it('a client that never completes its request is disconnected after the timeout', async () => {
    const { server, stop } = await running();
    const held = await hold(server);
    await stop(20);
    await held.closed;
    expect(held.answer()).not.toContain('HTTP/1.1 4');
  });

  it('server-not-ready: a failed store makes the readiness check fail, but not the health check', async () => {
    const { server, sandboxes } = await running();
    sandboxes.get('default').recorder.store.flushed = () => Promise.reject(new Error('no space'));
    const ready = await fetch(`${server.controlUrl}/ready`);
    expect([ready.status, ready.headers.get('retry-after')]).toEqual([503, '1']);
    expect(await ready.json()).toMatchObject({ error: { code: 'server-not-ready' } });
    expect((await fetch(`${server.controlUrl}/health`)).status).toBe(200);
  });
});

describe('metrics', () => {
  it('requests are counted by route, method and status, and no label names a sandbox or a user', async () => {
    const { server } = await running();
    for (const user of ['ada', 'nobody', 'planted-in-a-path']) {
      await fetch(`${server.controlUrl}/sandboxes/default/users/${user}`);
    }
    await fetch(`${server.baseUrl}/phone/planted-in-a-path@example.test`);
    await fetch(`${server.baseUrl}/planted-in-a-path`, { method: 'REPORT' });
    const response = await fetch(`${server.baseUrl}/_metrics`);
    expect(response.headers.get('content-type')).toContain('text/plain; version=0.0.4');
    const text = await response.text();
    const route = '/_control/v1/sandboxes/:sandbox/users/:user';
    expect(text).toContain(`nudgelab_http_requests_total{route="${route}",method="GET",status="200"} 1\n`);
    expect(text).toContain(`nudgelab_http_requests_total{route="${route}",method="GET",status="404"} 2\n`);
    expect(text).toContain(`nudgelab_http_request_duration_seconds_count{route="${route}"} 3\n`);
    expect(text).toContain(`nudgelab_http_request_duration_seconds_bucket{route="${route}",le="+Inf"} 3\n`);
    expect(text).toMatch(/^nudgelab_http_request_duration_seconds_sum\{route="none"\} \d+(?:\.\d+)?(?:e-\d+)?$/m);
    expect(text).toContain('nudgelab_http_requests_total{route="none",method="OTHER",status="404"} 1\n');
    expect(text).toContain('nudgelab_sandboxes 2\n');
    expect(text).toContain('process_cpu_seconds_total');
    for (const [, name, type] of nonEmpty(text.matchAll(/^# TYPE (\w+) (\w+)$/gm))) {
      expect([name, type, name?.endsWith('_total')]).toEqual([name, type, type === 'counter']);
    }
    expect(text).not.toContain('planted');
  });

  it('internal-error: each response is reported with an id of its own and the time that it took', async () => {
    const answered: AnsweredRequest[] = [];
    const { server } = await running({ onAnswered: (one) => answered.push(one) });
    for (const path of ['/sign-in', '/s/other/sign-in', '/nowhere']) await fetch(`${server.baseUrl}${path}`);
    await expect.poll(() => answered.length).toBe(3);
    expect(answered.map(({ id, sandbox, status }) => [id, sandbox, status])).toEqual([
      ['request-1', 'default', 200],
      ['request-2', 'other', 200],
      ['request-3', 'default', 404],
    ]);
    for (const { ms } of nonEmpty(answered)) expect(ms).toBeGreaterThanOrEqual(0);
  });

  it('control-key-invalid: metrics require the control key', async () => {
    const key = 'the-key-of-this-test-server';
    const { server } = await running({ controlKey: key });
    const getStatus = async (headers = {}) => (await fetch(`${server.baseUrl}/_metrics`, { headers })).status;
    expect([await getStatus(), await getStatus({ authorization: `Bearer ${key}` })]).toEqual([401, 200]);
  });
});
