import { describe, expect, it } from 'vitest';
import type { Sandbox } from '../../src/sandbox/sandbox.ts';
import { createSandbox, enabledTenant } from './policy-sandbox.ts';

const dayMs = 86_400_000;

/** Returns a sandbox in which Ada is prompted after `count` snoozes. She can snooze three times for three days each. */
async function prompted(count: number): Promise<{ sandbox: Sandbox; signInId: string }> {
  const sandbox = await createSandbox({ tenant: enabledTenant(), users: [{ id: 'ada', snooze: { count } }] });
  return { sandbox, signInId: await signIn(sandbox) };
}

async function signIn(sandbox: Sandbox): Promise<string> {
  const { id } = await sandbox.signIns.start('ada');
  await sandbox.signIns.acceptPassword(id);
  await sandbox.signIns.completeMfa(id);
  return id;
}

/** Returns the verdict of explain and the verdict of the next sign-in. */
async function explainedAndJudged(sandbox: Sandbox) {
  const { outcome, reason } = sandbox.explain('ada', {});
  const evaluated = sandbox.signIns.verdict(await signIn(sandbox));
  return { explained: { outcome, reason }, evaluated: { outcome: evaluated?.outcome, reason: evaluated?.reason } };
}

describe('explain after the browser was closed', () => {
  const rows = [
    [0, 0, { outcome: 'none', reason: 'snoozed' }],
    [0, 3 * dayMs - 1, { outcome: 'none', reason: 'snoozed' }],
    [0, 3 * dayMs, { outcome: 'skippable', reason: null }],
    [1, 3 * dayMs, { outcome: 'skippable', reason: null }],
    [2, 0, { outcome: 'none', reason: 'snoozed' }],
    [2, 3 * dayMs, { outcome: 'required', reason: null }],
    [3, 0, { outcome: 'required', reason: null }],
  ] as const;

  it.for(rows)(
    'A41: with %i snoozes and %i ms later, explain returns %j, and so does the next sign-in',
    async ([count, ms, said]) => {
      const { sandbox, signInId } = await prompted(count);
      await sandbox.signIns.leave(signInId);
      await sandbox.clock.advance({ ms });
      expect(await explainedAndJudged(sandbox)).toEqual({ explained: said, evaluated: said });
    },
  );

  it('A41: explain counts no snooze and settles no pending close', async () => {
    const { sandbox, signInId } = await prompted(0);
    await sandbox.signIns.leave(signInId);
    const before = sandbox.entryCount;
    sandbox.explain('ada', {});
    sandbox.explain('ada', {});
    expect(sandbox.entryCount).toBe(before);
    expect(sandbox.directory.nudgeStatus('ada')).toMatchObject({ state: 'prompted', snoozes: 0 });
  });

  it('A41: explain ignores a withdrawn unload beacon', async () => {
    const { sandbox, signInId } = await prompted(2);
    await sandbox.signIns.leave(signInId);
    await sandbox.signIns.comeBack(signInId);
    const said = { outcome: 'skippable', reason: null };
    expect(await explainedAndJudged(sandbox)).toEqual({ explained: said, evaluated: said });
  });

  it('A41: explain counts two closed tabs as two snoozes', async () => {
    const { sandbox, signInId } = await prompted(1);
    const other = await signIn(sandbox);
    await sandbox.signIns.leave(signInId);
    await sandbox.signIns.leave(other);
    await sandbox.clock.advance({ days: 3 });
    const said = { outcome: 'required', reason: null };
    expect(await explainedAndJudged(sandbox)).toEqual({ explained: said, evaluated: said });
  });

  it('A40: explain counts an expired prompt as one snooze that starts when the prompt expires', async () => {
    const { sandbox } = await prompted(0);
    await sandbox.clock.advance({ minutes: 15 });
    const said = { outcome: 'none', reason: 'snoozed' };
    expect(await explainedAndJudged(sandbox)).toEqual({ explained: said, evaluated: said });
  });

  it('A41: an open prompt of one user does not affect other users', async () => {
    const { sandbox, signInId } = await prompted(0);
    await sandbox.directory.putUser('ben', {});
    await sandbox.signIns.leave(signInId);
    expect(sandbox.explain('ben', {})).toMatchObject({ outcome: 'skippable', reason: null });
  });
});
