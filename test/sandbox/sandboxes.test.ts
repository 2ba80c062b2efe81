import { describe, expect, test } from 'vitest';
import { sandboxesMax } from '../../src/core/limits.ts';
import { MemoryStore } from '../../src/journal/stores/memory.store.ts';
import { planSandbox } from '../../src/sandbox/sandbox.ts';
import { Sandboxes } from '../../src/sandbox/sandboxes.ts';
import { crowd, promptedEachTime } from '../journal/crowd.ts';
import { signInAndSkip } from './sandboxes-acts.ts';

const plan = planSandbox({ tenant: promptedEachTime, users: crowd(2) });

function opened(): Promise<Sandboxes> {
  return Sandboxes.open(new MemoryStore());
}

describe('creating and finding sandboxes', () => {
  test('a sandbox can be found by its id until it is deleted', async () => {
    const sandboxes = await opened();
    const made = await sandboxes.create('one', plan);
    expect(sandboxes.get('one')).toBe(made);
    expect(sandboxes.has('one')).toBe(true);
    await sandboxes.remove('one');
    expect(sandboxes.has('one')).toBe(false);
    expect(() => sandboxes.get('one')).toThrow(expect.objectContaining({ code: 'sandbox-not-found' }));
    expect(sandboxes.list()).toEqual([]);
  });

  test('a sandbox without an id gets an unused one', async () => {
    const sandboxes = await opened();
    await sandboxes.create('sandbox-1', plan);
    const ids = await Promise.all([sandboxes.create(undefined, plan), sandboxes.create(undefined, plan)]);
    expect(ids.map(({ id }) => id)).toEqual(['sandbox-2', 'sandbox-3']);
    expect(sandboxes.list().map(({ id }) => id)).toEqual(['sandbox-1', 'sandbox-2', 'sandbox-3']);
  });

  test.each(['', '-a', 'A', 'a_b', 'a/b', 'ü', 'a'.repeat(64), 'a\n'])(
    'bad-request: %j is not a valid id',
    async (id) => {
      const sandboxes = await opened();
      await expect(sandboxes.create(id, plan)).rejects.toMatchObject({
        code: 'bad-request',
        problems: [{ location: 'id' }],
      });
      expect(sandboxes.list()).toEqual([]);
    },
  );

  test.each(['a', '0', 'a-', 'a'.repeat(63)])('%j is a valid id', async (id) => {
    const sandboxes = await opened();
    expect((await sandboxes.create(id, plan)).id).toBe(id);
  });

  test('sandbox-exists: of two concurrent requests for the same id, one is rejected', async () => {
    const sandboxes = await opened();
    const both = await Promise.allSettled([sandboxes.create('one', plan), sandboxes.create('one', plan)]);
    expect(both.map(({ status }) => status)).toEqual(['fulfilled', 'rejected']);
    expect(both[1]).toMatchObject({ reason: { code: 'sandbox-exists' } });
    await expect(sandboxes.fork('one', 'one')).rejects.toMatchObject({ code: 'sandbox-exists' });
  });

  test('too-many-sandboxes: the limit is enforced, and removing a sandbox allows a new one', async () => {
    const sandboxes = await opened();
    const empty = planSandbox({});
    for (let made = 0; made < sandboxesMax; made += 1) await sandboxes.create(undefined, empty);
    await expect(sandboxes.create(undefined, empty)).rejects.toMatchObject({ code: 'too-many-sandboxes' });
    await expect(sandboxes.fork('sandbox-1')).rejects.toMatchObject({ code: 'too-many-sandboxes' });
    await sandboxes.remove('sandbox-7');
    expect((await sandboxes.create(undefined, empty)).id).not.toBe('sandbox-7');
  });

  test('a failed creation leaves its id available', async () => {
    const store = new MemoryStore({ entriesMax: 0 });
    const sandboxes = await Sandboxes.open(store);
    await expect(sandboxes.create('one', plan)).rejects.toMatchObject({ code: 'journal-full' });
    await expect(sandboxes.create('one', plan)).rejects.toMatchObject({ code: 'journal-full' });
    expect(sandboxes.has('one')).toBe(false);
  });
});

describe('isolation', () => {
  test('events in one sandbox do not affect another', async () => {
    const sandboxes = await opened();
    const [one, two] = [await sandboxes.create('one', plan), await sandboxes.create('two', plan)];
    await signInAndSkip(one, 'user-0');
    await one.clock.advance({ days: 3 });
    expect(two.directory.nudgeStatus('user-0').snoozes).toBe(0);
    expect(two.clock.nowMs()).toBe(plan.clock.nowMs);
    expect(two.entryCount).toBe(1);
  });

  test('sandbox-not-found: a reference to a removed sandbox allows neither writing nor reading', async () => {
    const sandboxes = await opened();
    const one = await sandboxes.create('one', plan);
    const { id } = await one.signIns.start('user-0');
    await sandboxes.remove('one');
    await expect(one.signIns.acceptPassword(id)).rejects.toMatchObject({ code: 'sandbox-not-found' });
    expect(() => one.directory.tenant()).toThrow(expect.objectContaining({ code: 'sandbox-not-found' }));
    const again = await sandboxes.create('one', plan);
    await expect(one.clock.advance({ days: 1 })).rejects.toMatchObject({ code: 'sandbox-not-found' });
    expect(again.entryCount).toBe(1);
  });
});

describe('forking', () => {
  test('a fork starts with the same state, and both sandboxes change independently', async () => {
    const sandboxes = await opened();
    const one = await sandboxes.create('one', plan);
    await signInAndSkip(one, 'user-0');
    const { id: openId } = await one.signIns.start('user-1');
    const fork = await sandboxes.fork('one', 'fork');
    expect(fork.directory.nudgeStatus('user-0')).toEqual(one.directory.nudgeStatus('user-0'));
    expect(await fork.journal({ after: 0, limit: 99 })).toEqual(await one.journal({ after: 0, limit: 99 }));
    await fork.signIns.acceptPassword(openId);
    await signInAndSkip(fork, 'user-0');
    expect(one.directory.nudgeStatus('user-0').snoozes).toBe(1);
    expect(fork.directory.nudgeStatus('user-0').snoozes).toBe(2);
    expect(one.signIns.view(openId).screen).toBe('password');
  });

  test('unauthenticated: a token of a sandbox is not valid in its fork', async () => {
    const sandboxes = await opened();
    const one = await sandboxes.create('one', plan);
    const { access_token: token } = await one.tokens.issue({ permissions: ['Policy.Read.All'] });
    const fork = await sandboxes.fork('one', 'fork');
    await expect(one.tokens.verify(token)).resolves.toMatchObject({ subject: 'administrator' });
    await expect(fork.tokens.verify(token)).rejects.toMatchObject({ code: 'unauthenticated' });
  });

  test('a fork has the named snapshots of the original sandbox', async () => {
    const sandboxes = await opened();
    const one = await sandboxes.create('one', plan);
    await sandboxes.snapshot('one', 'start');
    await signInAndSkip(one, 'user-0');
    const fork = await sandboxes.fork('one');
    await sandboxes.restore(fork.id, 'start');
    expect(fork.directory.nudgeStatus('user-0').snoozes).toBe(0);
    expect(one.directory.nudgeStatus('user-0').snoozes).toBe(1);
  });
});
