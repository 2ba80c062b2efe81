import { describe, expect, test } from 'vitest';
import {
  createSandbox,
  hourMs,
  minuteMs,
  nudgeStatus,
  passkeyCampaign,
  reason,
  refusal,
  signIn,
} from './signing-in.ts';

const windowsBound = { type: 'windows-bound', deviceId: 'device-1' } as const;

async function registerApp(sandbox: Awaited<ReturnType<typeof createSandbox>>): Promise<void> {
  const { id } = await signIn(sandbox);
  await sandbox.signIns.selectNext(id);
  await sandbox.signIns.completeSetup(id, null);
}

describe('registration, removal and repeated registration', () => {
  test('R10.1: completing setup registers the app, and the user is no longer prompted', async () => {
    const sandbox = await createSandbox();
    await registerApp(sandbox);
    expect(sandbox.directory.user('ada').methods).toEqual(['sms', 'authenticator-push']);
    expect([nudgeStatus(sandbox).state, reason(sandbox)]).toEqual(['registered', 'already-registered']);
  });

  test('R11.3: completing setup registers the created passkey', async () => {
    const sandbox = await createSandbox({ tenant: passkeyCampaign });
    const { id } = await signIn(sandbox);
    await sandbox.signIns.selectNext(id);
    await sandbox.signIns.completeSetup(id, windowsBound);
    expect(sandbox.directory.user('ada').passkeys).toEqual([windowsBound]);
    expect([nudgeStatus(sandbox).state, reason(sandbox)]).toEqual(['registered', 'local-passkey']);
  });

  test('A38: removing the registered method leads to notPrompted, and the next MFA prompts again', async () => {
    const sandbox = await createSandbox();
    await registerApp(sandbox);
    await sandbox.directory.removeMethod('ada', 'authenticator-push');
    expect(nudgeStatus(sandbox).state).toBe('notPrompted');
    await registerApp(sandbox);
    expect(nudgeStatus(sandbox)).toMatchObject({ state: 'registered', snoozes: 0 });
  });

  test.for(['sms', 'fido2'] as const)(
    'A38: removing %s does not change the registered state of a user with the app',
    async (method) => {
      const sandbox = await createSandbox();
      await registerApp(sandbox);
      await sandbox.directory.removeMethod('ada', method);
      expect(nudgeStatus(sandbox).state).toBe('registered');
    },
  );

  test('A38: removing the passkeys of a user who registered one leads to notPrompted', async () => {
    const sandbox = await createSandbox({ tenant: passkeyCampaign });
    const { id } = await signIn(sandbox);
    await sandbox.signIns.selectNext(id);
    await sandbox.signIns.completeSetup(id, windowsBound);
    await sandbox.directory.removeMethod('ada', 'authenticator-push');
    expect(nudgeStatus(sandbox).state).toBe('registered');
    expect((await sandbox.directory.removeMethod('ada', 'fido2')).passkeys).toEqual([]);
    expect([nudgeStatus(sandbox).state, reason(sandbox)]).toEqual(['notPrompted', null]);
  });

  test('A38: an update of the user without the method removes the method', async () => {
    const sandbox = await createSandbox();
    await registerApp(sandbox);
    await sandbox.directory.patchUser('ada', { methods: ['sms'] });
    expect(nudgeStatus(sandbox).state).toBe('notPrompted');
    expect(reason(sandbox)).toBeNull();
  });

  test('A38: an update of the user that removes a passkey other than the last one does not remove the method', async () => {
    const sandbox = await createSandbox({ tenant: passkeyCampaign });
    const { id } = await signIn(sandbox);
    await sandbox.signIns.selectNext(id);
    await sandbox.signIns.completeSetup(id, windowsBound);
    await sandbox.directory.patchUser('ada', { passkeys: [{ type: 'keychain' }, windowsBound] });
    await sandbox.directory.patchUser('ada', { passkeys: [windowsBound] });
    expect(nudgeStatus(sandbox).state).toBe('registered');
    await sandbox.directory.patchUser('ada', { passkeys: [] });
    expect(nudgeStatus(sandbox).state).toBe('notPrompted');
  });

  test('A44: the snooze timer is kept after registration and removal', async () => {
    const sandbox = await createSandbox();
    const [one, two] = [await signIn(sandbox), await signIn(sandbox)];
    await sandbox.signIns.skip(one.id);
    await sandbox.signIns.selectNext(two.id);
    await sandbox.signIns.completeSetup(two.id, null);
    await sandbox.clock.advance({ hours: 23 });
    await sandbox.directory.removeMethod('ada', 'authenticator-push');
    expect(nudgeStatus(sandbox)).toMatchObject({ state: 'snoozed', snoozes: 1, snoozedAfterMs: 0 });
    expect(reason(sandbox)).toBe('snoozed');
    await sandbox.clock.advance({ ms: hourMs });
    expect(reason(sandbox)).toBeNull();
  });

  test('A3: registration and removal do not lower the snooze count', async () => {
    const sandbox = await createSandbox({ users: [{ id: 'ada', snooze: { count: 3 } }] });
    await registerApp(sandbox);
    await sandbox.directory.removeMethod('ada', 'authenticator-push');
    expect(await signIn(sandbox)).toMatchObject({ screen: 'required', snoozesLeft: 0 });
  });

  test('A38: a user who registered on one device is prompted again on another, and the snooze count is kept', async () => {
    const sandbox = await createSandbox({ tenant: passkeyCampaign, users: [{ id: 'ada', snooze: { count: 1 } }] });
    const { id } = await signIn(sandbox);
    await sandbox.signIns.selectNext(id);
    await sandbox.signIns.completeSetup(id, windowsBound);
    expect((await signIn(sandbox, 'ada', { os: 'macos', browser: 'safari', deviceId: 'mac' })).screen).toBe('prompt');
    expect(nudgeStatus(sandbox)).toMatchObject({ state: 'prompted', snoozes: 1 });
  });
});

