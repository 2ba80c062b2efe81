import { once } from 'node:events';
import { connect } from 'node:net';
import pg from 'pg';
import { request } from 'undici';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { controlDocument } from '../../src/contract/control-openapi.ts';
import { PostgresStore } from '../../src/journal/stores/postgres.store.ts';
import { planSandbox } from '../../src/sandbox/sandbox.ts';
import { Sandboxes } from '../../src/sandbox/sandboxes.ts';
import { type RunningServer, startServer } from '../../src/server/start.ts';
import { runSql } from '../journal/postgres-server.ts';
import { setPostgres } from '../journal/set-postgres.ts';
import { nonEmpty } from '../non-empty.ts';

interface Instance {
  readonly sandboxes: Sandboxes;
  readonly server: RunningServer;
}

/** Parsed JSON of a response. `null` if the response is not JSON. */
interface ParsedResponse {
  readonly status: number;
  // biome-ignore lint/suspicious/noExplicitAny: an answer is read as the JSON that it is.
  readonly body: any;
  readonly headers: Headers;
}

describe('several servers on one database', () => {
  const postgres = setPostgres();
  let instances: Instance[] = [];
  let address = '';

  beforeEach(async () => {
    address = await postgres.database();
    for (const _ of ['a', 'b']) {
      const sandboxes = await Sandboxes.open(await PostgresStore.open(address));
      instances.push({ sandboxes, server: await startServer({ sandboxes, port: 0 }) });
    }
    await instances[0]?.sandboxes.create('x', planSandbox({ users: [{ id: 'ada' }] }));
  });
  afterEach(async () => {
    for (const { server, sandboxes } of instances) {
      await server.close();
      await sandboxes.close().catch(() => undefined);
    }
    instances = [];
  });

  async function at(
    which: number,
    method: string,
    path: string,
    body?: unknown,
    headers = {},
  ): Promise<ParsedResponse> {
    const url = `${instances[which]?.server.baseUrl}${path}`;
    const response = await fetch(url, {
      method,
      redirect: 'manual',
      headers: { ...(body === undefined ? {} : { 'content-type': 'application/json' }), ...headers },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    const isJson = response.headers.get('content-type')?.includes('json') === true;
    return {
      status: response.status,
      headers: response.headers,
      body: isJson && text !== '' ? JSON.parse(text) : null,
    };
  }
  const control = (which: number, method: string, path: string, body?: unknown): Promise<ParsedResponse> =>
    at(which, method, `/_control/v1/sandboxes/x${path}`, body);

  const operations = Object.entries(controlDocument.paths ?? {}).flatMap(([path, of]) =>
    Object.keys(of ?? {})
      .filter((method) => path.includes('{sandbox}') && ['get', 'put', 'post', 'patch', 'delete'].includes(method))
      .map((method) => [method.toUpperCase(), path] as const),
  );

  test('every control API operation on a sandbox enters it first', async () => {
    expect(operations.length).toBeGreaterThan(40);
    const second = instances[1]?.sandboxes as Sandboxes;
    const enter = vi.spyOn(second, 'enter');
    for (const [method, path] of operations) {
      enter.mockClear();
      const url = `${instances[1]?.server.controlUrl}${path.replace('{sandbox}', 'none').replaceAll(/\{\w+\}/g, '1')}`;
      const body = ['GET', 'DELETE'].includes(method)
        ? {}
        : { headers: { 'content-type': 'application/json' }, body: '{}' };
      const { status } = await fetch(url, { method, ...body });
      // An invalid body is rejected before the sandbox is entered. Otherwise no sandbox of this name exists.
      if (status !== 400) expect([method, path, status, enter.mock.calls]).toEqual([method, path, 404, [['none']]]);
    }
  });

  test.each([
    ['GET', '/v1.0/policies/authenticationMethodsPolicy'],
    ['GET', '/api/v2/?tool=x'],
    ['GET', '/api/v1/document/'],
    ['GET', '/sign-in'],
    ['POST', '/sign-in'],
    ['GET', '/security-info'],
    ['GET', '/try'],
    ['GET', '/lookup/tokens'],
    ['GET', '/.well-known/openid-configuration'],
    ['GET', '/oauth2/jwks'],
    ['POST', '/oauth2/token'],
    ['GET', ''],
  ])('%s %s of a sandbox enters it first, in any encoding of its id', async (method, path) => {
    const enter = vi.spyOn(instances[1]?.sandboxes as Sandboxes, 'enter');
    for (const id of ['x', '%78']) {
      enter.mockClear();
      expect((await at(1, method, `/s/${id}${path}`)).status).not.toBe(500);
      expect(enter.mock.calls).toEqual([['x']]);
    }
  });

  test('a change acknowledged by one server is immediately visible on the other', async () => {
    for (let turn = 0; turn < 6; turn += 1) {
      const written = await control(turn % 2, 'PUT', `/users/user-${turn}`, { methods: ['sms'] });
      expect(written.status).toBeLessThan(300);
      expect((await control((turn + 1) % 2, 'GET', `/users/user-${turn}`)).status).toBe(200);
      await control((turn + 1) % 2, 'POST', '/clock/advance', { hours: 1 });
      const [one, other] = [await control(0, 'GET', '/clock'), await control(1, 'GET', '/clock')];
      expect(one.body).toEqual(other.body);
    }
    const journals = await Promise.all([0, 1].map((which) => control(which, 'GET', '/journal')));
    expect(journals[0]?.body).toEqual(journals[1]?.body);
    expect(journals[0]?.body.entries).toHaveLength(13);
  });

  test('concurrent changes on both servers are all stored, each once', async () => {
    const names = Array.from({ length: 40 }, (_, index) => `user-${index}`);
    await Promise.all(names.map((name, index) => control(index % 2, 'PUT', `/users/${name}`, {})));
    const { entries } = (await control(1, 'GET', '/journal')).body;
    expect(entries.map(({ seq }: { seq: number }) => seq)).toEqual(Array.from({ length: 41 }, (_, index) => index + 1));
    const put = entries.slice(1).map(({ event }: { event: { user: { id: string } } }) => event.user.id);
    expect(put.toSorted()).toEqual(names.toSorted());
  });

  test('an event stream of one server contains the events written by the other', async () => {
    const response = await fetch(`${instances[1]?.server.controlUrl}/sandboxes/x/events`);
    const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader();
    await control(0, 'PUT', '/users/told', {});
    let received = '';
    while (!received.includes('"told"')) received += (await reader?.read())?.value ?? '';
    expect(received).toContain('id:2');
    await reader?.cancel();
  });

  test('sandbox-not-found: a sandbox deleted by one server is gone on the other, and its id can be reused', async () => {
    const token = await tokenAt(1);
    expect((await control(1, 'GET', '')).status).toBe(200);
    expect((await control(0, 'DELETE', '')).status).toBe(204);
    expect((await control(1, 'GET', '')).status).toBe(404);
    expect((await at(0, 'POST', '/_control/v1/sandboxes', { id: 'x' })).status).toBe(201);
    expect((await control(1, 'GET', '')).body).toMatchObject({ users: 0, entries: 1 });
    expect((await policyAt(1, token)).status).toBe(401);
  });

  test('a sandbox restored by one server is also restored on the other', async () => {
    await control(1, 'PUT', '/users/late', {});
    await control(0, 'POST', '/reset');
    expect((await control(1, 'GET', '/users/late')).status).toBe(404);
    await control(1, 'PUT', '/users/later', {});
    expect((await control(0, 'GET', '/users/later')).status).toBe(200);
  });

  test('a token of one server is valid on the other until either revokes it', async () => {
    const token = await tokenAt(0);
    for (const which of [1, 0, 1]) expect((await policyAt(which, token)).status).toBe(200);
    await instances[1]?.sandboxes.within('x', ({ tokens }) => tokens.revoke(token));
    for (const which of [0, 1]) expect((await policyAt(which, token)).status).toBe(401);
  });

  test('servers behind one host are one issuer with the URL of that host', async () => {
    const publicUrl = 'https://lab.example';
    for (const { sandboxes } of nonEmpty(instances)) {
      const server = await startServer({ sandboxes, port: 0, publicUrl });
      const { issuer } = await sandboxes.within('x', ({ tokens }) => tokens);
      expect(issuer).toBe(`${publicUrl}/s/x`);
      const { statusCode } = await request(`${server.baseUrl}/s/x/oauth2/jwks`, { headers: { host: 'lab.example' } });
      expect(statusCode).toBe(200);
      await server.close();
    }
  });

  test('a fault with two occurrences applies to two requests, regardless of the server', async () => {
    const set = await control(0, 'PUT', '/faults', {
      faults: [{ kind: 'server-error', endpoint: 'policy', status: 500, times: 2 }],
    });
    expect(set.status).toBe(200);
    const token = await tokenAt(0);
    const statuses: number[] = [];
    for (const which of [0, 1, 0, 1]) statuses.push((await policyAt(which, token)).status);
    expect(statuses).toEqual([500, 500, 200, 200]);
  });

  test('the files of a document uploaded to one server are available on the other', async () => {
    const { plainPdf } = await import('../../src/sandbox/documents/plain-pdf.ts');
    const page = { width: 600, height: 800, content: 'A page that was read elsewhere' } as never;
    const added = await fetch(
      `${instances[0]?.server.controlUrl}/sandboxes/x/document-uploads?public=true&listed=true`,
      {
        method: 'POST',
        headers: { 'content-type': 'application/pdf' },
        body: Buffer.from(plainPdf([page], 'Elsewhere')),
      },
    );
    expect(added.status).toBe(201);
    const { id } = (await added.json()) as { id: number };
    const record = await at(1, 'GET', `/s/x/api/v1/document/${id}/`);
    expect(record.status).toBe(200);
    const file = await fetch(record.body.file_url);
    expect([file.status, file.headers.get('content-type')]).toEqual([200, 'application/pdf']);
  });

  test('store-moved: a slow request on one server does not lock the sandbox for the other', async () => {
    const { port = 0 } = instances[0]?.server ?? {};
    const socket = connect(port, '127.0.0.1');
    await once(socket, 'connect');
    socket.write(
      `POST /s/x/sign-in HTTP/1.1\r\nHost: localhost:${port}\r\nContent-Type: application/x-www-form-urlencoded\r\nContent-Length: 400\r\n\r\nusername=`,
    );
    // The response shows that the request above has arrived.
    await at(0, 'GET', '/_control/v1/health');
    expect((await control(1, 'PUT', '/users/quick', {})).status).toBeLessThan(300);
    socket.write('x'.repeat(391));
    const [answer] = (await once(socket, 'data')) as [Buffer];
    expect(String(answer)).toMatch(/^HTTP\/1.1 503/);
    socket.destroy();
  });

  test('store-unavailable: during a database outage each API reports this in its format, and all recover afterwards', async () => {
    const token = await tokenAt(0);
    postgres.crash();
    try {
      await vi.waitFor(async () => expect((await control(0, 'GET', '')).status).toBe(503), { timeout: 5_000 });
      const answers = await Promise.all([
        control(0, 'PUT', '/users/lost', {}),
        policyAt(0, token),
        at(1, 'GET', '/s/x/api/v2/?tool=x'),
        at(1, 'GET', '/s/x/api/v1/document/'),
        at(1, 'POST', '/s/x/oauth2/token'),
        at(0, 'GET', '/s/x/sign-in'),
      ]);
      for (const { status, headers } of nonEmpty(answers))
        expect([status, headers.get('retry-after')]).toEqual([503, '1']);
      expect(answers[0]?.body.error.code).toBe('store-unavailable');
      expect(answers[1]?.body.error.code).toBeTypeOf('string');
      expect(answers[4]?.body.error).toBe('temporarily_unavailable');
      expect((await at(0, 'GET', '/_control/v1/health')).status).toBe(200);
      expect((await at(0, 'GET', '/_control/v1/ready')).status).toBe(503);
    } finally {
      postgres.start();
    }
    for (const which of [0, 1]) {
      await vi.waitFor(async () => expect((await control(which, 'GET', '/users/ada')).status).toBe(200), {
        timeout: 10_000,
      });
    }
    expect((await control(1, 'GET', '/users/lost')).status).toBe(404);
    expect((await policyAt(1, token)).status).toBe(200);
  }, 60_000);

  test('store-unavailable: a change that is being stored when the database stops fails in the format of its API', async () => {
    const token = await tokenAt(0);
    const bearer = { authorization: `Bearer ${token}` };
    const holder = new pg.Client({ connectionString: address });
    holder.on('error', () => undefined);
    await holder.connect();
    await holder.query('BEGIN; LOCK TABLE entry IN EXCLUSIVE MODE');
    const campaignChange = {
      registrationEnforcement: { authenticationMethodsRegistrationCampaign: { state: 'enabled' } },
    };
    const policyPath = '/s/x/v1.0/policies/authenticationMethodsPolicy';
    const answers = Promise.all([
      at(0, 'PATCH', policyPath, campaignChange, bearer),
      control(0, 'PATCH', '/users/ada', { displayName: 'Ada' }),
    ]);
    const waiting = "SELECT count(*)::int AS count FROM pg_stat_activity WHERE wait_event_type = 'Lock'";
    await expect.poll(() => runSql(address, waiting)).toEqual([{ count: 1 }]);
    postgres.crash();
    try {
      for (const { status, headers, body } of nonEmpty(await answers)) {
        expect([status, headers.get('retry-after'), body?.error?.code]).toEqual([503, '1', expect.any(String)]);
      }
      // The token is valid, although no server can read the keys now.
      for (const which of [0, 1]) expect((await policyAt(which, token)).status).toBe(503);
    } finally {
      postgres.start();
    }
  }, 60_000);

  async function tokenAt(which: number): Promise<string> {
    const tokenRequest = { app: 'test', permissions: ['Policy.Read.All', 'Policy.ReadWrite.AuthenticationMethod'] };
    return (await control(which, 'POST', '/tokens', tokenRequest)).body.access_token;
  }

  function policyAt(which: number, token: string): Promise<ParsedResponse> {
    const headers = { authorization: `Bearer ${token}` };
    return at(which, 'GET', '/s/x/v1.0/policies/authenticationMethodsPolicy', undefined, headers);
  }
});
