import { describe, expect, test, vi } from 'vitest';
import { toInstant } from '../../src/core/clock.ts';
import {
  createSandbox,
  dayMs,
  hourMs,
  nudgeStatus,
  passkeyCampaign,
  reason,
  refusal,
  signIn,
  startMs,
} from './signing-in.ts';

function days(snoozeDurationInDays: number): unknown {
  return { campaign: { snoozeDurationInDays } };
}

describe('policy changes while a prompt is open', () => {
  test('A39: a skip after the campaign was disabled still counts', async () => {
    const sandbox = await createSandbox();
    const { id } = await signIn(sandbox);
    await sandbox.directory.patchTenant({ campaign: { state: 'disabled' } }, 'scenario');
    expect((await sandbox.signIns.skip(id)).screen).toBe('signedIn');
    expect(nudgeStatus(sandbox)).toMatchObject({ state: 'snoozed', snoozes: 1 });
    expect(reason(sandbox)).toBe('campaign-disabled');
  });

  test('A39: if the limit is enabled while a prompt is open, its skip is rejected after three snoozes', async () => {
    const sandbox = await createSandbox({ users: [{ id: 'ada', snooze: { count: 5 } }] });
    await sandbox.directory.patchTenant({ campaign: { enforceRegistrationAfterAllowedSnoozes: false } }, 'scenario');
    const { id, screen, skippable } = await signIn(sandbox);
    expect([screen, skippable]).toEqual(['prompt', true]);
    await sandbox.directory.patchTenant({ campaign: { enforceRegistrationAfterAllowedSnoozes: true } }, 'scenario');
    expect(sandbox.signIns.view(id).skippable).toBe(false);
    expect(await refusal(sandbox.signIns.skip(id))).toBe('skip-not-allowed');
    expect(nudgeStatus(sandbox)).toMatchObject({ state: 'registrationRequired', snoozes: 5, open: 1 });
  });

  test('A39: if the limit is disabled while a required prompt is open, the prompt can be skipped', async () => {
    const sandbox = await createSandbox({ users: [{ id: 'ada', snooze: { count: 3 } }] });
    const { id, screen } = await signIn(sandbox);
    expect(screen).toBe('required');
    await sandbox.directory.patchTenant({ campaign: { enforceRegistrationAfterAllowedSnoozes: false } }, 'scenario');
    expect((await sandbox.signIns.skip(id)).screen).toBe('signedIn');
    expect(nudgeStatus(sandbox)).toMatchObject({ state: 'snoozed', snoozes: 4 });
  });

  test('A20: a subscription that becomes free applies the limit immediately', async () => {
    const sandbox = await createSandbox({ users: [{ id: 'ada', snooze: { count: 3 } }] });
    await sandbox.directory.patchTenant({ campaign: { enforceRegistrationAfterAllowedSnoozes: false } }, 'scenario');
    const { id } = await signIn(sandbox);
    await sandbox.directory.patchTenant({ subscription: 'free' }, 'scenario');
    expect(await refusal(sandbox.signIns.skip(id))).toBe('skip-not-allowed');
  });

  test('A23: a required user stays required in a disabled campaign, and is prompted again after it is enabled', async () => {
    const sandbox = await createSandbox({ users: [{ id: 'ada', snooze: { count: 3 } }] });
    const { id } = await signIn(sandbox);
    await sandbox.directory.patchTenant({ campaign: { state: 'disabled' } }, 'scenario');
    expect(await refusal(sandbox.signIns.skip(id))).toBe('skip-not-allowed');
    expect((await signIn(sandbox)).screen).toBe('notNudged');
    await sandbox.directory.patchTenant({ campaign: { state: 'enabled' } }, 'scenario');
    expect((await signIn(sandbox)).screen).toBe('required');
    expect(nudgeStatus(sandbox)).toMatchObject({ state: 'registrationRequired', snoozes: 3 });
  });

  test('A8: disabling and enabling a campaign during a snooze keeps the count and the timer of all users', async () => {
    const sandbox = await createSandbox({ users: [{ id: 'ada' }, { id: 'ben' }] });
    const campaign = (state: 'enabled' | 'disabled') =>
      sandbox.directory.patchTenant({ campaign: { state } }, 'scenario');
    await sandbox.signIns.skip((await signIn(sandbox)).id);
    await sandbox.clock.advance({ hours: 5 });
    await sandbox.signIns.skip((await signIn(sandbox, 'ben')).id);
    await campaign('disabled');
    await sandbox.clock.advance({ hours: 5 });
    await campaign('enabled');
    for (const [user, snoozedAfterMs] of [
      ['ada', 0],
      ['ben', 5 * hourMs],
    ] as const) {
      expect(nudgeStatus(sandbox, user)).toMatchObject({ state: 'snoozed', snoozes: 1, snoozedAfterMs });
      expect(sandbox.directory.nudgeStatus(user).nextPromptAt).toBe(toInstant(startMs + snoozedAfterMs + dayMs));
    }
    await sandbox.clock.set({ nowMs: startMs + dayMs - 1 });
    expect(reason(sandbox)).toBe('snoozed');
    await sandbox.clock.advance({ ms: 1 });
    expect([reason(sandbox), sandbox.explain('ben', {}).reason]).toEqual([null, 'snoozed']);
  });

  test('R7: a change of the targeted method keeps the snooze count, and also the timer (A8)', async () => {
    const sandbox = await createSandbox();
    await sandbox.signIns.skip((await signIn(sandbox)).id);
    await sandbox.directory.patchTenant(passkeyCampaign, 'scenario');
    expect(reason(sandbox)).toBe('snoozed');
    await sandbox.clock.advance({ days: 1 });
    expect(await signIn(sandbox)).toMatchObject({ screen: 'prompt', method: 'fido2', snoozesLeft: 2 });
  });
});

