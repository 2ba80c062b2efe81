import { expect, test } from 'vitest';
import { NudgeLabError } from '../../src/core/errors.ts';
import type { JournalEntry, JournalEvent } from '../../src/journal/journal-event.ts';
import { MemoryStore } from '../../src/journal/stores/memory.store.ts';
import { planSandbox, Sandbox } from '../../src/sandbox/sandbox.ts';
import { Sandboxes } from '../../src/sandbox/sandboxes.ts';
import { crowd, promptedEachTime } from '../journal/crowd.ts';
import { signInToPrompt } from './sandboxes-acts.ts';

const plan = planSandbox({ tenant: promptedEachTime, users: crowd(2) });

/** Store whose writes complete only when the test settles them. */
class HeldBackStore extends MemoryStore {
  #pending: PromiseWithResolvers<void> | null = null;

  override append(sandboxId: string, entry: JournalEntry): void {
    super.append(sandboxId, entry);
    this.#pending ??= Promise.withResolvers<void>();
  }

  override flushed(): never {
    return (this.#pending?.promise ?? null) as never;
  }

  settle(failure?: Error): void {
    const pending = this.#pending;
    this.#pending = null;
    if (failure === undefined) pending?.resolve();
    else pending?.reject(failure);
  }
}

async function heldBack(): Promise<{ store: HeldBackStore; sandbox: Sandbox }> {
  const store = new HeldBackStore();
  const making = Sandbox.create('one', plan, store);
  store.settle();
  return { store, sandbox: await making };
}

test('records are acknowledged and published in order, and only after the store has saved them', async () => {
  const { store, sandbox } = await heldBack();
  const heard: string[] = [];
  sandbox.listen(({ seq }) => heard.push(`entry ${seq}`));
  const records = [1, 2].map((number) =>
    sandbox.recorder
      .record({ type: 'token.revoked', tokenId: `t${number}` })
      .then(() => heard.push(`acknowledged ${number}`)),
  );
  expect(sandbox.recorder.state().revokedTokens).toEqual(new Set(['t1', 't2']));
  await Promise.resolve();
  expect(heard).toEqual([]);
  expect(sandbox.settled()).not.toBeNull();
  store.settle();
  await Promise.all(records);
  expect(heard.filter((line) => line.startsWith('entry'))).toEqual(['entry 2', 'entry 3']);
  for (const number of [1, 2]) {
    expect(heard.indexOf(`entry ${number + 1}`)).toBeLessThan(heard.indexOf(`acknowledged ${number}`));
  }
  expect(sandbox.settled()).toBeNull();
});

test('store-failed: a record that the store cannot save is neither acknowledged nor published', async () => {
  const { store, sandbox } = await heldBack();
  const heard: number[] = [];
  sandbox.listen(({ seq }) => heard.push(seq));
  const record = sandbox.recorder.record({ type: 'token.revoked', tokenId: 't' });
  store.settle(new NudgeLabError('store-failed'));
  await expect(record).rejects.toMatchObject({ code: 'store-failed' });
  expect(heard).toEqual([]);
});

test('journal-full: at the limit, nothing changes and reads still work', async () => {
  const store = new MemoryStore({ entriesMax: 4 });
  const sandboxes = await Sandboxes.open(store);
  const sandbox = await sandboxes.create('one', plan);
  const id = await signInToPrompt(sandbox, 'user-0');
  const before = sandbox.directory.nudgeStatus('user-0');
  await expect(sandbox.signIns.skip(id)).rejects.toMatchObject({ code: 'journal-full' });
  await expect(sandbox.clock.advance({ days: 1 })).rejects.toMatchObject({ code: 'journal-full' });
  await expect(sandboxes.reset('one')).rejects.toMatchObject({ code: 'journal-full' });
  expect(sandbox.directory.nudgeStatus('user-0')).toEqual(before);
  expect(sandbox.clock.nowMs()).toBe(plan.clock.nowMs);
  expect(sandbox.signIns.view(id).screen).toBe('prompt');
  expect(await store.lastSeq('one')).toBe(4);
});

const strangers: readonly (readonly [string, JournalEvent])[] = [
  ['user-not-found', { type: 'user.removed', userId: 'nobody' }],
  ['user-not-found', { type: 'signIn.started', signInId: 's2', userId: 'nobody', attempt: {} }],
  ['user-not-found', { type: 'nextSignIn.set', userId: 'nobody', attempt: {} }],
  ['sign-in-not-found', { type: 'password.accepted', signInId: 's9' }],
  ['sign-in-not-found', { type: 'prompt.skipped', signInId: 's9', verdict: '' }],
];

test.each(strangers)(
  '%s: an event for an unknown user or sign-in is rejected before it is appended',
  async (code, input) => {
    const sandbox = await Sandbox.create('one', plan, new MemoryStore());
    expect(() => sandbox.recorder.record(input)).toThrow(expect.objectContaining({ code }));
    expect(sandbox.entryCount).toBe(1);
    await sandbox.clock.advance({ days: 1 });
    expect(sandbox.entryCount).toBe(2);
  },
);

test('internal-error: an event that cannot be applied is not recorded and stops the sandbox until a restore', async () => {
  const store = new MemoryStore();
  const sandboxes = await Sandboxes.open(store);
  const sandbox = await sandboxes.create('one', plan);
  await sandboxes.snapshot('one', 'start');
  const broken = { type: 'user.saved', user: null } as unknown as JournalEvent;
  expect(() => sandbox.recorder.record(broken)).toThrow(expect.objectContaining({ code: 'internal-error' }));
  expect(await store.lastSeq('one')).toBe(1);
  expect(() => sandbox.directory.tenant()).toThrow(expect.objectContaining({ code: 'internal-error' }));
  await expect(sandbox.clock.advance({ days: 1 })).rejects.toMatchObject({ code: 'internal-error' });
  await sandboxes.restore('one', 'start');
  expect(await store.lastSeq('one')).toBe(2);
  await sandbox.clock.advance({ days: 1 });
  expect(sandbox.entryCount).toBe(3);
});

test('a listener that throws is removed and does not affect other listeners', async () => {
  const sandbox = await Sandbox.create('one', plan, new MemoryStore());
  const heard: number[] = [];
  sandbox.listen(({ seq }) => {
    heard.push(-seq);
    throw new Error('The stream is gone.');
  });
  const end = sandbox.listen(({ seq }) => heard.push(seq));
  await sandbox.clock.advance({ days: 1 });
  await sandbox.clock.advance({ days: 1 });
  expect(heard).toEqual([-2, 2, 3]);
  end();
  expect(sandbox.recorder.listeners).toBe(0);
});

test('times in the journal are whole milliseconds, regardless of the clock setting', async () => {
  const sandbox = await Sandbox.create(
    'one',
    { ...plan, clock: { nowMs: 1_000.75, running: false } },
    new MemoryStore(),
  );
  await sandbox.recorder.record({ type: 'token.revoked', tokenId: 't' });
  const entries = await sandbox.journal({ after: 0, limit: 9 });
  expect(entries.map(({ atMs }) => atMs)).toEqual([1_000, 1_000]);
});
