import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { namedSnapshotsMax } from '../../src/core/limits.ts';
import type { JournalStore } from '../../src/journal/store.ts';
import { MemoryStore } from '../../src/journal/stores/memory.store.ts';
import { SqliteStore } from '../../src/journal/stores/sqlite.store.ts';
import { planSandbox, type Sandbox } from '../../src/sandbox/sandbox.ts';
import { Sandboxes } from '../../src/sandbox/sandboxes.ts';
import { crowd, promptedEachTime } from '../journal/crowd.ts';
import { temporaryFolder } from '../journal/temporary-folder.ts';
import { signInAndSkip, signInToPrompt } from './sandboxes-acts.ts';

const plan = planSandbox({ tenant: promptedEachTime, users: crowd(3) });

interface Opened {
  readonly sandboxes: Sandboxes;
  readonly sandbox: Sandbox;
  readonly store: JournalStore;
}

async function openedOn(store: JournalStore, given = plan): Promise<Opened> {
  const sandboxes = await Sandboxes.open(store);
  return { sandboxes, sandbox: await sandboxes.create('one', given), store };
}

function opened(given = plan): Promise<Opened> {
  return openedOn(new MemoryStore(), given);
}

function snoozes(sandbox: Sandbox): readonly number[] {
  return crowd(3).map(({ id }) => sandbox.directory.nudgeStatus(id).snoozes);
}

describe('restoring a sandbox', () => {
  test('a restore brings back users, nudge statuses, tenant, sign-ins, and clock, and discards later changes', async () => {
    const { sandboxes, sandbox } = await opened();
    await signInAndSkip(sandbox, 'user-0');
    const openId = await signInToPrompt(sandbox, 'user-1');
    const at = sandbox.clock.nowMs();
    await sandboxes.snapshot('one', 'here');
    await sandbox.signIns.skip(openId);
    await sandbox.clock.advance({ days: 9 });
    const laterId = await signInAndSkip(sandbox, 'user-0');
    await sandbox.directory.patchTenant({ campaign: { state: 'disabled' } }, 'scenario');
    await sandbox.directory.removeUser('user-2');
    expect(await sandboxes.restore('one', 'here')).toBe(sandbox);
    expect(snoozes(sandbox)).toEqual([1, 0, 0]);
    expect(sandbox.directory.campaign().state).toBe('enabled');
    expect(sandbox.clock.nowMs()).toBe(at);
    expect(sandbox.signIns.view(openId).screen).toBe('prompt');
    expect(() => sandbox.signIns.view(laterId)).toThrow(expect.objectContaining({ code: 'sign-in-not-found' }));
    await sandbox.signIns.skip(openId);
    expect(snoozes(sandbox)).toEqual([1, 1, 0]);
  });

  test('a restore appends one journal entry and removes none, and later sign-ins get new ids', async () => {
    const { sandboxes, sandbox } = await opened();
    await sandboxes.snapshot('one', 'start');
    const first = await signInAndSkip(sandbox, 'user-0');
    const before = sandbox.entryCount;
    await sandboxes.restore('one', 'start');
    expect(sandbox.entryCount).toBe(before + 1);
    const [restored] = await sandbox.journal({ after: before, limit: 9 });
    expect(restored?.event).toMatchObject({ type: 'state.restored', toSeq: 1 });
    expect(await signInAndSkip(sandbox, 'user-0')).not.toBe(first);
  });

  test('the tenant version never repeats, so data cached before a restore is never reused', async () => {
    const { sandboxes, sandbox } = await opened();
    const versions = [sandbox.directory.tenantVersion()];
    await sandboxes.snapshot('one', 'start');
    for (const snoozeDurationInDays of [1, 2]) {
      await sandbox.directory.patchTenant({ campaign: { snoozeDurationInDays } }, 'scenario');
      versions.push(sandbox.directory.tenantVersion());
      await sandboxes.restore('one', 'start');
      versions.push(sandbox.directory.tenantVersion());
    }
    expect(new Set(versions).size).toBe(versions.length);
    expect(versions).toEqual([...versions].sort((a, b) => a - b));
  });

  test('a restore can return to an abandoned state and back again', async () => {
    const { sandboxes, sandbox } = await opened();
    await sandboxes.snapshot('one', 'start');
    await signInAndSkip(sandbox, 'user-0');
    await sandboxes.snapshot('one', 'first');
    await sandboxes.restore('one', 'start');
    await signInAndSkip(sandbox, 'user-1');
    await sandboxes.snapshot('one', 'second');
    await sandboxes.restore('one', 'first');
    expect(snoozes(sandbox)).toEqual([1, 0, 0]);
    await signInAndSkip(sandbox, 'user-2');
    await sandboxes.restore('one', 'second');
    expect(snoozes(sandbox)).toEqual([0, 1, 0]);
    await sandboxes.restore('one', 'start');
    expect(snoozes(sandbox)).toEqual([0, 0, 0]);
  });

  test('A40: a prompt that had expired at the snapshot is expired after a restore', async () => {
    const { sandboxes, sandbox } = await opened();
    const id = await signInToPrompt(sandbox, 'user-0');
    await sandbox.clock.advance({ minutes: 15 });
    await sandboxes.snapshot('one', 'ended');
    await sandboxes.reset('one');
    expect(snoozes(sandbox)).toEqual([0, 0, 0]);
    await sandboxes.restore('one', 'ended');
    expect(snoozes(sandbox)).toEqual([1, 0, 0]);
    expect(sandbox.signIns.view(id).screen).toBe('expired');
  });

  test('a reset restores the initial sandbox including its clock', async () => {
    const { sandboxes, sandbox } = await opened();
    await signInAndSkip(sandbox, 'user-0');
    await sandbox.clock.set({ nowMs: 5_000, running: true });
    await sandbox.directory.putUser('user-9', {});
    await sandboxes.reset('one');
    expect(snoozes(sandbox)).toEqual([0, 0, 0]);
    expect(sandbox.directory.userCount()).toBe(3);
    expect(sandbox.clock.running()).toBe(false);
    expect(sandbox.clock.nowMs()).toBe(plan.clock.nowMs);
  });

  test('a running clock returns to the time of the snapshot and continues from there', async () => {
    const nowMs = plan.clock.nowMs;
    const { sandboxes, sandbox } = await opened({ ...plan, clock: { nowMs, running: true } });
    await sandboxes.snapshot('one', 'early');
    await sandbox.clock.advance({ days: 30 });
    await sandboxes.restore('one', 'early');
    expect(sandbox.clock.running()).toBe(true);
    expect(sandbox.clock.nowMs() - nowMs).toBeGreaterThanOrEqual(0);
    expect(sandbox.clock.nowMs() - nowMs).toBeLessThan(60_000);
    await sandboxes.reset('one');
    expect(sandbox.clock.running()).toBe(true);
    expect(sandbox.clock.nowMs() - nowMs).toBeLessThan(60_000);
  });

  test('listeners are notified of a restore and stay registered', async () => {
    const { sandboxes, sandbox } = await opened();
    await sandboxes.snapshot('one', 'start');
    const heard: string[] = [];
    sandbox.listen(({ event: input }) => heard.push(input.type));
    await sandbox.clock.advance({ days: 1 });
    await sandboxes.restore('one', 'start');
    await sandbox.clock.advance({ days: 1 });
    expect(heard).toEqual(['clock.set', 'state.restored', 'clock.set']);
  });
});

