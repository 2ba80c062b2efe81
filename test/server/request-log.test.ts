import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { planSandbox } from '../../src/sandbox/sandbox.ts';
import { RequestLog } from '../../src/server/request-log.ts';
import { type IdentityServer, otherSandboxId, startIdentityServer } from './identity-server.ts';

describe('ring buffer', () => {
  const filled = (requests: number, requestsMax: number): RequestLog => {
    const log = new RequestLog({ requestsMax });
    for (let at = 1; at <= requests; at += 1) log.note('a', 'GET', `/${at}`, at).status = 200;
    return log;
  };

  test.for([
    [0, 0, []],
    [2, 0, ['/1', '/2']],
    [3, 0, ['/1', '/2', '/3']],
    [4, 1, ['/2', '/3', '/4']],
    [7, 4, ['/5', '/6', '/7']],
  ] as const)(
    'request log: of %i requests, a ring buffer of three drops %i and reports it',
    ([requests, dropped, paths]) => {
      const list = filled(requests, 3).listRequests('a');
      expect([list.dropped, list.requests.map(({ path }) => path)]).toEqual([dropped, paths]);
    },
  );

  test('request log: each sandbox has its own ring buffer, which is empty after removal', () => {
    const log = filled(3, 3);
    log.note('b', 'GET', '/x', 1);
    expect(log.listRequests('b').requests).toHaveLength(1);
    log.forget('a');
    expect([log.listRequests('a'), log.listRequests('b').requests.length]).toEqual([
      { requests: [], total: 0, dropped: 0 },
      1,
    ]);
  });

  test('request log: a query is stored only as a keyed hash', () => {
    const log = new RequestLog();
    for (const url of ['/x?code=123456', '/x?code=123456', '/x?code=654321', '/x', '/x?']) log.note('a', 'GET', url, 0);
    const { requests } = log.listRequests('a');
    const hashes = requests.map(({ queryHash }) => queryHash);
    expect(JSON.stringify(requests)).not.toContain('123456');
    expect([hashes[0] === hashes[1], hashes[0] === hashes[2], hashes[3]]).toEqual([true, false, null]);
    const elsewhere = new RequestLog();
    elsewhere.note('a', 'GET', '/x?code=123456', 0);
    expect(elsewhere.listRequests('a').requests[0]?.queryHash).not.toBe(hashes[0]);
  });

  test('request log: a path filter matches the start of a path, in any case, with or without the prefix', () => {
    const log = new RequestLog();
    for (const url of ['/s/a/Sign-In', '/s/a/sign-in/s2', '/s/a/v1.0/x']) log.note('a', 'GET', url, 0);
    const found = (path: string) => log.listRequests('a', { path }).requests.length;
    expect([found('/sign-in'), found('/s/a/SIGN-IN/'), found('/v1.0'), found('/sign-in/s3')]).toEqual([2, 1, 1, 0]);
  });

  test.for([
    [{}, [1, 2, 3, 4, 5, 6, 7, 8]],
    [{ status: '404' }, [2, 5]],
    [{ status: '4xx' }, [2, 3, 5]],
    [{ status: '5XX' }, [7, 8]],
    [{ user: 'ADA' }, [1, 5]],
    [{ user: 'ada', control: false }, [1]],
    [{ control: false }, [1, 2, 3, 6, 7, 8]],
    [{ administration: true }, [6, 7]],
    [{ administration: true, status: '2xx' }, [6]],
    [{ path: '/sign-in', status: '4xx' }, [2, 3]],
  ] as const)('request log: the filter %j finds the requests %j', ([filter, found]) => {
    const log = new RequestLog();
    for (const [url, status, userId] of [
      ['/sign-in', 200, 'ada'],
      ['/sign-in/s9', 404, null],
      ['/sign-in/s2', 400, 'bob'],
      ['/_console/s/a/overview', 200, null],
      ['/_control/v1/sandboxes/a/users/Ada', 404, null],
      ['/s/a/V1.0/users', 200, null],
      ['/beta', 503, null],
      ['/v1.0x/users', 503, null],
    ] as const) {
      Object.assign(log.note('a', 'GET', url, 0), { status, userId });
    }
    expect(log.listRequests('a', filter).requests.map(({ seq }) => seq)).toEqual(found);
  });

  test('request log: the user is in a path of the control API, and the caller of a lookup is the client', () => {
    const log = new RequestLog();
    log.note('a', 'GET', '/_control/v1/sandboxes/a/users/gr%C3%A4ce/phone', 0);
    log.note('a', 'GET', '/_control/v1/sandboxes/a/users/%', 0);
    Object.assign(log.note('a', 'GET', '/api/v2', 0), { lookup: { type: 'email', tool: 'x', caller: 'token:t' } });
    const callers = log.listRequests('a').requests.map(({ userId, client }) => [userId, client]);
    expect(callers).toEqual([
      ['gräce', null],
      ['%', null],
      [null, 'token:t'],
    ]);
  });

  test('request log: a token in a path is removed', () => {
    const log = new RequestLog();
    log.note('a', 'GET', '/x/eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.c2lnbmF0dXJl/y', 0);
    expect(log.listRequests('a').requests.map(({ path }) => path)).toEqual(['/x/[redacted]/y']);
  });

  test('request log: a token beyond the limit of a path is removed too', () => {
    const log = new RequestLog();
    const token = `eyJhbGciOiJIUzI1NiJ9.eyJ${'c3ViIjoi'.repeat(40)}.c2lnbmF0dXJl`;
    log.note('a', 'GET', `/x/${token}/y`, 0);
    log.note('a', 'GET', `/${'x'.repeat(240)}/${token}`, 0);
    const paths = log.listRequests('a').requests.map(({ path }) => path);
    expect(paths).toEqual(['/x/[redacted]/y', `/${'x'.repeat(240)}/[redacted]`]);
  });

  test('request log: a page contains the latest requests before a number, and counts those on all pages', () => {
    const log = filled(7, 5);
    const list = (before?: number, limit?: number) => {
      const { requests, ...counts } = log.listRequests('a', { path: '/' }, { before, limit });
      expect(counts).toEqual({ total: 5, dropped: 2 });
      return requests.map(({ seq }) => seq);
    };
    expect([list(), list(undefined, 2), list(6, 2), list(4, 9), list(3)]).toEqual([
      [3, 4, 5, 6, 7],
      [6, 7],
      [4, 5],
      [3],
      [],
    ]);
  });

  test('request log: the query of a URL does not stay in memory', () => {
    setFlagsFromString('--expose-gc');
    const collect = runInNewContext('gc') as () => void;
    const log = new RequestLog();
    collect();
    const before = process.memoryUsage().heapUsed;
    for (let at = 0; at < 2_000; at += 1) {
      log.note('a', 'GET', Buffer.from(`/oauth2/authorize/${at}?state=${'x'.repeat(15_000)}`).toString(), 0);
    }
    collect();
    expect(process.memoryUsage().heapUsed - before).toBeLessThan(10_000_000);
    expect(log.listRequests('a').total).toBe(2_000);
  });

  test('request log: a path is truncated at its limit', () => {
    const log = new RequestLog();
    log.note('a', 'GET', `/${'x'.repeat(10_000)}`, 0);
    expect(log.listRequests('a').requests[0]?.path).toHaveLength(256);
  });
});

