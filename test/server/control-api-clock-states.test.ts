import { describe, expect, it } from 'vitest';
import { serveControl } from './control-client.ts';

const target = { targetType: 'group', id: 'all_users', targetedAuthenticationMethod: 'vendorAuthenticator' };
const enabled = { campaign: { state: 'enabled', includeTargets: [target], snoozeDurationInDays: 2 } };

/** 2026-01-05T09:00:00.000Z, the initial time of a new sandbox. */
const startMs = 1_767_603_600_000;
const users = [{ id: 'ada', snooze: { count: 1, snoozedAtMs: startMs } }];
const endsAt = '2026-01-07T09:00:00.000Z';

type Ask = Awaited<ReturnType<typeof serveControl>>['ask'];

/** Returns Ada’s state and next prompt time from every view of the control API. */
async function views(ask: Ask) {
  const user = (await ask('GET ./users/ada')).body.nudgeStatus;
  const [listed] = (await ask('GET ./users')).body.users;
  const found = (await ask('POST ./observations', { user: 'ada' })).body.nudgeStatus;
  const { states, nextPromptAt } = (await ask('GET ./user-summary')).body;
  const machines = (await ask('GET ./states?user=ada')).body.states;
  const [counted] = Object.entries(states).find(([, count]) => count === 1) ?? [];
  const filtered = (await ask(`GET ./users?state=${user.state}`)).body.total;
  return {
    states: [
      user.state,
      listed.nudgeStatus.state,
      found.state,
      counted,
      machines.find(({ machine }: { machine: string }) => machine === 'nudge').state,
    ],
    nextPromptAt: [user.nextPromptAt, listed.nudgeStatus.nextPromptAt, found.nextPromptAt, nextPromptAt],
    filtered,
    reason: (await ask('POST ./explain', { user: 'ada' })).body.reason,
  };
}

function all(state: string, nextPromptAt: string | null) {
  return {
    states: [state, state, state, state, state],
    nextPromptAt: [nextPromptAt, nextPromptAt, nextPromptAt, nextPromptAt],
    filtered: 1,
    reason: nextPromptAt === null ? null : 'snoozed',
  };
}

describe('control API: effect of time on a snooze', () => {
  it('R5: every view shows a user as snoozed until exactly the end of the snooze', async () => {
    const { ask } = await serveControl({ sandbox: { tenant: enabled, users } });
    await ask('POST ./clock/advance', { ms: 2 * 86_400_000 - 1 });
    expect(await views(ask)).toEqual(all('snoozed', endsAt));
    await ask('POST ./clock/advance', { ms: 1 });
    expect(await views(ask)).toEqual(all('notPrompted', null));
  });

  it('A7: a changed snooze duration applies to the stored snooze immediately', async () => {
    const { ask } = await serveControl({ sandbox: { tenant: enabled, users } });
    await ask('POST ./clock/advance', { days: 3 });
    expect(await views(ask)).toEqual(all('notPrompted', null));
    await ask('PATCH ./tenant', { campaign: { snoozeDurationInDays: 4 } });
    expect(await views(ask)).toEqual(all('snoozed', '2026-01-09T09:00:00.000Z'));
    await ask('PATCH ./tenant', { campaign: { snoozeDurationInDays: 0 } });
    expect(await views(ask)).toEqual(all('notPrompted', null));
  });

  it('R5: setting the clock back resumes an elapsed snooze', async () => {
    const { ask } = await serveControl({ sandbox: { tenant: enabled, users } });
    await ask('POST ./clock/advance', { days: 2 });
    expect(await views(ask)).toEqual(all('notPrompted', null));
    await ask('PUT ./clock', { now: '2026-01-01T09:00:00.000Z' });
    expect(await views(ask)).toEqual(all('snoozed', endsAt));
  });

  it('A38: if the nudge status is reset while another tab shows a prompt, every view shows the user as prompted', async () => {
    const { ask, sandboxes } = await serveControl({ sandbox: { tenant: enabled, users: [{ id: 'ada' }] } });
    const { signIns } = sandboxes.get('default');
    const tabs = [await signIns.start('ada'), await signIns.start('ada')];
    for (const { id } of tabs) {
      await signIns.acceptPassword(id);
      await signIns.completeMfa(id);
    }
    await signIns.skip(tabs[0]?.id ?? '');
    expect((await views(ask)).states).toEqual(all('snoozed', null).states);
    await ask('PUT ./users/ada/snooze', {});
    expect(await views(ask)).toEqual(all('prompted', null));
  });
});