describe('snapshot names', () => {
  test('a snapshot without a name is named after its sequence number', async () => {
    const { sandboxes, sandbox } = await opened();
    await sandbox.clock.advance({ days: 1 });
    expect(await sandboxes.snapshot('one')).toEqual({ name: 'seq-2', seq: 2 });
    await sandboxes.reset('one');
    await sandboxes.restore('one', 'seq-2');
    expect(sandbox.clock.nowMs()).toBe(plan.clock.nowMs + 86_400_000);
  });

  test('a reused name refers to the later snapshot', async () => {
    const { sandboxes, sandbox } = await opened();
    await sandboxes.snapshot('one', 'here');
    await signInAndSkip(sandbox, 'user-0');
    await sandboxes.snapshot('one', 'here');
    await sandboxes.restore('one', 'here');
    expect(snoozes(sandbox)).toEqual([1, 0, 0]);
  });

  test.each(['', 'nowhere'])('snapshot-not-found: there is no snapshot named %j', async (name) => {
    const { sandboxes, sandbox } = await opened();
    await expect(sandboxes.restore('one', name)).rejects.toMatchObject({ code: 'snapshot-not-found' });
    expect(sandbox.entryCount).toBe(1);
  });

  test.each(['', ' a', '../a', 'a'.repeat(64), 'a b'])('bad-request: %j is not a valid name', async (name) => {
    const { sandboxes } = await opened();
    await expect(sandboxes.snapshot('one', name)).rejects.toMatchObject({
      code: 'bad-request',
      problems: [{ location: 'name' }],
    });
  });

  test('bad-request: the number of named snapshots is limited, but a name can be reused', async () => {
    const { sandboxes } = await opened();
    for (let taken = 0; taken < namedSnapshotsMax; taken += 1) await sandboxes.snapshot('one', `s${taken}`);
    await expect(sandboxes.snapshot('one', 'more')).rejects.toMatchObject({ code: 'bad-request' });
    expect(await sandboxes.snapshot('one', 's7')).toEqual({ name: 's7', seq: 1 });
  });

  test('bad-request: the number of named snapshots is limited for those that are taken at the same time', async () => {
    const { sandboxes } = await opened();
    const taken = Array.from({ length: namedSnapshotsMax + 20 }, (_, index) => sandboxes.snapshot('one', `s${index}`));
    const outcomes = (await Promise.allSettled(taken)).map(({ status }) => status);
    expect(outcomes.slice(0, namedSnapshotsMax).every((status) => status === 'fulfilled')).toBe(true);
    expect(outcomes.slice(namedSnapshotsMax).every((status) => status === 'rejected')).toBe(true);
    const again = await Promise.allSettled(['more', 'more', 's3'].map((name) => sandboxes.snapshot('one', name)));
    expect(again.map(({ status }) => status)).toEqual(['rejected', 'rejected', 'fulfilled']);
  });

  test('sandbox-not-found: every operation on a missing sandbox fails', async () => {
    const { sandboxes } = await opened();
    for (const refused of [
      sandboxes.snapshot('none'),
      sandboxes.restore('none', 'a'),
      sandboxes.reset('none'),
      sandboxes.fork('none'),
      sandboxes.remove('none'),
    ]) {
      await expect(refused).rejects.toMatchObject({ code: 'sandbox-not-found' });
    }
  });
});