describe('request log of a server', () => {
  const requestLog = new RequestLog();
  let server: IdentityServer;

  beforeAll(async () => {
    server = await startIdentityServer({}, { requestLog });
  });

  afterAll(async () => {
    await server.close();
  });

  test('request log: each request is logged for the sandbox in its path, with its status and the virtual time', async () => {
    await server.ask('/sign-in?user=secret');
    await server.ask(`/s/${otherSandboxId}/nowhere`);
    await server.ask('/s/missing/sign-in');
    const atMs = server.sandbox.clock.nowMs();
    expect(requestLog.listRequests('default').requests).toEqual([
      {
        seq: 1,
        method: 'GET',
        path: '/sign-in',
        queryHash: expect.stringMatching(/^[0-9a-f]{16}$/),
        status: 200,
        atMs,
        userId: null,
        client: null,
      },
    ]);
    expect(requestLog.listRequests(otherSandboxId).requests).toEqual([
      {
        seq: 1,
        method: 'GET',
        path: `/s/${otherSandboxId}/nowhere`,
        queryHash: null,
        status: 404,
        atMs,
        userId: null,
        client: null,
      },
    ]);
    expect(requestLog.listRequests('missing')).toEqual({ requests: [], total: 0, dropped: 0 });
  });

  test('request log: the application of an authorization request is its client', async () => {
    await server.ask('/oauth2/authorize?client_id=test-web&response_type=code&redirect_uri=http://localhost/x');
    await expect
      .poll(() => requestLog.listRequests('default', { path: '/oauth2/authorize' }).requests)
      .toMatchObject([{ client: 'test-web', userId: null }]);
  });

  test('request log: a rejected request is logged like any other', async () => {
    await server.ask('/refused', { headers: { host: 'evil.example' } });
    expect(requestLog.listRequests('default', { path: '/refused' }).requests).toMatchObject([{ status: 403 }]);
  });

  test('request log: the request that removes a sandbox leaves no log of it', async () => {
    await server.sandboxes.create('short', planSandbox({}));
    await server.ask('/s/short/sign-in');
    await server.ask('/_control/v1/sandboxes/short', { method: 'DELETE' });
    await expect.poll(() => requestLog.listRequests('short').requests).toEqual([]);
  });

  test('request log: the log of a deleted sandbox is cleared at the next request to it', async () => {
    await server.ask(`/s/${otherSandboxId}/sign-in`);
    await server.sandboxes.remove(otherSandboxId);
    await server.ask(`/s/${otherSandboxId}/sign-in`);
    expect(requestLog.listRequests(otherSandboxId)).toEqual({ requests: [], total: 0, dropped: 0 });
  });
});