describe('A6, A7: snooze duration', () => {
  test.for([
    [23 * hourMs + 3_599_999, 'snoozed'],
    [24 * hourMs, null],
    [24 * hourMs + 1, null],
  ] as const)('A6: one day is exactly 24 hours: after %i ms, the reason is %s', async ([ms, expected]) => {
    const sandbox = await createSandbox();
    await sandbox.signIns.skip((await signIn(sandbox)).id);
    await sandbox.clock.advance({ ms });
    expect(reason(sandbox)).toBe(expected);
  });

  test.for([
    [3, 0, 'snoozed'],
    [3, 3 * dayMs - 1, 'snoozed'],
    [3, 3 * dayMs, null],
    [0, 0, null],
    [14, 14 * dayMs - 1, 'snoozed'],
    [14, 14 * dayMs, null],
  ] as const)(
    'A7: a duration that is changed to %i days applies to the stored time: %i ms later, the reason is %s',
    async ([count, ms, expected]) => {
      const sandbox = await createSandbox();
      await sandbox.signIns.skip((await signIn(sandbox)).id);
      await sandbox.directory.patchTenant(days(count), 'scenario');
      await sandbox.clock.advance({ ms });
      expect(reason(sandbox)).toBe(expected);
      const { state, nextPromptAt } = sandbox.directory.nudgeStatus('ada');
      expect([state, nextPromptAt]).toEqual(
        expected === null ? ['notPrompted', null] : ['snoozed', toInstant(startMs + count * dayMs)],
      );
    },
  );

  test('A44: after a skipped error screen, the current duration applies to the older snooze', async () => {
    const sandbox = await createSandbox({
      users: [{ id: 'ada', snooze: { count: 1, snoozedAtMs: startMs - dayMs } }],
    });
    const { id } = await signIn(sandbox);
    await sandbox.signIns.selectNext(id);
    await sandbox.signIns.failSetup(id);
    await sandbox.directory.patchTenant(days(2), 'scenario');
    await sandbox.signIns.skipError(id);
    expect(nudgeStatus(sandbox)).toMatchObject({ state: 'snoozed', snoozes: 1, snoozedAfterMs: -dayMs });
    expect(reason(sandbox)).toBe('snoozed');
    await sandbox.directory.patchTenant(days(1), 'scenario');
    expect(reason(sandbox)).toBeNull();
  });

  test('A12: skipping the error screen starts no timer, and the next MFA prompts again', async () => {
    const sandbox = await createSandbox();
    const { id } = await signIn(sandbox);
    await sandbox.signIns.selectNext(id);
    await sandbox.signIns.failSetup(id);
    await sandbox.signIns.skipError(id);
    expect(nudgeStatus(sandbox)).toEqual({ state: 'notPrompted', snoozes: 0, snoozedAfterMs: null, open: 0 });
    expect((await signIn(sandbox)).screen).toBe('prompt');
  });
});

describe('clock that is set back', () => {
  test('R5: elapsed time is never below zero, so a snooze in the future lasts its whole duration', async () => {
    const sandbox = await createSandbox();
    await sandbox.signIns.skip((await signIn(sandbox)).id);
    await sandbox.clock.set({ nowMs: sandbox.clock.nowMs() - 10 * dayMs });
    expect(reason(sandbox)).toBe('snoozed');
    await sandbox.directory.patchTenant(days(0), 'scenario');
    expect(reason(sandbox)).toBeNull();
  });

  test('A40: a prompt that was shown before the clock was set back stays open until its own expiry', async () => {
    const sandbox = await createSandbox();
    const { id } = await signIn(sandbox);
    await sandbox.clock.set({ nowMs: sandbox.clock.nowMs() - dayMs });
    await sandbox.clock.advance({ days: 1, minutes: 14, ms: 59_999 });
    expect(sandbox.signIns.view(id).screen).toBe('prompt');
    await sandbox.clock.advance({ ms: 1 });
    expect(sandbox.signIns.view(id).screen).toBe('expired');
  });

  test('A6: a running virtual clock does not go back when the system clock goes back', async () => {
    vi.useFakeTimers({ now: startMs });
    try {
      const sandbox = await createSandbox({ clock: { nowMs: startMs, running: true } });
      vi.setSystemTime(startMs + hourMs);
      await signIn(sandbox);
      vi.setSystemTime(startMs);
      expect(sandbox.clock.nowMs()).toBe(startMs + hourMs);
      await sandbox.clock.set({ nowMs: startMs });
      expect(sandbox.clock.nowMs()).toBe(startMs);
    } finally {
      vi.useRealTimers();
    }
  });

  test('A3: setting the snooze record is the only reset, and the journal records it', async () => {
    const sandbox = await createSandbox({ users: [{ id: 'ada', snooze: { count: 3 } }] });
    await sandbox.directory.setSnooze('ada', { count: 0, snoozedAtMs: null });
    expect((await signIn(sandbox)).screen).toBe('prompt');
    expect((await sandbox.journal({ after: 0, limit: 10 })).map(({ event }) => event.type)).toContain('snooze.set');
  });
});
