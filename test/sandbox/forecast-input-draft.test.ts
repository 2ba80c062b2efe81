import { describe, expect, it } from 'vitest';
import { draftForecastInput } from '../../src/sandbox/forecast-input-draft.ts';
import type { Sandbox } from '../../src/sandbox/sandbox.ts';
import { createSandbox, enabledTenant } from './policy-sandbox.ts';

/** The snooze that a forecast begins with for the one user of a sandbox. */
async function seedOf(sandbox: Sandbox): Promise<unknown> {
  const { description } = await draftForecastInput(sandbox.recorder.state());
  const { defaults } = description as { defaults: { users: readonly { snooze: unknown }[] } };
  return defaults.users[0]?.snooze;
}

/** Ada before a prompt, at 09:00; a forecast begins 15 hours later. */
async function prompted(): Promise<{ readonly sandbox: Sandbox; readonly id: string }> {
  const sandbox = await createSandbox({ tenant: enabledTenant(), users: [{ id: 'ada', snooze: { count: 1 } }] });
  const { id } = await sandbox.signIns.start('ada');
  await sandbox.signIns.acceptPassword(id);
  await sandbox.signIns.completeMfa(id);
  return { sandbox, id };
}

describe('what a forecast begins with', () => {
  it('A40: a prompt that is open now will have ended, and counts from its end', async () => {
    const { sandbox } = await prompted();
    expect(await seedOf(sandbox)).toEqual({ count: 2, daysAgo: 14.75 / 24 });
    expect(sandbox.directory.nudgeStatus('ada')).toMatchObject({ state: 'prompted', snoozes: 1 });
  });

  it('A41: a page that was left counts from when it was left', async () => {
    const { sandbox, id } = await prompted();
    await sandbox.signIns.leave(id);
    expect(await seedOf(sandbox)).toEqual({ count: 2, daysAgo: 15 / 24 });
  });

  it('R5: a clock that was set back has let nothing elapse', async () => {
    const { sandbox, id } = await prompted();
    await sandbox.signIns.skip(id);
    await sandbox.clock.set({ nowMs: sandbox.clock.nowMs() - 30 * 86_400_000 });
    expect(await seedOf(sandbox)).toEqual({ count: 2, daysAgo: 0 });
  });
});