describe('persistence on disk', () => {
  test('the journal and the named snapshots are the same after a restart', async () => {
    const path = join(temporaryFolder(), 'store.sqlite');
    const { sandboxes, sandbox } = await openedOn(SqliteStore.open(path));
    await sandboxes.snapshot('one', 'start');
    await signInAndSkip(sandbox, 'user-0');
    await sandboxes.snapshot('one', 'first');
    await sandboxes.restore('one', 'start');
    await signInAndSkip(sandbox, 'user-1');
    const before = snoozes(sandbox);
    await sandboxes.close();
    const again = await Sandboxes.open(SqliteStore.open(path));
    expect(snoozes(again.get('one'))).toEqual(before);
    await again.restore('one', 'first');
    expect(snoozes(again.get('one'))).toEqual([1, 0, 0]);
    await again.reset('one');
    expect(snoozes(again.get('one'))).toEqual([0, 0, 0]);
    await again.close();
  });

  test('without a usable stored state, the whole journal is replayed, including restores', async () => {
    const path = join(temporaryFolder(), 'store.sqlite');
    const { sandboxes, sandbox, store } = await openedOn(SqliteStore.open(path));
    await sandboxes.snapshot('one', 'start');
    await signInAndSkip(sandbox, 'user-0');
    await sandboxes.snapshot('one', 'first');
    await sandboxes.restore('one', 'start');
    await signInAndSkip(sandbox, 'user-1');
    for (const { name, seq, atMs } of await store.snapshots('one')) {
      await store.saveSnapshot('one', { name, seq, atMs, digest: 'of other machines', state: 'unreadable' });
    }
    await store.close();
    const again = await Sandboxes.open(SqliteStore.open(path));
    expect(snoozes(again.get('one'))).toEqual([0, 1, 0]);
    await again.restore('one', 'first');
    expect(snoozes(again.get('one'))).toEqual([1, 0, 0]);
    await again.close();
  });

  test('after a restart, a running clock continues with its stored offset, and a frozen one stays frozen', async () => {
    const path = join(temporaryFolder(), 'store.sqlite');
    const { sandboxes, sandbox } = await openedOn(SqliteStore.open(path));
    await sandbox.clock.set({ nowMs: 7_000 });
    const running = await sandboxes.create('two', { ...plan, clock: { nowMs: 1_000, running: true } });
    const { setting } = running.recorder.clock;
    await sandboxes.close();
    const again = await Sandboxes.open(SqliteStore.open(path));
    expect(again.get('two').recorder.clock.setting).toEqual(setting);
    expect(again.get('one').clock.nowMs()).toBe(7_000);
    expect(again.get('one').clock.running()).toBe(false);
    await again.close();
  });

  test('the latest state is stored at intervals and on closing, and opening continues from it', async () => {
    const path = join(temporaryFolder(), 'store.sqlite');
    const store = SqliteStore.open(path);
    const sandboxes = await Sandboxes.open(store, { snapshotIntervalEntries: 10 });
    const sandbox = await sandboxes.create('one', plan);
    const storedSeq = async () => (await store.snapshots('one')).find(({ name }) => name === '')?.seq;
    expect(await storedSeq()).toBeUndefined();
    for (let time = 0; time < 10; time += 1) await signInAndSkip(sandbox, 'user-0');
    expect(await storedSeq()).toBeGreaterThanOrEqual(10);
    await sandboxes.close();
    const closed = SqliteStore.open(path);
    expect((await closed.snapshots('one')).find(({ name }) => name === '')?.seq).toBe(41);
    await closed.close();
    const again = await Sandboxes.open(SqliteStore.open(path));
    expect(snoozes(again.get('one'))).toEqual([10, 0, 0]);
    expect(again.get('one').entryCount).toBe(41);
    await again.close();
  });

  test('a fork and a deletion survive a restart', async () => {
    const path = join(temporaryFolder(), 'store.sqlite');
    const { sandboxes, sandbox } = await openedOn(SqliteStore.open(path));
    await signInAndSkip(sandbox, 'user-0');
    await sandboxes.fork('one', 'fork');
    await signInAndSkip(sandboxes.get('fork'), 'user-1');
    await sandboxes.remove('one');
    await sandboxes.close();
    const again = await Sandboxes.open(SqliteStore.open(path));
    expect(again.list().map(({ id }) => id)).toEqual(['fork']);
    expect(snoozes(again.get('fork'))).toEqual([1, 1, 0]);
    await again.close();
  });
});
