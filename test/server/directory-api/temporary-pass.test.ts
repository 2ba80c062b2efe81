import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { DirectoryServer } from './directory-server.ts';

const passes = '/v1.0/users/ada/authentication/temporaryAccessPassMethods';
const configuration =
  '/v1.0/policies/authenticationMethodsPolicy/authenticationMethodConfigurations/TemporaryAccessPass';
const type = '#graph.temporaryAccessPassAuthenticationMethodConfiguration';

let server: DirectoryServer;

beforeEach(async () => {
  server = await DirectoryServer.start({
    clock: { nowMs: Date.UTC(2026, 0, 5, 9), running: false },
    users: [{ id: 'ada', displayName: 'Ada' }],
  });
});

afterEach(() => server.stop());

async function configure(change: object) {
  const reply = await server.ask(configuration, { method: 'PATCH', body: { '@odata.type': type, ...change } });
  expect([reply.status, reply.text]).toEqual([204, '']);
}

const issue = (body: object = {}) => server.ask(passes, { method: 'POST', body });

describe('DIR65: temporary access pass', () => {
  test('an enabled configuration issues a pass, whose code is only in the response to its creation', async () => {
    await configure({ state: 'enabled' });
    const { status, body } = await issue({ lifetimeInMinutes: 60, isUsableOnce: true });
    expect(status).toBe(201);
    expect(body).toMatchObject({
      createdDateTime: '2026-01-05T09:00:00.000Z',
      startDateTime: '2026-01-05T09:00:00.000Z',
      lifetimeInMinutes: 60,
      isUsableOnce: true,
      isUsable: true,
      methodUsabilityReason: 'EnabledByPolicy',
    });
    const { temporaryAccessPass: code } = body as { readonly temporaryAccessPass?: unknown };
    expect(code).toEqual(expect.stringMatching(/^.{8,48}$/));
    const { body: stored } = await server.ask(passes);
    expect(stored.value).toMatchObject([{ temporaryAccessPass: null, isUsable: true }]);
    const journal = JSON.stringify(await server.sandbox.journal({ after: 0, limit: 100 }));
    expect(journal).not.toContain(String(code));
  });

  test('a second pass replaces the first, and a deleted one is gone', async () => {
    await configure({ state: 'enabled' });
    await issue();
    const { body } = await issue();
    const { value = [] } = (await server.ask(passes)).body;
    expect(value).toHaveLength(1);
    const path = `${passes}/${(body as { readonly id?: string }).id}`;
    expect((await server.ask(path, { method: 'DELETE' })).status).toBe(204);
    expect((await server.ask(path, { method: 'DELETE' })).status).toBe(404);
  });

  test('a pass expires on the virtual clock, begins later on request, and ends with its configuration', async () => {
    await configure({ state: 'enabled' });
    const getReason = async () => (await server.ask(passes)).body.value?.[0]?.['methodUsabilityReason'];
    await issue({ lifetimeInMinutes: 60, startDateTime: '2026-01-05T10:00:00Z' });
    expect(await getReason()).toBe('NotYetValid');
    await server.sandbox.clock.advance({ hours: 1 });
    expect(await getReason()).toBe('EnabledByPolicy');
    await configure({ state: 'disabled' });
    expect(await getReason()).toBe('DisabledByPolicy');
    await configure({ state: 'enabled' });
    await server.sandbox.clock.advance({ hours: 1 });
    expect(await getReason()).toBe('Expired');
  });

  test.each([59, 121])('a lifetime of %i minutes is outside of the configuration', async (lifetimeInMinutes) => {
    await configure({ state: 'enabled', minimumLifetimeInMinutes: 60, maximumLifetimeInMinutes: 120 });
    const before = server.sandbox.entryCount;
    expect((await issue({ lifetimeInMinutes })).status).toBe(400);
    expect(server.sandbox.entryCount).toBe(before);
  });
});
