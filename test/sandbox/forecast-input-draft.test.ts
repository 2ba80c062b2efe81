import { describe, expect, it } from 'vitest';
import { draftForecastInput } from '../../src/sandbox/forecast-input-draft.ts';
import type { Sandbox } from '../../src/sandbox/sandbox.ts';
import { createSandbox, enabledTenant } from './policy-sandbox.ts';

/** Returns the initial snooze of the sandbox’s only user in the forecast input. */
async function getSeed(sandbox: Sandbox): Promise<unknown> {
  const { description } = await draftForecastInput(sandbox.recorder.state());
  const { defaults } = description as { defaults: { users: readonly { snooze: unknown }[] } };
  return defaults.users[0]?.snooze;
}

/** Returns a sandbox in which Ada is prompted at 09:00. A forecast starts 15 hours later. */
async function prompted(): Promise<{ readonly sandbox: Sandbox; readonly id: string }> {
  const sandbox = await createSandbox({ tenant: enabledTenant(), users: [{ id: 'ada', snooze: { count: 1 } }] });
  const { id } = await sandbox.signIns.start('ada');
  await sandbox.signIns.acceptPassword(id);
  await sandbox.signIns.completeMfa(id);
  return { sandbox, id };
}

describe('initial state of a forecast', () => {
  it('A40: an open prompt counts as a snooze that starts when the prompt expires', async () => {
    const { sandbox } = await prompted();
    expect(await getSeed(sandbox)).toEqual({ count: 2, daysAgo: 14.75 / 24 });
    expect(sandbox.directory.nudgeStatus('ada')).toMatchObject({ state: 'prompted', snoozes: 1 });
  });

  it('A41: a closed page counts as a snooze that starts when it was closed', async () => {
    const { sandbox, id } = await prompted();
    await sandbox.signIns.leave(id);
    expect(await getSeed(sandbox)).toEqual({ count: 2, daysAgo: 15 / 24 });
  });

  it('R5: no time has elapsed after the clock was set back', async () => {
    const { sandbox, id } = await prompted();
    await sandbox.signIns.skip(id);
    await sandbox.clock.set({ nowMs: sandbox.clock.nowMs() - 30 * 86_400_000 });
    expect(await getSeed(sandbox)).toEqual({ count: 2, daysAgo: 0 });
  });
});
