import { describe, expect, test } from 'vitest';
import { serveControl } from './control-client.ts';

const januaryMs = 1_767_603_600_000;

describe('control API: tenant', () => {
  test('A18: the tenant response contains every fact and is valid as a request', async () => {
    const { ask } = await serveControl();
    const { body } = await ask('GET ./tenant');
    expect(body).toMatchObject({ id: 'tenant', campaign: { state: null }, options: { strictDevice: false } });
    expect((await ask('PUT ./tenant', body)).body).toEqual(body);
  });

  test('bad-request: PUT resets omitted fields and PATCH keeps them', async () => {
    const { ask } = await serveControl();
    await ask('PATCH ./tenant', { subscription: 'free', campaign: { snoozeDurationInDays: 5 } });
    expect((await ask('PATCH ./tenant', { campaign: { state: 'enabled' } })).body).toMatchObject({
      subscription: 'free',
      campaign: { state: 'enabled', snoozeDurationInDays: 5 },
    });
    expect((await ask('PATCH ./tenant', { campaign: { snoozeDurationInDays: null } })).body.campaign).toMatchObject({
      state: 'enabled',
      snoozeDurationInDays: null,
    });
    expect((await ask('PUT ./tenant', {})).body).toMatchObject({ subscription: 'paid', campaign: { state: null } });
  });

  test.for([
    ['PUT ./tenant', { campaign: { snoozeDurationInDays: 15 } }, 'body.campaign.snoozeDurationInDays'],
    ['PATCH ./tenant', { campaign: { snoozeDurationInDays: 15 } }, 'tenant.campaign.snoozeDurationInDays'],
    ['PATCH ./tenant', { color: 'red' }, 'tenant'],
    ['PUT ./tenant/settings', { authenticatorWireName: '7up' }, 'body.authenticatorWireName'],
    ['PUT ./tenant/settings', { wireName: 'x' }, 'body'],
  ] as const)('bad-request: the error of %s %j names %s, and nothing changes', async ([line, body, place]) => {
    const { ask, sandboxes } = await serveControl();
    expect((await ask(line, body)).body.error).toMatchObject({ code: 'bad-request', problems: [{ location: place }] });
    expect(sandboxes.get('default').entryCount).toBe(1);
  });

  test('R2: a tenant with two targeted methods is rejected', async () => {
    const { ask } = await serveControl();
    const target = { targetType: 'group', id: 'all_users' };
    const includeTargets = [
      { ...target, targetedAuthenticationMethod: 'fido2' },
      { ...target, targetedAuthenticationMethod: 'vendorAuthenticator' },
    ];
    expect((await ask('PATCH ./tenant', { campaign: { includeTargets } })).status).toBe(400);
  });

  test('bad-request: settings are stored and returned', async () => {
    const { ask } = await serveControl();
    expect((await ask('GET ./tenant/settings')).body).toEqual({ authenticatorWireName: 'vendorAuthenticator' });
    await ask('PUT ./tenant/settings', { authenticatorWireName: 'theirApp' });
    expect((await ask('GET ./tenant/settings')).body).toEqual({ authenticatorWireName: 'theirApp' });
  });
});

