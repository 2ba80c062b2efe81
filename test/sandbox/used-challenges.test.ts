import { describe, expect, test } from 'vitest';
import { usedChallengesMax } from '../../src/core/limits.ts';
import { MemoryStore } from '../../src/journal/stores/memory.store.ts';
import { planSandbox, type Sandbox } from '../../src/sandbox/sandbox.ts';
import { Sandboxes } from '../../src/sandbox/sandboxes.ts';
import type { GivenChallenge } from '../../src/sandbox/used-challenges.ts';

async function opened(store = new MemoryStore()): Promise<Sandbox> {
  const sandboxes = await Sandboxes.open(store);
  return sandboxes.has('x') ? sandboxes.get('x') : sandboxes.create('x', planSandbox({}));
}

function given({ clock }: Sandbox, number: number): GivenChallenge {
  return { id: `challenge-${number}`, atMs: clock.nowMs(), madeMs: 1_000 + number };
}

async function countStored(store: MemoryStore): Promise<number> {
  return (await store.keptUnder('x', 'used-challenge/')).size;
}

describe('used challenges', () => {
  test('challenge: an expired challenge is removed, and stays rejected after the clock is set back', async () => {
    const store = new MemoryStore();
    const sandbox = await opened(store);
    const challenge = given(sandbox, 1);
    const { nowMs } = { nowMs: sandbox.clock.nowMs() };
    expect(await sandbox.usedChallenges.use(challenge)).toBe(true);
    await sandbox.clock.advance({ minutes: 10, ms: 1 });
    expect(await sandbox.usedChallenges.use(given(sandbox, 2))).toBe(true);
    expect(await countStored(store)).toBe(1);
    await sandbox.clock.set({ nowMs });
    expect(await sandbox.usedChallenges.mayBeUsed(challenge)).toBe(false);
    expect(await (await opened(store)).usedChallenges.use(challenge)).toBe(false);
    expect(await sandbox.usedChallenges.use(given(sandbox, 3))).toBe(true);
  });

  test.for([Number.NaN, Number.POSITIVE_INFINITY, -1])(
    'challenge: a challenge issued at %d is rejected',
    async (atMs) => {
      const sandbox = await opened();
      const challenge = { ...given(sandbox, 1), atMs };
      expect([await sandbox.usedChallenges.mayBeUsed(challenge), await sandbox.usedChallenges.use(challenge)]).toEqual([
        false,
        false,
      ]);
    },
  );

  test('challenge: beyond the limit the oldest challenge is removed but still rejected, even after a restart', async () => {
    const store = new MemoryStore();
    const sandbox = await opened(store);
    const all = Array.from({ length: usedChallengesMax + 1 }, (_, number) => given(sandbox, number));
    for (const challenge of all) await sandbox.usedChallenges.use(challenge);
    expect(await countStored(store)).toBe(usedChallengesMax);
    const [forgotten, kept] = all as [GivenChallenge, GivenChallenge];
    for (const { usedChallenges } of [sandbox, await opened(store)]) {
      expect([await usedChallenges.use(forgotten), await usedChallenges.use(kept)]).toEqual([false, false]);
      expect(await usedChallenges.mayBeUsed(given(sandbox, usedChallengesMax + 1))).toBe(true);
    }
  });

  test('challenge: a reset makes no used challenge valid again', async () => {
    const sandboxes = await Sandboxes.open(new MemoryStore());
    const sandbox = await sandboxes.create('x', planSandbox({}));
    const challenge = given(sandbox, 1);
    await sandbox.usedChallenges.use(challenge);
    await sandboxes.reset('x');
    expect(await sandbox.usedChallenges.use(challenge)).toBe(false);
  });
});
