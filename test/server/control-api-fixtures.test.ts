import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { FixtureLibrary } from '../../src/scenario/fixture-library.ts';
import { shippedFixturesFolder } from '../../src/scenario/shipped.ts';
import { temporaryFolder } from '../journal/temporary-folder.ts';
import { type ControlServer, serveControl } from './control-client.ts';

/** Serves the control API with the shipped fixtures and those of a folder with a tenant that has settings. */
async function serveFixtures(): Promise<ControlServer & { readonly folder: string }> {
  const folder = temporaryFolder();
  mkdirSync(join(folder, 'tenants'));
  writeFileSync(
    join(folder, 'tenants', 'branded.yaml'),
    'extends: app-enabled\nid: contoso\nsettings:\n  branding:\n    name: Contoso\n',
  );
  const fixtures = async () => new FixtureLibrary([shippedFixturesFolder, folder]);
  return { ...(await serveControl({ fixtures })), folder };
}

describe('control API: fixtures', () => {
  test('fixture-not-found: a sandbox is created from fixture names wherever a scenario can name them', async () => {
    const { ask } = await serveFixtures();
    const made = await ask('POST /sandboxes', {
      id: 'named',
      tenant: 'app-enabled',
      users: ['snoozing-user', 'guest'],
      clients: ['web-site', { extends: 'web-site', id: 'second-site' }],
      faults: ['push-denied', { extends: 'push-denied', times: 2 }],
      lookup: 'known-people',
    });
    expect(made.status).toBe(201);
    expect((await ask('GET /sandboxes/named/tenant')).body.campaign).toMatchObject({ state: 'enabled' });
    expect((await ask('GET /sandboxes/named/users/snoozing-user')).body).toMatchObject({ snooze: { count: 1 } });
    expect((await ask('GET /sandboxes/named/users/guest')).body).toMatchObject({ id: 'guest', type: 'guest' });
    expect((await ask('GET /sandboxes/named/faults')).body.faults).toEqual([
      { kind: 'push-denied' },
      { kind: 'push-denied', times: 2 },
    ]);
  });

  test('fixture-not-found: extends merges over a fixture as in a scenario, and null removes a key', async () => {
    const { ask } = await serveFixtures();
    const made = await ask('POST /sandboxes', {
      id: 'merged',
      tenant: { extends: 'branded', campaign: { snoozeDurationInDays: 7 } },
      users: { adele: { extends: 'snoozing-user', displayName: 'Adele', snooze: null }, ben: 'push-user', cleo: {} },
    });
    expect(made.status).toBe(201);
    const tenant = (await ask('GET /sandboxes/merged/tenant')).body;
    expect(tenant).toMatchObject({ id: 'contoso', campaign: { state: 'enabled', snoozeDurationInDays: 7 } });
    expect((await ask('GET /sandboxes/merged/tenant/settings')).body).toMatchObject({ branding: { name: 'Contoso' } });
    expect((await ask('GET /sandboxes/merged/users/adele')).body).toMatchObject({
      id: 'adele',
      displayName: 'Adele',
      snooze: { count: 0 },
    });
    expect((await ask('GET /sandboxes/merged/users/ben')).body.methods).toEqual(['sms', 'authenticator-push']);
  });

  test('fixture-not-found: a list names two users of one fixture by their own ids', async () => {
    const { ask } = await serveFixtures();
    const users = [{ extends: 'sms-user', id: 'ada' }, { extends: 'sms-user' }, { id: 'cleo' }];
    expect((await ask('POST /sandboxes', { id: 'listed', users })).status).toBe(201);
    const listed: readonly { readonly id: string }[] = (await ask('GET /sandboxes/listed/users')).body.users;
    expect(listed.map(({ id }) => id)).toEqual(['ada', 'sms-user', 'cleo']);
  });

  test('fixture-not-found: tenant, user and faults of a sandbox are replaced by fixtures', async () => {
    const { ask } = await serveFixtures();
    expect(await ask('PUT ./tenant', JSON.stringify('branded'))).toMatchObject({
      status: 200,
      body: { id: 'contoso' },
    });
    expect((await ask('GET ./tenant/settings')).body).toMatchObject({ branding: { name: 'Contoso' } });
    const tenant = await ask('PUT ./tenant', { extends: 'app-enabled', subscription: 'trial' });
    expect(tenant).toMatchObject({ status: 200, body: { id: 'tenant', subscription: 'trial' } });
    expect((await ask('GET ./tenant/settings')).body).toMatchObject({ branding: { name: 'Contoso' } });
    expect(await ask('PUT ./users/zoe', JSON.stringify('guest'))).toMatchObject({
      status: 201,
      body: { id: 'zoe', type: 'guest' },
    });
    const user = await ask('PUT ./users/zoe', { extends: 'guest', methods: ['voice'] });
    expect(user).toMatchObject({ status: 200, body: { type: 'guest', methods: ['voice'] } });
    const faults = await ask('PUT ./faults', { faults: ['push-denied'] });
    expect(faults).toMatchObject({ status: 200, body: { faults: [{ kind: 'push-denied' }] } });
  });

  test('fixture-not-found: every unknown name is reported with its location and the nearest name', async () => {
    const { ask } = await serveFixtures();
    const refused = await ask('POST /sandboxes', {
      id: 'refused',
      tenant: 'app-enable',
      users: { ada: { extends: 'snozing-user' } },
      faults: ['push-denied', 'push-denid'],
    });
    expect(refused).toMatchObject({ status: 400, body: { error: { code: 'fixture-not-found' } } });
    const problems: readonly { readonly location: string; readonly message: string }[] = refused.body.error.problems;
    expect(problems.map(({ location }) => location)).toEqual(['body.tenant', 'body.users.ada', 'body.faults.1']);
    expect(problems[0]?.message).toMatch(/^"app-enable" is not one of .*app-enabled.*; did you mean "app-enabled"\?$/);
    expect(problems[1]?.message).toContain('did you mean "snoozing-user"?');
    expect(problems[2]?.message).toContain('did you mean "push-denied"?');
    expect((await ask('GET /sandboxes/refused')).status).toBe(404);
  });

  test('fixture-not-found: at most a hundred of many unknown names are reported', async () => {
    const { ask } = await serveFixtures();
    const users = Array.from({ length: 5_000 }, () => 'nobody');
    const refused = await ask('POST /sandboxes', { id: 'refused', users });
    expect(refused).toMatchObject({ status: 400, body: { error: { code: 'fixture-not-found' } } });
    expect(refused.body.error.problems).toHaveLength(100);
    const without = await (await serveControl()).ask('POST /sandboxes', { id: 'refused', users });
    expect(without.body.error.problems).toHaveLength(100);
  });

  test('fixture-not-found: a fixture changes the facts and the settings of a tenant in one journal entry', async () => {
    const { ask } = await serveFixtures();
    await ask('PUT ./tenant', JSON.stringify('branded'));
    const { entries } = (await ask('GET ./journal?type=tenant.changed')).body;
    expect(entries).toHaveLength(1);
    expect(entries[0].event).toMatchObject({
      facts: { id: 'contoso' },
      settings: { branding: { name: 'Contoso' } },
    });
  });

  test.each(['../tenants/branded', './tenants/branded.yaml', '/etc/hostname', 'branded.yaml', '__proto__', ''])(
    'fixture-not-found: "%s" is a name, never a path',
    async (tenant) => {
      const { ask, folder } = await serveFixtures();
      expect(await ask('PUT ./tenant', JSON.stringify(tenant))).toMatchObject({
        status: 400,
        body: { error: { code: 'fixture-not-found', problems: [{ location: 'body' }] } },
      });
      const absolute = await ask('PUT ./tenant', { extends: join(folder, 'tenants', 'branded.yaml') });
      expect(absolute).toMatchObject({ status: 400, body: { error: { code: 'fixture-not-found' } } });
    },
  );

  test('bad-request: facts next to extends are validated with their locations, like facts without extends', async () => {
    const { ask } = await serveFixtures();
    const beside = await ask('POST /sandboxes', { tenant: { extends: 'app-enabled', campaign: { state: 'on' } } });
    expect(beside).toMatchObject({
      status: 400,
      body: { error: { code: 'bad-request', problems: [{ location: 'body.tenant.campaign.state' }] } },
    });
    const misspelled = await ask('PUT ./tenant', { subscribtion: 'trial' });
    expect(misspelled).toMatchObject({ status: 400, body: { error: { problems: [{ location: 'body' }] } } });
    expect(misspelled.body.error.problems[0].message).toContain('did you mean "subscription"?');
  });

  test('fixture-invalid: extends must be a name', async () => {
    const { ask } = await serveFixtures();
    expect(await ask('PUT ./users/zoe', { extends: 7 })).toMatchObject({
      status: 400,
      body: { error: { code: 'fixture-invalid', problems: [{ location: 'body' }] } },
    });
  });

  test('fixture-not-found: a server without fixtures reports this and still accepts complete values', async () => {
    const { ask } = await serveControl();
    expect(await ask('PUT ./tenant', JSON.stringify('app-enabled'))).toMatchObject({
      status: 400,
      body: {
        error: { code: 'fixture-not-found', problems: [{ message: 'this server was started without fixtures' }] },
      },
    });
    expect((await ask('PUT ./tenant', { subscription: 'trial' })).status).toBe(200);
  });

  test('fixture-not-found: a changed fixture applies to the next request', async () => {
    const { ask, folder } = await serveFixtures();
    writeFileSync(join(folder, 'tenants', 'branded.yaml'), 'id: fabrikam\n');
    expect((await ask('PUT ./tenant', JSON.stringify('branded'))).body).toMatchObject({ id: 'fabrikam' });
  });
});
