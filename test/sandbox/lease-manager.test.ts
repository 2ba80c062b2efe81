import { beforeEach, describe, expect, test, vi } from 'vitest';
import { NudgeLabError } from '../../src/core/errors.ts';
import type { StoreSharing, TakenSandbox } from '../../src/journal/sharing.ts';
import { LeaseManager } from '../../src/sandbox/lease-manager.ts';

const taken: TakenSandbox = {
  place: { number: 1, seq: 1, mark: 0 },
  isKnown: false,
  changes: null,
  foldedSeq: 0,
  addressesVersion: '',
};

describe('LeaseManager', () => {
  const takes = vi.fn(async (): Promise<TakenSandbox | null> => taken);
  const givesBack = vi.fn(async () => taken.place);
  const hooks = { takeUp: vi.fn(async () => undefined), handOver: vi.fn(async () => undefined), drop: vi.fn() };
  let manager: LeaseManager;

  beforeEach(() => {
    vi.clearAllMocks();
    manager = new LeaseManager({ take: takes, giveBack: givesBack } as Partial<StoreSharing> as StoreSharing, hooks);
  });

  test('concurrent visits acquire the lease once, and it is kept until another process requests it', async () => {
    const visits = await Promise.all([manager.enter('a'), manager.enter('a'), manager.enter('a')]);
    for (const { leave } of visits) leave();
    (await manager.enter('a')).leave();
    expect(takes).toHaveBeenCalledTimes(1);
    expect(givesBack).not.toHaveBeenCalled();
  });

  test('a requested lease is released only after the last visit has ended', async () => {
    const [first, second] = [await manager.enter('a'), await manager.enter('a')];
    manager.want('a');
    first.leave();
    first.leave();
    expect(givesBack).not.toHaveBeenCalled();
    second.leave();
    await vi.waitFor(() => expect(givesBack).toHaveBeenCalledTimes(1));
    expect(hooks.handOver.mock.invocationCallOrder[0]).toBeLessThan(givesBack.mock.invocationCallOrder[0] ?? 0);
  });

  test('a lease is released only after the shared state is written', async () => {
    const written = Promise.withResolvers<undefined>();
    hooks.handOver.mockImplementationOnce(() => written.promise);
    (await manager.enter('a')).leave();
    const giving = manager.giveAllBack();
    await vi.waitFor(() => expect(hooks.handOver).toHaveBeenCalledWith('a'));
    await new Promise(setImmediate);
    expect(givesBack).not.toHaveBeenCalled();
    written.resolve(undefined);
    await giving;
    expect(givesBack).toHaveBeenCalledWith('a');
  });

  test('above the lease limit, the oldest lease without a visit is released', async () => {
    const stay = await manager.enter('busy');
    for (let place = 1; place < 500; place += 1) (await manager.enter(`s${place}`)).leave();
    expect(givesBack).not.toHaveBeenCalled();
    (await manager.enter('one more')).leave();
    await vi.waitFor(() => expect(givesBack).toHaveBeenCalled());
    expect(givesBack.mock.calls).toEqual([['s1']]);
    stay.leave();
  });

  test('a visit that starts during a release waits and acquires the lease again', async () => {
    const stay = await manager.enter('a');
    const given = Promise.withResolvers<typeof taken.place>();
    givesBack.mockImplementationOnce(() => given.promise);
    manager.want('a');
    stay.leave();
    await vi.waitFor(() => expect(givesBack).toHaveBeenCalled());
    const entered = vi.fn();
    const entering = manager.enter('a').then(entered);
    await Promise.resolve();
    expect(entered).not.toHaveBeenCalled();
    given.resolve({ number: 1, seq: 7, mark: 3 });
    await entering;
    expect(takes).toHaveBeenLastCalledWith('a', { number: 1, seq: 7, mark: 3 });
  });

  test('sandbox-not-found: a missing sandbox is not cached, and the next visit queries the store again', async () => {
    takes.mockResolvedValueOnce(null);
    await expect(manager.enter('a')).rejects.toMatchObject({ code: 'sandbox-not-found' });
    (await manager.enter('a')).leave();
    expect(takes).toHaveBeenCalledTimes(2);
  });

  test('store-unavailable: if all leases are lost, every sandbox is dropped and acquired again', async () => {
    const stay = await manager.enter('a');
    manager.loseAll(new NudgeLabError('store-unavailable'));
    expect(hooks.drop).toHaveBeenCalledWith('a', expect.objectContaining({ code: 'store-unavailable' }));
    stay.leave();
    await manager.enter('a');
    expect(takes).toHaveBeenCalledTimes(2);
  });

  test('store-moved: a visit that takes too long loses a requested sandbox, even with repeated requests', async () => {
    vi.useFakeTimers();
    try {
      const stay = await manager.enter('a');
      for (let waitedMs = 0; waitedMs < 2_500; waitedMs += 100) {
        manager.want('a');
        await vi.advanceTimersByTimeAsync(100);
      }
      expect(hooks.drop).toHaveBeenCalledWith('a', expect.objectContaining({ code: 'store-moved' }));
      expect(givesBack).toHaveBeenCalledTimes(1);
      stay.leave();
      expect((await manager.enter('a')).sandboxId).toBe('a');
    } finally {
      vi.useRealTimers();
    }
  });
});
