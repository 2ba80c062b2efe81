import { describe, expect, test } from 'vitest';
import { machineNowMs, parseInstant } from '../../src/core/clock.ts';
import { serveControl } from './control-client.ts';

const january = '2026-01-05T09:00:00.000Z';

describe('control API: sandboxes', () => {
  test('sandbox-not-found: a sandbox is created with defaults, accepts requests, and is gone after its deletion', async () => {
    const { ask, controlUrl } = await serveControl();
    const made = await ask('POST /sandboxes', {});
    const { id, baseUrl } = made.body;
    expect(made.status).toBe(201);
    expect(baseUrl).toBe(`${new URL(controlUrl).origin}/s/${id}`);
    expect(made.headers.get('location')).toBe(`/_control/v1/sandboxes/${id}`);
    expect((await ask(`GET /sandboxes/${id}`)).body).toEqual({
      id,
      baseUrl,
      tenantUrl: expect.stringMatching(`^${new URL(controlUrl).origin}/[0-9a-f-]{36}$`),
      ruleset: 'seed',
      seed: 1,
      clock: { now: january, running: false },
      users: 0,
      entries: 1,
    });
    expect(await ask(`DELETE /sandboxes/${id}`)).toMatchObject({ status: 204, body: null });
    expect((await ask(`GET /sandboxes/${id}`)).status).toBe(404);
  });

  test('bad-request: a POST without a body creates a sandbox', async () => {
    const { ask } = await serveControl();
    expect((await ask('POST /sandboxes')).status).toBe(201);
  });

  test('sandbox-not-found: the default sandbox is available without a path prefix', async () => {
    const { ask, controlUrl } = await serveControl();
    expect((await ask('GET /sandboxes/default')).body.baseUrl).toBe(new URL(controlUrl).origin);
  });

  test('sandbox-not-found: URLs contain localhost or the configured public host', async () => {
    const { controlUrl } = await serveControl();
    const byNumber = await fetch(`${controlUrl.replace('localhost', '127.0.0.1')}/sandboxes/default`);
    expect(await byNumber.json()).toMatchObject({ baseUrl: new URL(controlUrl).origin });
    const published = await serveControl({ publicUrl: 'https://simulator.test' });
    expect((await published.ask('POST /sandboxes', { id: 'one' })).body.baseUrl).toBe('https://simulator.test/s/one');
  });

  test('bad-request: a sandbox is created from every supported part of a body', async () => {
    const { ask } = await serveControl();
    const body = {
      id: 'whole',
      tenant: { id: 'acme', subscription: 'trial' },
      users: [{ id: 'ada', methods: ['voice'] }],
      clock: '2026-03-01T08:00:00+01:00',
      settings: { authenticatorWireName: 'appName' },
      seed: 7,
      ruleset: '2026-09',
    };
    expect((await ask('POST /sandboxes', body)).status).toBe(201);
    expect((await ask('GET /sandboxes/whole')).body).toMatchObject({
      ruleset: '2026-09',
      seed: 7,
      clock: { now: '2026-03-01T07:00:00.000Z', running: false },
      users: 1,
    });
    expect((await ask('GET /sandboxes/whole/tenant')).body).toMatchObject({ id: 'acme', subscription: 'trial' });
    expect((await ask('GET /sandboxes/whole/tenant/settings')).body).toEqual({ authenticatorWireName: 'appName' });
    expect((await ask('GET /sandboxes/whole/users/ada')).body.methods).toEqual(['voice']);
  });

  test('bad-request: users may be given as an object with their ids as keys', async () => {
    const { ask } = await serveControl();
    const users = { ada: { type: 'guest' }, ben: { id: 'ben' } };
    expect((await ask('POST /sandboxes', { id: 'named', users })).status).toBe(201);
    expect((await ask('GET /sandboxes/named/users')).body.users.map((user: { id: string }) => user.id)).toEqual([
      'ada',
      'ben',
    ]);
  });

  test.for([
    [{ users: { ada: { id: 'ben' } } }, 'body.users.ada.id'],
    [{ users: { ada: { methods: ['letter'] } } }, 'body.users.ada.methods.0'],
    [{ users: [{ id: 'ada', age: 7 }] }, 'body.users.0'],
    [{ users: [{ id: 'ada' }, { id: 'ada' }] }, 'users.1.id'],
    [{ users: 'ada' }, 'body.users'],
    [{ tenant: { subscription: 'gift' } }, 'body.tenant.subscription'],
    [{ tenants: {} }, 'body'],
    [{ clock: 'yesterday' }, 'body.clock'],
    [{ clock: { now: '1969-12-31T23:59:59Z' } }, 'body.clock.now'],
    [{ seed: 1.5 }, 'body.seed'],
    [{ ruleset: 'next' }, 'ruleset'],
    [{ id: 'Upper' }, 'body.id'],
  ] as const)('bad-request: the error of %j names %s, and nothing is created', async ([body, place]) => {
    const { ask, sandboxes } = await serveControl();
    const refused = await ask('POST /sandboxes', body);
    expect(refused.body.error).toMatchObject({ code: 'bad-request', problems: [{ location: place }] });
    expect(sandboxes.list()).toHaveLength(1);
  });

  test('sandbox-exists: an id can be used only once', async () => {
    const { ask } = await serveControl();
    await ask('POST /sandboxes', { id: 'one' });
    expect(await ask('POST /sandboxes', { id: 'one' })).toMatchObject({
      status: 409,
      body: { error: { code: 'sandbox-exists' } },
    });
  });

  test('sandbox-not-found: the list is paginated in order of creation', async () => {
    const { ask } = await serveControl();
    for (const id of ['one', 'two', 'three']) await ask('POST /sandboxes', { id });
    const first = await ask('GET /sandboxes?limit=3');
    expect(first.body.sandboxes.map(({ id }: { id: string }) => id)).toEqual(['default', 'one', 'two']);
    const rest = await ask(`GET /sandboxes?after=${first.body.next}`);
    expect(rest.body).toMatchObject({ sandboxes: [{ id: 'three' }], next: null });
  });

  test('bad-request: a page has 1 to 1,000 rows', async () => {
    const { ask } = await serveControl();
    for (const limit of ['0', '1001', 'ten', '1.5']) {
      expect((await ask(`GET /sandboxes?limit=${limit}`)).body.error.problems[0].location).toBe('query.limit');
    }
  });

  test('sandbox-exists: a fork starts from the state of its origin and continues independently', async () => {
    const { ask } = await serveControl();
    await ask('PATCH ./tenant', { subscription: 'trial' });
    const forked = await ask('POST ./fork', { id: 'copy' });
    expect(forked).toMatchObject({ status: 201, body: { id: 'copy' } });
    expect(forked.headers.get('location')).toBe('/_control/v1/sandboxes/copy');
    await ask('PATCH ./tenant', { subscription: 'free' });
    expect((await ask('GET /sandboxes/copy/tenant')).body.subscription).toBe('trial');
    expect((await ask('POST ./fork', { id: 'copy' })).body.error.code).toBe('sandbox-exists');
    expect((await ask('POST ./fork')).status).toBe(201);
  });

  test('snapshot-not-found: a snapshot is restored by its exact name', async () => {
    const { ask } = await serveControl();
    const taken = await ask('POST ./snapshot', { name: 'before' });
    expect(taken).toMatchObject({ status: 201, body: { name: 'before', seq: 1 } });
    await ask('DELETE ./users/ada');
    expect((await ask('POST ./restore', { name: 'after' })).body.error.code).toBe('snapshot-not-found');
    expect(await ask('POST ./restore', { name: 'before' })).toMatchObject({ status: 200, body: { users: 1 } });
    expect((await ask('POST ./restore', {})).body.error.problems[0].location).toBe('body.name');
    expect((await ask('POST ./snapshot')).body.name).toMatch(/./);
  });

  test('sandbox-not-found: a reset restores the initial state', async () => {
    const { ask } = await serveControl();
    await ask('POST ./clock/advance', { days: 3 });
    await ask('DELETE ./users/ada');
    expect((await ask('POST ./reset')).body).toMatchObject({ users: 1, clock: { now: january } });
    expect((await ask('POST ./reset', { name: 'x' })).body.error.code).toBe('bad-request');
  });
});

