import { describe, expect, it } from 'vitest';
import { forecastSchema } from '../../src/contract/forecast.schema.ts';
import { apiBodyBytesMax } from '../../src/core/limits.ts';
import { forecast } from '../../src/index.ts';
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

describe('users of a forecast', () => {
  it('S2: the description of a sandbox has exactly its users, and each excluded user stays one user', async () => {
    const tenant = enabledTenant();
    const excludeTargets = [{ targetType: 'user', id: 'eve' }];
    const sandbox = await createSandbox({
      tenant: { ...tenant, campaign: { ...(tenant['campaign'] as object), excludeTargets } },
      users: [{ id: 'ada' }, { id: 'bob' }, { id: 'eve' }],
    });
    const { description, notes } = await draftForecastInput(sandbox.recorder.state());
    const input = forecastSchema.parse({ ...description, days: 30 });
    expect([input.users, input.allocation, notes[0]]).toEqual([3, 'proportional', expect.stringContaining('Exact')]);
    const report = await forecast(input, { seeds: 10, threads: 1 });
    const last = report.daily.at(-1);
    expect(last?.neverPromptedByReason['excluded']).toBe(1);
    expect(report.bands?.registeredUsers.high.at(-1)).toBeLessThanOrEqual(2);
  });

  it('users of 10,000 different kinds are described exactly, and can be sent back in a request', async () => {
    const users = Array.from({ length: 10_000 }, (_, number) => ({
      id: `user-${number}`,
      snooze: { count: 1, snoozedAtMs: Date.parse('2026-01-05T09:00:00.000Z') - number * 60_000 },
    }));
    const sandbox = await createSandbox({ tenant: enabledTenant(), users });
    const { description } = await draftForecastInput(sandbox.recorder.state());
    const { defaults, allocation } = forecastSchema.parse(description);
    expect([defaults.users?.length, allocation]).toEqual([10_000, 'proportional']);
    expect(JSON.stringify(description).length).toBeLessThan(apiBodyBytesMax);
  });

  it('more than 10,000 users are drawn by type, and a note says so', async () => {
    const users = Array.from({ length: 10_001 }, (_, number) => ({ id: `user-${number}` }));
    const sandbox = await createSandbox({ tenant: enabledTenant(), users });
    const { description, notes } = await draftForecastInput(sandbox.recorder.state());
    expect([description['allocation'], notes[0]]).toEqual(['random', expect.stringContaining('drawn at random')]);
  });
});

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
