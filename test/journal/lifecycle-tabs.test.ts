import { describe, expect, test } from 'vitest';
import { createSandbox, hourMs, minuteMs, nudgeStatus, refusal, signIn } from './signing-in.ts';

describe('two tabs of one user', () => {
  test('A26: two prompts that were shown before the first skip count twice, and the second skip restarts the timer', async () => {
    const sandbox = await createSandbox();
    const [one, two] = [await signIn(sandbox), await signIn(sandbox)];
    expect([one.screen, two.screen, nudgeStatus(sandbox).open]).toEqual(['prompt', 'prompt', 2]);
    await sandbox.signIns.skip(one.id);
    await sandbox.clock.advance({ minutes: 1 });
    await sandbox.signIns.skip(two.id);
    expect(nudgeStatus(sandbox)).toEqual({ state: 'snoozed', snoozes: 2, snoozedAfterMs: minuteMs, open: 0 });
  });

  test('A26: skipping one prompt twice counts once, and the user is signed in both times', async () => {
    const sandbox = await createSandbox();
    const { id } = await signIn(sandbox);
    const screens = [(await sandbox.signIns.skip(id)).screen, (await sandbox.signIns.skip(id)).screen];
    expect(screens).toEqual(['signedIn', 'signedIn']);
    expect(nudgeStatus(sandbox)).toMatchObject({ snoozes: 1 });
  });

  test('A26: a second skip of one prompt is not recorded in the journal', async () => {
    const sandbox = await createSandbox();
    const { id } = await signIn(sandbox);
    await sandbox.signIns.skip(id);
    const before = sandbox.entryCount;
    await sandbox.signIns.skip(id);
    expect(sandbox.entryCount).toBe(before);
  });

  test('R5: a sign-in after the first skip shows no prompt', async () => {
    const sandbox = await createSandbox();
    await sandbox.signIns.skip((await signIn(sandbox)).id);
    expect(await signIn(sandbox)).toMatchObject({ screen: 'notNudged', outcome: 'none', finished: true });
  });

  test('A27: registering in one tab resolves the other one, whose skip signs in without counting', async () => {
    const sandbox = await createSandbox();
    const [one, two] = [await signIn(sandbox), await signIn(sandbox)];
    await sandbox.signIns.selectNext(two.id);
    expect((await sandbox.signIns.completeSetup(two.id, null)).screen).toBe('signedIn');
    expect(sandbox.signIns.view(one.id).screen).toBe('resolved');
    expect((await sandbox.signIns.skip(one.id)).screen).toBe('signedIn');
    expect(nudgeStatus(sandbox)).toEqual({ state: 'registered', snoozes: 0, snoozedAfterMs: null, open: 0 });
  });

  test.for(['skipError', 'selectNext'] as const)(
    'A27: %s in a resolved tab signs in without counting',
    async (answer) => {
      const sandbox = await createSandbox();
      const [one, two] = [await signIn(sandbox), await signIn(sandbox)];
      await sandbox.signIns.selectNext(one.id);
      await sandbox.signIns.failSetup(one.id);
      await sandbox.signIns.selectNext(two.id);
      await sandbox.signIns.completeSetup(two.id, null);
      expect((await sandbox.signIns[answer](one.id)).screen).toBe('signedIn');
      expect(nudgeStatus(sandbox)).toMatchObject({ state: 'registered', snoozes: 0 });
    },
  );

  test('A43: closing and expiry of the other prompt have no effect after registration', async () => {
    const sandbox = await createSandbox();
    const [one, two] = [await signIn(sandbox), await signIn(sandbox)];
    await sandbox.signIns.selectNext(two.id);
    await sandbox.signIns.completeSetup(two.id, null);
    const before = sandbox.entryCount;
    await sandbox.signIns.leave(one.id);
    expect(sandbox.entryCount).toBe(before);
    await sandbox.clock.advance({ minutes: 15 });
    expect(nudgeStatus(sandbox)).toEqual({ state: 'registered', snoozes: 0, snoozedAfterMs: null, open: 0 });
    expect(sandbox.signIns.view(one.id).screen).toBe('resolved');
  });

  test('A42: at the limit, the second skip is rejected and does not sign in, and closing its prompt does not count', async () => {
    const sandbox = await createSandbox({ users: [{ id: 'ada', snooze: { count: 2 } }] });
    const [one, two] = [await signIn(sandbox), await signIn(sandbox)];
    await sandbox.signIns.skip(one.id);
    expect(await refusal(sandbox.signIns.skip(two.id))).toBe('skip-not-allowed');
    expect(sandbox.signIns.view(two.id)).toMatchObject({ screen: 'required', finished: false, skippable: false });
    await sandbox.signIns.leave(two.id);
    await sandbox.clock.advance({ minutes: 15 });
    expect(nudgeStatus(sandbox)).toEqual({ state: 'registrationRequired', snoozes: 3, snoozedAfterMs: 0, open: 0 });
  });

  test('A1: after a rejected skip, registration is the only way to continue', async () => {
    const sandbox = await createSandbox({ users: [{ id: 'ada', snooze: { count: 3 } }] });
    const { id, screen } = await signIn(sandbox);
    expect(screen).toBe('required');
    expect([await refusal(sandbox.signIns.skip(id)), await refusal(sandbox.signIns.skipError(id))]).toEqual([
      'skip-not-allowed',
      'unexpected-screen',
    ]);
    await sandbox.signIns.selectNext(id);
    await sandbox.signIns.completeSetup(id, null);
    expect(nudgeStatus(sandbox)).toMatchObject({ state: 'registered', snoozes: 3 });
    expect((await signIn(sandbox)).screen).toBe('notNudged');
  });

  test('A42: a prompt that is shown after the previous one was skipped counts separately', async () => {
    const sandbox = await createSandbox({
      tenant: {
        campaign: {
          state: 'enabled',
          snoozeDurationInDays: 0,
          includeTargets: [
            { targetType: 'group', id: 'all_users', targetedAuthenticationMethod: 'vendorAuthenticator' },
          ],
        },
      },
    });
    for (const snoozes of [1, 2, 3]) {
      await sandbox.signIns.skip((await signIn(sandbox)).id);
      // A snooze of 0 days ends immediately (A5).
      expect(nudgeStatus(sandbox)).toMatchObject({ state: 'notPrompted', snoozes });
    }
    expect((await signIn(sandbox)).screen).toBe('required');
  });

  test('A8: tabs on two devices share one nudge status', async () => {
    const sandbox = await createSandbox();
    const laptop = await signIn(sandbox, 'ada', { deviceId: 'laptop' });
    await sandbox.signIns.skip(laptop.id);
    expect((await signIn(sandbox, 'ada', { deviceId: 'tablet', os: 'macos', browser: 'safari' })).screen).toBe(
      'notNudged',
    );
  });

  test('R7: the snooze count is kept per user, so a skip by one user does not change the status of another', async () => {
    const sandbox = await createSandbox({ users: [{ id: 'ada' }, { id: 'ben' }] });
    await sandbox.signIns.skip((await signIn(sandbox, 'ada')).id);
    expect(nudgeStatus(sandbox, 'ben')).toEqual({ state: 'notPrompted', snoozes: 0, snoozedAfterMs: null, open: 0 });
    expect((await signIn(sandbox, 'ben')).screen).toBe('prompt');
  });

  test('A40: after fifteen minutes, Next and setup are rejected, and a late skip does not count', async () => {
    const sandbox = await createSandbox();
    const { id } = await signIn(sandbox);
    await sandbox.signIns.selectNext(id);
    await sandbox.clock.advance({ minutes: 15 });
    expect([
      await refusal(sandbox.signIns.selectNext(id)),
      await refusal(sandbox.signIns.completeSetup(id, null)),
      await refusal(sandbox.signIns.failSetup(id)),
    ]).toEqual(['prompt-expired', 'prompt-expired', 'prompt-expired']);
    await sandbox.clock.advance({ hours: 1 });
    expect(await sandbox.signIns.skip(id)).toMatchObject({ screen: 'signedIn', late: true });
    expect(nudgeStatus(sandbox)).toEqual({ state: 'snoozed', snoozes: 1, snoozedAfterMs: hourMs / 4, open: 0 });
  });

  test('A1: a late skip of a required prompt is rejected and does not sign in', async () => {
    const sandbox = await createSandbox({ users: [{ id: 'ada', snooze: { count: 3 } }] });
    const { id } = await signIn(sandbox);
    await sandbox.clock.advance({ minutes: 15 });
    expect(await refusal(sandbox.signIns.skip(id))).toBe('skip-not-allowed');
    expect(sandbox.signIns.view(id)).toMatchObject({ screen: 'expired', finished: false });
    expect(nudgeStatus(sandbox)).toEqual({ state: 'registrationRequired', snoozes: 3, snoozedAfterMs: null, open: 0 });
  });

  test('A13: a late skip of the error screen of a required user signs in and does not count', async () => {
    const sandbox = await createSandbox({ users: [{ id: 'ada', snooze: { count: 3 } }] });
    const { id } = await signIn(sandbox);
    await sandbox.signIns.selectNext(id);
    await sandbox.signIns.failSetup(id);
    await sandbox.clock.advance({ minutes: 20 });
    expect((await sandbox.signIns.skipError(id)).screen).toBe('signedIn');
    expect(nudgeStatus(sandbox)).toMatchObject({ state: 'registrationRequired', snoozes: 3 });
  });
});
