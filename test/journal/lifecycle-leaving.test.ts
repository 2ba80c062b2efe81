import { describe, expect, test } from 'vitest';
import { createSandbox, dayMs, minuteMs, nudgeStatus, reason, refusal, signIn } from './signing-in.ts';

const limitOff = { campaign: { enforceRegistrationAfterAllowedSnoozes: false } };
const limitOn = { campaign: { enforceRegistrationAfterAllowedSnoozes: true } };

describe('unload beacons', () => {
  test('A41: a pending close does not count until it is settled, and the user stays prompted', async () => {
    const sandbox = await createSandbox();
    const { id } = await signIn(sandbox);
    await sandbox.signIns.leave(id);
    expect(nudgeStatus(sandbox)).toEqual({ state: 'prompted', snoozes: 0, snoozedAfterMs: null, open: 1 });
  });

  test('A41: the next sign-in of the user settles a pending close at the time of the close, before the evaluation', async () => {
    const sandbox = await createSandbox();
    const { id } = await signIn(sandbox);
    await sandbox.clock.advance({ minutes: 3 });
    await sandbox.signIns.leave(id);
    await sandbox.clock.advance({ minutes: 5 });
    expect((await signIn(sandbox)).screen).toBe('notNudged');
    expect(nudgeStatus(sandbox)).toEqual({ state: 'snoozed', snoozes: 1, snoozedAfterMs: 3 * minuteMs, open: 0 });
    expect(sandbox.signIns.view(id).screen).toBe('expired');
  });

  test('A41: a sign-in by another user does not settle a pending close', async () => {
    const sandbox = await createSandbox({ users: [{ id: 'ada' }, { id: 'ben' }] });
    await sandbox.signIns.leave((await signIn(sandbox, 'ada')).id);
    await signIn(sandbox, 'ben');
    expect(nudgeStatus(sandbox, 'ada')).toMatchObject({ snoozes: 0, open: 1 });
  });

  test('A41: the control API settles a pending close', async () => {
    const sandbox = await createSandbox();
    await sandbox.signIns.leave((await signIn(sandbox)).id);
    await sandbox.clock.advance({ minutes: 1 });
    await sandbox.directory.settlePendingCloses('ada');
    expect(nudgeStatus(sandbox)).toEqual({ state: 'snoozed', snoozes: 1, snoozedAfterMs: 0, open: 0 });
  });

  test('A41: the end of the prompt lifetime settles a pending close at the time of the close', async () => {
    const sandbox = await createSandbox();
    const { id } = await signIn(sandbox);
    await sandbox.clock.advance({ minutes: 2 });
    await sandbox.signIns.leave(id);
    await sandbox.clock.advance({ minutes: 12, ms: 59_999 });
    expect(nudgeStatus(sandbox)).toMatchObject({ snoozes: 0, open: 1 });
    await sandbox.clock.advance({ ms: 1 });
    expect(nudgeStatus(sandbox)).toEqual({ state: 'snoozed', snoozes: 1, snoozedAfterMs: 2 * minuteMs, open: 0 });
  });

  test.for(['comeBack', 'selectNext'] as const)('A41: %s withdraws a pending close', async (request) => {
    const sandbox = await createSandbox();
    const { id } = await signIn(sandbox);
    await sandbox.signIns.leave(id);
    await sandbox.signIns[request](id);
    await sandbox.directory.settlePendingCloses('ada');
    expect(nudgeStatus(sandbox)).toMatchObject({ state: 'prompted', snoozes: 0, open: 1 });
  });

  test('A41: a return without a pending close is not recorded in the journal', async () => {
    const sandbox = await createSandbox();
    const { id } = await signIn(sandbox);
    const before = sandbox.entryCount;
    await sandbox.signIns.comeBack(id);
    expect(sandbox.entryCount).toBe(before);
  });

  test('A25: an unload beacon for a prompt that was skipped is ignored', async () => {
    const sandbox = await createSandbox();
    const { id } = await signIn(sandbox);
    await sandbox.signIns.skip(id);
    const before = sandbox.entryCount;
    await sandbox.signIns.leave(id);
    expect([sandbox.entryCount, nudgeStatus(sandbox).snoozes]).toEqual([before, 1]);
  });

  test('R9: closing three times uses up the snoozes, and closing the required prompt changes nothing (A2)', async () => {
    const sandbox = await createSandbox();
    for (const snoozes of [1, 2, 3]) {
      const { id, screen } = await signIn(sandbox);
      expect(screen).toBe('prompt');
      await sandbox.signIns.leave(id);
      await sandbox.clock.advance({ ms: dayMs - 1 });
      expect(nudgeStatus(sandbox)).toMatchObject({ state: 'snoozed', snoozes });
      await sandbox.clock.advance({ ms: 1 });
      expect(nudgeStatus(sandbox)).toMatchObject({ state: 'notPrompted', snoozes });
    }
    for (const { id, screen } of [await signIn(sandbox), await signIn(sandbox)]) {
      expect(screen).toBe('required');
      await sandbox.signIns.leave(id);
    }
    await sandbox.directory.settlePendingCloses('ada');
    expect(nudgeStatus(sandbox)).toEqual({
      state: 'registrationRequired',
      snoozes: 3,
      snoozedAfterMs: 2 * dayMs,
      open: 0,
    });
  });

  test('A10: closing on the error screen does not count; A11: closing during setup counts', async () => {
    const sandbox = await createSandbox();
    const failed = await signIn(sandbox);
    await sandbox.signIns.selectNext(failed.id);
    await sandbox.signIns.failSetup(failed.id);
    await sandbox.signIns.leave(failed.id);
    await sandbox.directory.settlePendingCloses('ada');
    expect(nudgeStatus(sandbox)).toMatchObject({ state: 'notPrompted', snoozes: 0 });
    const trying = await signIn(sandbox);
    await sandbox.signIns.selectNext(trying.id);
    await sandbox.signIns.leave(trying.id);
    await sandbox.directory.settlePendingCloses('ada');
    expect(nudgeStatus(sandbox)).toMatchObject({ state: 'snoozed', snoozes: 1 });
  });
});