describe('control API: clock', () => {
  test('bad-request: the clock is frozen until it is set, and returns the time that was set', async () => {
    const { ask } = await serveControl();
    expect((await ask('GET ./clock')).body).toEqual({ now: january, running: false });
    expect((await ask('PUT ./clock', { now: '2027-01-01T00:00:00Z' })).body).toEqual({
      now: '2027-01-01T00:00:00.000Z',
      running: false,
    });
    expect((await ask('PUT ./clock', { now: january })).body.now).toBe(january);
  });

  test('bad-request: a clock runs from its current time and freezes again', async () => {
    const { ask } = await serveControl();
    const { body } = await ask('PUT ./clock', { running: true });
    expect(body.running).toBe(true);
    expect(parseInstant(body.now)).toBeGreaterThanOrEqual(parseInstant(january) ?? 0);
    expect((await ask('PUT ./clock', { running: false })).body.running).toBe(false);
  });

  test('bad-request: a running clock without a start time uses the time of the machine', async () => {
    const { ask } = await serveControl();
    const beforeMs = machineNowMs();
    await ask('POST /sandboxes', { id: 'now', clock: { running: true } });
    const { body } = await ask('GET /sandboxes/now/clock');
    expect(parseInstant(body.now)).toBeGreaterThanOrEqual(beforeMs);
  });

  test('A6: the parts of a duration are added together', async () => {
    const { ask } = await serveControl();
    const span = { days: 1, hours: 2, minutes: 3, ms: 4 };
    expect((await ask('POST ./clock/advance', span)).body.now).toBe('2026-01-06T11:03:00.004Z');
  });

  test.for([
    ['PUT ./clock', { now: 'soon' }, 'body.now'],
    ['PUT ./clock', { now: '2026-01-05' }, 'body.now'],
    ['PUT ./clock', { now: '1969-12-31T23:59:59Z' }, 'body.now'],
    ['PUT ./clock', { running: 'yes' }, 'body.running'],
    ['PUT ./clock', { speed: 2 }, 'body'],
    ['POST ./clock/advance', { days: -1 }, 'clock.advance'],
    ['POST ./clock/advance', { days: 1e9 }, 'clock.now'],
    ['POST ./clock/advance', { weeks: 1 }, 'body'],
    ['POST ./clock/advance', { days: '1' }, 'body.days'],
  ] as const)('bad-request: the error of %s %j names %s, and the clock does not move', async ([line, body, place]) => {
    const { ask } = await serveControl();
    expect((await ask(line, body)).body.error).toMatchObject({ code: 'bad-request', problems: [{ location: place }] });
    expect((await ask('GET ./clock')).body.now).toBe(january);
  });
});
