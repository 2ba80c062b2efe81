import { describe, expect, test, vi } from 'vitest';
import type { HeldSandbox } from '../../src/journal/stores/postgres-commits.ts';
import { type LeaseParts, PostgresLeases } from '../../src/journal/stores/postgres-leases.ts';

/** Creates the leases of a process that holds one sandbox, with stubs in place of a database. */
function setUp(flushed: () => Promise<void>) {
  const unlock = vi.fn(async () => undefined);
  const lose = vi.fn();
  const lease = { id: 'a', session: { unlock }, number: 7, lastSeq: 3, mark: 2 } as unknown as HeldSandbox;
  const sandboxes = new Map([['a', lease]]);
  const link = { lose, failure: (cause: unknown) => cause };
  const leases = new PostgresLeases({
    link,
    commits: { flushed },
    reader: {},
    sandboxes,
  } as unknown as LeaseParts);
  return { leases, sandboxes, lease, unlock, lose };
}

describe('PostgresLeases', () => {
  test('a sandbox is released only after all queued entries are written', async () => {
    const written = Promise.withResolvers<void>();
    const { leases, sandboxes, lease, unlock } = setUp(() => written.promise);
    const giving = leases.giveBack('a');
    await new Promise(setImmediate);
    expect([unlock.mock.calls, sandboxes.get('a')]).toEqual([[], lease]);
    lease.lastSeq = 4;
    written.resolve();
    expect(await giving).toEqual({ number: 7, seq: 4, mark: 2 });
    expect([unlock.mock.calls, sandboxes.size]).toEqual([[[7]], 0]);
  });

  test('store-unavailable: a failed write prevents the release of a sandbox', async () => {
    const failure = Object.assign(new Error('away'), { code: 'store-unavailable' });
    const { leases, unlock } = setUp(() => Promise.reject(failure));
    await expect(leases.giveBack('a')).rejects.toBe(failure);
    expect(unlock).not.toHaveBeenCalled();
  });

  test('a sandbox is not released if it was lost or removed during the write, or was never leased', async () => {
    const written = Promise.withResolvers<void>();
    const { leases, sandboxes, unlock } = setUp(() => written.promise);
    const giving = leases.giveBack('a');
    sandboxes.delete('a');
    written.resolve();
    expect([await giving, await leases.giveBack('b')]).toEqual([null, null]);
    expect(unlock).not.toHaveBeenCalled();
  });

  test('store-unavailable: the session is lost if a lock cannot be released', async () => {
    const { leases, lease, unlock, lose } = setUp(async () => undefined);
    const cause = new Error('gone');
    unlock.mockRejectedValueOnce(cause);
    await expect(leases.giveBack('a')).rejects.toBe(cause);
    expect(lose).toHaveBeenCalledWith(lease.session, cause);
  });
});
