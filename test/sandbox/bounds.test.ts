import { describe, expect, test } from 'vitest';
import { instantMsMax } from '../../src/core/limits.ts';
import { previewTenant } from '../../src/sandbox/population.ts';
import { createSandbox, dayMs, signIn, startMs } from '../journal/signing-in.ts';

describe('limits of the virtual clock', () => {
  test('bad-request: the clock accepts the first and last instant and rejects instants outside this range', async () => {
    const { clock } = await createSandbox();
    expect(new Date(instantMsMax).toISOString()).toBe('9999-12-31T23:59:59.999Z');
    for (const nowMs of [0, instantMsMax]) {
      await clock.set({ nowMs });
      expect(clock.nowMs()).toBe(nowMs);
    }
    for (const nowMs of [-1, instantMsMax + 1, Number.NaN, Number.POSITIVE_INFINITY]) {
      await expect(clock.set({ nowMs })).rejects.toMatchObject({
        code: 'bad-request',
        problems: [{ location: 'clock.now' }],
      });
    }
    await expect(clock.advance({ ms: 1 })).rejects.toMatchObject({ problems: [{ location: 'clock.now' }] });
    await expect(clock.advance({ days: 1, ms: -dayMs - 1 })).rejects.toMatchObject({
      problems: [{ location: 'clock.advance' }],
    });
    expect(clock.nowMs()).toBe(instantMsMax);
  });
});

describe('user directory', () => {
  test('A6: a snooze counts as running until it ends, and no longer at that instant', async () => {
    const sandbox = await createSandbox({ users: [{ id: 'ada' }, { id: 'ben' }] });
    expect(sandbox.directory.population()).toMatchObject({ users: 2, nextPromptAtMs: null });
    await sandbox.signIns.skip((await signIn(sandbox)).id);
    await sandbox.clock.advance({ hours: 1 });
    await sandbox.signIns.skip((await signIn(sandbox, 'ben')).id);
    await sandbox.clock.set({ nowMs: startMs + dayMs - 1 });
    expect(sandbox.directory.population().nextPromptAtMs).toBe(startMs + dayMs);
    await sandbox.clock.advance({ ms: 1 });
    expect(sandbox.directory.population().nextPromptAtMs).toBe(startMs + dayMs + dayMs / 24);
    await sandbox.clock.advance({ hours: 1 });
    expect(sandbox.directory.population().nextPromptAtMs).toBeNull();
  });

  test('C1: a preview lists the first 100 changed users with their verdicts before and after, and counts all of them', async () => {
    const users = Array.from({ length: 101 }, (_, index) => ({ id: `u${index}` }));
    const state = (await createSandbox({ users })).recorder.state();
    const disabled = { ...state.tenant, campaign: { ...state.tenant.campaign, state: 'disabled' as const } };
    const { changes, ...counts } = previewTenant(state, disabled, {});
    expect(counts).toEqual({
      evaluated: 101,
      users: 101,
      before: { none: 0, skippable: 101, required: 0 },
      after: { none: 101, skippable: 0, required: 0 },
      changed: 101,
    });
    expect(changes).toEqual(
      users.slice(0, 100).map(({ id }) => ({
        user: id,
        before: { outcome: 'skippable', reason: null },
        after: { outcome: 'none', reason: 'campaign-disabled' },
      })),
    );
  });

  test('finds a user by the full user principal name, ignoring case and surrounding spaces', async () => {
    const { directory } = await createSandbox({ users: [{ id: 'ada', userPrincipalName: 'Ada@example.test' }] });
    for (const name of ['ada@example.test', ' ADA@EXAMPLE.TEST', 'Ada@example.test\t', '\n ada@example.test '])
      expect([name, directory.userNamed(name)?.id]).toEqual([name, 'ada']);
    for (const name of ['', ' ', 'ada', 'ada@example.tes', 'a da@example.test'])
      expect([name, directory.userNamed(name)]).toEqual([name, null]);
  });
});