describe('update of a user during a prompt', () => {
  test('A27: an update that adds the method resolves the prompt', async () => {
    const sandbox = await createSandbox();
    const { id } = await signIn(sandbox);
    await sandbox.directory.patchUser('ada', { methods: ['sms', 'authenticator-push'] });
    expect(sandbox.signIns.view(id).screen).toBe('resolved');
    expect(nudgeStatus(sandbox)).toMatchObject({ state: 'registered', open: 0 });
  });

  test('A27: an update that adds another method does not resolve the prompt', async () => {
    const sandbox = await createSandbox();
    const { id } = await signIn(sandbox);
    await sandbox.directory.patchUser('ada', { passkeys: [windowsBound] });
    expect(sandbox.signIns.view(id).screen).toBe('prompt');
    expect(nudgeStatus(sandbox)).toMatchObject({ state: 'prompted', open: 1 });
  });

  test('A26: an update of the snooze record applies to actions at the open prompt', async () => {
    const sandbox = await createSandbox();
    const { id } = await signIn(sandbox);
    await sandbox.directory.patchUser('ada', { snooze: { count: 3 } });
    expect(nudgeStatus(sandbox)).toMatchObject({ state: 'prompted', snoozes: 3, open: 1 });
    expect(await refusal(sandbox.signIns.skip(id))).toBe('skip-not-allowed');
  });

  test('R7: an update of other facts keeps the lifecycle', async () => {
    const sandbox = await createSandbox();
    await sandbox.signIns.skip((await signIn(sandbox)).id);
    await sandbox.directory.patchUser('ada', { type: 'guest', groups: ['staff'] });
    expect(nudgeStatus(sandbox)).toEqual({ state: 'snoozed', snoozes: 1, snoozedAfterMs: 0, open: 0 });
  });

  test('A26: removing a user removes the open prompts, and adding the user again starts a new lifecycle', async () => {
    const sandbox = await createSandbox();
    const { id } = await signIn(sandbox);
    await sandbox.signIns.skip((await signIn(sandbox)).id);
    await sandbox.directory.removeUser('ada');
    expect(await refusal(sandbox.signIns.skip(id))).toBe('sign-in-not-found');
    await sandbox.clock.advance({ ms: 15 * minuteMs });
    await sandbox.directory.putUser('ada', {});
    expect(nudgeStatus(sandbox)).toEqual({ state: 'notPrompted', snoozes: 0, snoozedAfterMs: null, open: 0 });
  });

  test('R7: removing a user removes only the data of that user', async () => {
    const sandbox = await createSandbox({ users: [{ id: 'ada' }, { id: 'ben' }] });
    const [adas, bens] = [await signIn(sandbox, 'ada'), await signIn(sandbox, 'ben')];
    await sandbox.directory.setNextSignIn('ada', { termsOfUse: true });
    await sandbox.directory.removeUser('ada');
    expect([sandbox.directory.userNamed('ada@example.test'), sandbox.directory.userCount()]).toEqual([null, 1]);
    expect(sandbox.signIns.list({ limit: 10 }).map(({ id }) => id)).toEqual([bens.id]);
    expect([...sandbox.recorder.state().promptEnds.keys()]).toEqual([bens.id]);
    expect(await refusal(sandbox.directory.putUser('eve', { userPrincipalName: 'ada@example.test' }))).toBeNull();
    await sandbox.directory.removeUser('eve');
    await sandbox.directory.putUser('ada', {});
    expect(sandbox.directory.nextSignIn('ada')).toBeNull();
    expect((await sandbox.signIns.skip(bens.id)).screen).toBe('signedIn');
    expect(await refusal(sandbox.signIns.skip(adas.id))).toBe('sign-in-not-found');
  });

  test('R7: a renamed user is found by the new name, and the old name is free', async () => {
    const sandbox = await createSandbox({ users: [{ id: 'ada' }, { id: 'ben' }] });
    await sandbox.directory.patchUser('ada', { userPrincipalName: 'Countess@example.test', displayName: 'Countess' });
    expect(sandbox.directory.userNamed('ada@example.test')).toBeNull();
    expect(sandbox.directory.userNamed('COUNTESS@example.test')).toMatchObject({ id: 'ada', displayName: 'Countess' });
    expect(await refusal(sandbox.directory.patchUser('ben', { userPrincipalName: 'countess@example.test' }))).toBe(
      'bad-request',
    );
    expect(await refusal(sandbox.directory.patchUser('ben', { userPrincipalName: 'ada@example.test' }))).toBeNull();
  });

  test('A3: an update of only the snooze count is applied, and the rules use it', async () => {
    const sandbox = await createSandbox({ users: [{ id: 'ada', snooze: { count: 1, snoozedAtMs: 0 } }] });
    await sandbox.directory.patchUser('ada', { snooze: { count: 3 } });
    expect(nudgeStatus(sandbox).snoozes).toBe(3);
    expect(sandbox.explain('ada', {}).outcome).toBe('required');
    await sandbox.directory.setSnooze('ada', { count: 2, snoozedAtMs: 0 });
    expect(sandbox.explain('ada', {}).outcome).toBe('skippable');
  });

  test('A3: an update of only the snooze time is applied, and the rules use it', async () => {
    const sandbox = await createSandbox({ users: [{ id: 'ada', snooze: { count: 1 } }] });
    expect([nudgeStatus(sandbox).state, reason(sandbox)]).toEqual(['notPrompted', null]);
    await sandbox.directory.patchUser('ada', { snooze: { snoozedAtMs: sandbox.clock.nowMs() } });
    expect([nudgeStatus(sandbox).state, reason(sandbox)]).toEqual(['snoozed', 'snoozed']);
    await sandbox.directory.setSnooze('ada', { count: 1, snoozedAtMs: sandbox.clock.nowMs() - 24 * hourMs });
    expect([nudgeStatus(sandbox).snoozedAfterMs, reason(sandbox)]).toEqual([-24 * hourMs, null]);
  });

  test('R7: the finished sign-ins of a removed user are removed', async () => {
    const sandbox = await createSandbox({ users: [{ id: 'ada' }, { id: 'ben' }] });
    await signIn(sandbox, 'ada', { ssoSession: true });
    const { id } = await signIn(sandbox, 'ben', { ssoSession: true });
    await sandbox.directory.removeUser('ada');
    expect([...sandbox.recorder.state().finished]).toEqual([id]);
  });

  test('R5: a user who is added with a stored snooze is snoozed', async () => {
    const sandbox = await createSandbox();
    await sandbox.directory.putUser('ben', { snooze: { count: 1, snoozedAtMs: sandbox.clock.nowMs() - hourMs } });
    expect(nudgeStatus(sandbox, 'ben')).toMatchObject({ state: 'snoozed', snoozes: 1, snoozedAfterMs: -hourMs });
    expect(reason(sandbox, 'ben')).toBe('snoozed');
  });
});