describe('control API: users', () => {
  test('user-not-found: a user has facts, a test password and a nudge status, and PUT of the response changes nothing', async () => {
    const { ask } = await serveControl();
    const { body } = await ask('GET ./users/ada');
    expect(body).toMatchObject({
      id: 'ada',
      userPrincipalName: 'ada@example.test',
      password: 'correct horse',
      code: '123456',
      nudgeStatus: {
        state: 'notPrompted',
        snoozes: 0,
        snoozesLeft: 3,
        snoozedAt: null,
        nextPromptAt: null,
        openPrompts: [],
      },
    });
    expect(await ask('PUT ./users/ada', body)).toMatchObject({ status: 200, body });
    expect(await ask('PATCH ./users/ada', body)).toMatchObject({ status: 200, body });
  });

  test('user-not-found: a list contains no credentials', async () => {
    const { ask } = await serveControl();
    await ask('PATCH ./users/ada', { password: 'a password of her own', code: '654321' });
    const { body } = await ask('GET ./users');
    expect(body.users[0]).toMatchObject({ id: 'ada', nudgeStatus: { snoozes: 0 } });
    expect(JSON.stringify(body)).not.toMatch(/a password of her own|654321/);
  });

  test('user-not-found: the pages of a list contain all users', async () => {
    const { ask } = await serveControl({ sandbox: { users: ['a', 'b', 'c', 'd', 'e'].map((id) => ({ id })) } });
    const seen: string[] = [];
    for (let after = ''; ; ) {
      const { body } = await ask(`GET ./users?limit=2${after}`);
      seen.push(...body.users.map(({ id }: { id: string }) => id));
      if (body.next === null) break;
      after = `&after=${body.next}`;
    }
    expect(seen).toEqual(['a', 'b', 'c', 'd', 'e']);
  });

  test('user-not-found: creating a user returns 201 with its URL, and updating one returns 200', async () => {
    const { ask } = await serveControl();
    const made = await ask('PUT ./users/ben', { type: 'guest' });
    expect(made).toMatchObject({ status: 201, body: { id: 'ben', type: 'guest' } });
    expect(made.headers.get('location')).toBe('/_control/v1/sandboxes/default/users/ben');
    expect((await ask('PUT ./users/ben', {})).body.type).toBe('member');
    expect((await ask('DELETE ./users/ben')).status).toBe(204);
    expect((await ask('GET ./users/ben')).body.error.code).toBe('user-not-found');
  });

  test('user-not-found: an id may contain any character', async () => {
    const { ask } = await serveControl();
    const line = `./users/${encodeURIComponent('a/b?ü')}`;
    expect((await ask(`PUT ${line}`, {})).body.id).toBe('a/b?ü');
    expect((await ask(`GET ${line}`)).body.userPrincipalName).toBe('a/b?ü@example.test');
  });

  test.for([
    ['GET ./users/nobody', undefined],
    ['PATCH ./users/nobody', {}],
    ['DELETE ./users/nobody', undefined],
    ['PUT ./users/nobody/snooze', { count: 1 }],
    ['DELETE ./users/nobody/methods/sms', undefined],
    ['POST ./users/nobody/pending-closes/settle', undefined],
    ['POST ./users/nobody/next-sign-in', {}],
    ['POST ./tokens', { user: 'nobody' }],
    ['POST ./explain', { user: 'nobody' }],
    ['GET ./sign-ins?user=nobody', undefined],
  ] as const)('user-not-found: %s is 404 for an unknown user', async ([line, body]) => {
    const { ask, sandboxes } = await serveControl();
    expect(await ask(line, body)).toMatchObject({ status: 404, body: { error: { code: 'user-not-found' } } });
    expect(sandboxes.get('default').entryCount).toBe(1);
  });

  test.for([
    ['PUT ./users/ada', { methods: ['letter'] }, 'body.methods.0'],
    ['PUT ./users/ada', { snooze: { count: -1 } }, 'body.snooze.count'],
    ['PUT ./users/ada', { snooze: { snoozedAtMs: 1e20 } }, 'body.snooze.snoozedAtMs'],
    ['PATCH ./users/ada', { snooze: { snoozedAtMs: -1 } }, 'body.snooze.snoozedAtMs'],
    ['PUT ./users/ada', { id: 'ben' }, 'user.id'],
    ['PATCH ./users/ada', { id: 'ben' }, 'user.id'],
    ['PATCH ./users/ada', { age: 7 }, 'user'],
    ['PUT ./users/ben', { userPrincipalName: 'ADA@example.test' }, 'user.userPrincipalName'],
    ['PUT ./users/ada/snooze', { count: 1.5 }, 'body.count'],
    ['PUT ./users/ada/snooze', { counts: 1 }, 'body'],
    ['PUT ./users/ada/snooze', { snoozedAtMs: 253_370_764_800_001 }, 'body.snoozedAtMs'],
    ['PUT ./users/ada', { snooze: { snoozedAtMs: 253_370_764_800_001 } }, 'body.snooze.snoozedAtMs'],
    ['PATCH ./users/ada', { snooze: { snoozedAtMs: 253_370_764_800_001 } }, 'body.snooze.snoozedAtMs'],
    ['DELETE ./users/ada/methods/letter', undefined, 'path.method'],
    ['POST ./users/ada/next-sign-in', { os: 'beos' }, 'body.os'],
    ['POST ./users/ada/pending-closes/settle', { now: true }, 'body'],
  ] as const)('bad-request: the error of %s %j names %s, and nothing changes', async ([line, body, place]) => {
    const { ask, sandboxes } = await serveControl();
    expect((await ask(line, body)).body.error).toMatchObject({ code: 'bad-request', problems: [{ location: place }] });
    expect(sandboxes.get('default').entryCount).toBe(1);
  });

  test('A3: only the operation labeled reset sets the snooze count and timer', async () => {
    const { ask } = await serveControl();
    const nudgeStatus = await ask('PUT ./users/ada/snooze', { count: 2, snoozedAtMs: januaryMs });
    expect(nudgeStatus.body).toMatchObject({
      state: 'snoozed',
      snoozes: 2,
      snoozesLeft: 1,
      snoozedAt: '2026-01-05T09:00:00.000Z',
      nextPromptAt: '2026-01-08T09:00:00.000Z',
    });
    expect((await ask('PUT ./users/ada/snooze', {})).body).toMatchObject({ state: 'notPrompted', snoozes: 0 });
    expect((await ask('GET ./journal/counts')).body.counts).toMatchObject({ 'snooze.set': 2 });
  });

  test('A38: a method can be removed, and fido2 removes all passkeys', async () => {
    const { ask } = await serveControl();
    const passkeys = [{ type: 'keychain' }, { type: 'security-key' }];
    await ask('PUT ./users/ada', { methods: ['sms', 'voice'], passkeys });
    expect((await ask('DELETE ./users/ada/methods/voice')).body).toMatchObject({ methods: ['sms'] });
    expect((await ask('DELETE ./users/ada/methods/fido2')).body).toMatchObject({ methods: ['sms'], passkeys: [] });
  });

  test('A41: settling counts a pending close, starting when the page was closed', async () => {
    const { ask, sandboxes } = await serveControl();
    const { signIns } = sandboxes.get('default');
    const { id } = await signIns.start('ada');
    await signIns.acceptPassword(id);
    await signIns.completeMfa(id);
    await signIns.leave(id);
    expect((await ask('GET ./users/ada')).body.nudgeStatus).toMatchObject({
      state: 'prompted',
      openPrompts: [{ id, unloadedAt: '2026-01-05T09:00:00.000Z' }],
    });
    await ask('POST ./clock/advance', { minutes: 5 });
    expect((await ask('POST ./users/ada/pending-closes/settle')).body).toMatchObject({
      state: 'snoozed',
      snoozes: 1,
      snoozedAt: '2026-01-05T09:00:00.000Z',
      openPrompts: [],
    });
  });

  test('R13.1: the announced context applies to the next sign-in only', async () => {
    const { ask, sandboxes } = await serveControl();
    const announced = await ask('POST ./users/ada/next-sign-in', { ssoSession: true });
    expect(announced.body).toEqual({ user: 'ada', attempt: { ssoSession: true } });
    const { signIns } = sandboxes.get('default');
    expect(signIns.verdict((await signIns.start('ada')).id)?.reason).toBe('sso-session');
    expect((await signIns.start('ada')).screen).toBe('password');
  });
});