describe('prompt expiry', () => {
  test.for([
    [-1, 'prompted', 0],
    [0, 'snoozed', 1],
    [1, 'snoozed', 1],
  ] as const)(
    'A40: fifteen minutes and %i ms after the prompt was shown, the state is %s',
    async ([ms, state, snoozes]) => {
      const sandbox = await createSandbox();
      await signIn(sandbox);
      await sandbox.clock.advance({ ms: 15 * minuteMs + ms });
      expect(nudgeStatus(sandbox)).toMatchObject({ state, snoozes });
    },
  );

  test('A40: the snooze of an expired prompt starts at the end of its lifetime, whenever the status is read', async () => {
    const sandbox = await createSandbox();
    await signIn(sandbox);
    await sandbox.clock.advance({ days: 1, minutes: 14, ms: 59_999 });
    expect(reason(sandbox)).toBe('snoozed');
    await sandbox.clock.advance({ ms: 1 });
    expect(reason(sandbox)).toBeNull();
  });

  test('A40: a prompt that expired before an event is settled before it, under the policy of that time', async () => {
    const sandbox = await createSandbox({ users: [{ id: 'ada', snooze: { count: 3 } }] });
    await sandbox.directory.patchTenant(limitOff, 'scenario');
    await signIn(sandbox);
    await sandbox.clock.advance({ minutes: 15 });
    await sandbox.directory.patchTenant(limitOn, 'scenario');
    expect(nudgeStatus(sandbox)).toMatchObject({ state: 'snoozed', snoozes: 4 });
  });

  test('A39: a prompt that is open when the snooze limit is enabled does not count when it expires at the limit', async () => {
    const sandbox = await createSandbox({ users: [{ id: 'ada', snooze: { count: 3 } }] });
    await sandbox.directory.patchTenant(limitOff, 'scenario');
    await signIn(sandbox);
    await sandbox.clock.advance({ minutes: 14 });
    await sandbox.directory.patchTenant(limitOn, 'scenario');
    await sandbox.clock.advance({ minutes: 1 });
    expect(nudgeStatus(sandbox)).toMatchObject({ state: 'notPrompted', snoozes: 3, open: 0 });
  });

  test('A40: several prompts expire in the order in which they were shown, and at the limit only the first counts', async () => {
    const sandbox = await createSandbox({ users: [{ id: 'ada', snooze: { count: 2 } }] });
    await signIn(sandbox);
    await sandbox.clock.advance({ minutes: 5 });
    await signIn(sandbox);
    await sandbox.clock.advance({ hours: 1 });
    expect(nudgeStatus(sandbox)).toEqual({ state: 'snoozed', snoozes: 3, snoozedAfterMs: 15 * minuteMs, open: 0 });
  });

  test('A40: a prompt that is shown after the clock was set back expires first', async () => {
    const sandbox = await createSandbox({ users: [{ id: 'ada' }, { id: 'ben' }] });
    await signIn(sandbox, 'ada');
    await sandbox.clock.set({ nowMs: sandbox.clock.nowMs() - dayMs });
    await signIn(sandbox, 'ben');
    await sandbox.clock.advance({ minutes: 15 });
    expect([nudgeStatus(sandbox, 'ada').open, nudgeStatus(sandbox, 'ben').open]).toEqual([1, 0]);
    await sandbox.clock.advance({ days: 1 });
    expect([nudgeStatus(sandbox, 'ada').snoozes, nudgeStatus(sandbox, 'ben').snoozes]).toEqual([1, 1]);
  });

  test('A41: closing an expired prompt has no effect', async () => {
    const sandbox = await createSandbox();
    const { id } = await signIn(sandbox);
    await sandbox.clock.advance({ minutes: 15 });
    const before = sandbox.entryCount;
    await sandbox.signIns.leave(id);
    expect([sandbox.entryCount, nudgeStatus(sandbox).snoozes]).toEqual([before, 1]);
  });

  test('A26: a user with the maximum number of open prompts cannot sign in until prompts end', async () => {
    const sandbox = await createSandbox();
    for (let tabs = 0; tabs < 32; tabs += 1) await signIn(sandbox);
    expect(await refusal(signIn(sandbox))).toBe('too-many-prompts');
    await sandbox.clock.advance({ minutes: 15 });
    expect(await refusal(signIn(sandbox))).toBeNull();
  });
});
