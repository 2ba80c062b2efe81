import { describe, expect, test } from 'vitest';
import { usersRequiredNext } from '../../src/sandbox/policy-warnings.ts';
import type { Sandbox } from '../../src/sandbox/sandbox.ts';
import { createSandbox, enabledTenant } from './policy-sandbox.ts';

const nowMs = 1_767_603_600_000;
const dayMs = 86_400_000;

/** Creates users with a snooze count and the days since their latest snooze. The snooze duration is three days. */
function counted(users: Readonly<Record<string, readonly [count: number, daysAgo: number | null]>>): Promise<Sandbox> {
  const tenant = { campaign: { ...enabledTenant().campaign, enforceRegistrationAfterAllowedSnoozes: false } };
  return createSandbox({
    tenant,
    users: Object.entries(users).map(([id, [count, daysAgo]]) => ({
      id,
      snooze: { count, snoozedAtMs: daysAgo === null ? null : nowMs - daysAgo * dayMs },
    })),
    clock: { nowMs, running: false },
  });
}

describe('A46: users who would be required to register under a snooze limit', () => {
  test('A46: counts users with three or more snoozes, and separately those with a running snooze', async () => {
    const sandbox = await counted({
      none: [0, null],
      two: [2, 9],
      three: [3, 3],
      heavy: [40, 100],
      neverTimed: [3, null],
      running: [3, 2],
      future: [5, -1],
    });
    expect(usersRequiredNext(sandbox.recorder.state())).toEqual({ requiredAtNextSignIn: 3, stillSnoozing: 2 });
  });

  test('A7: the effective duration determines when users are counted as required', async () => {
    const sandbox = await counted({ ada: [3, 2] });
    expect(usersRequiredNext(sandbox.recorder.state())).toEqual({ requiredAtNextSignIn: 0, stillSnoozing: 1 });
    await sandbox.directory.patchTenant({ campaign: { snoozeDurationInDays: 2 } }, 'control-api');
    expect(usersRequiredNext(sandbox.recorder.state())).toEqual({ requiredAtNextSignIn: 1, stillSnoozing: 0 });
    await sandbox.directory.patchTenant({ campaign: { snoozeDurationInDays: 14 } }, 'control-api');
    await sandbox.clock.advance({ days: 12 });
    expect(usersRequiredNext(sandbox.recorder.state())).toEqual({ requiredAtNextSignIn: 1, stillSnoozing: 0 });
  });
});