describe('control API: tokens', () => {
  test('unauthenticated: a token is issued for a user or an application, and stays revoked after revocation', async () => {
    const { ask, sandboxes } = await serveControl();
    const { tokens } = sandboxes.get('default');
    const issued = await ask('POST ./tokens', { user: 'ada', permissions: ['Policy.Read.All'], expiresInSeconds: 60 });
    expect(issued).toMatchObject({ status: 200, body: { token_type: 'Bearer', expires_in: 60 } });
    const token = issued.body.access_token;
    expect(await tokens.verify(token)).toMatchObject({ kind: 'delegated', subject: 'ada' });
    const app = (await ask('POST ./tokens', { app: 'robot' })).body.access_token;
    expect(await tokens.verify(app)).toMatchObject({ kind: 'app', subject: 'robot' });
    expect((await ask('POST ./tokens/revoke', { token })).status).toBe(204);
    await expect(tokens.verify(token)).rejects.toMatchObject({ code: 'unauthenticated' });
    expect(await ask('POST ./tokens/revoke', { token })).toMatchObject({
      status: 401,
      body: { error: { code: 'unauthenticated' } },
    });
  });

  test.for([
    ['POST ./tokens', { user: 'ada', app: 'robot' }, 'app'],
    ['POST ./tokens', { expiresInSeconds: 0 }, 'body.expiresInSeconds'],
    ['POST ./tokens', { expiresInSeconds: 31_536_001 }, 'body.expiresInSeconds'],
    ['POST ./tokens', { scopes: [] }, 'body'],
    ['POST ./tokens/revoke', {}, 'body.token'],
  ] as const)('bad-request: the error of %s %j names %s', async ([line, body, place]) => {
    const { ask } = await serveControl();
    expect((await ask(line, body)).body.error).toMatchObject({ code: 'bad-request', problems: [{ location: place }] });
  });
});
