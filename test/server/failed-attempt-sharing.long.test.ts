import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { unknownNameCounters, userAttemptsMax } from '../../src/core/limits.ts';
import { SqliteStore } from '../../src/journal/stores/sqlite.store.ts';
import { inMemory } from '../../src/sandbox/sandbox.ts';
import { recordFailedAttempt } from '../../src/server/identity/failed-attempts.ts';
import { temporaryFolder } from '../journal/temporary-folder.ts';
import { nonEmpty } from '../non-empty.ts';
import { email, guess, refused, right, serverOn, ways } from './guessing.ts';

describe.each(nonEmpty(ways))('failed attempts at the %s', (way, secret) => {
  test('069: a restart keeps them until their window has passed', async () => {
    const path = join(temporaryFolder(), 'kept.db');
    const first = await serverOn(SqliteStore.open(path));
    expect(await guess(first, way, 6)).toEqual(refused(6));
    await first.close();
    const second = await serverOn(SqliteStore.open(path));
    expect(await guess(second, way, 5)).toEqual([...refused(4), 429]);
    await second.close();
    const third = await serverOn(SqliteStore.open(path));
    expect(await third[way](email, secret)).toBe(429);
    await third.sandboxes.get('default').clock.advance({ minutes: 10 });
    expect(await third[way](email, secret)).toBe(200);
    await third.close();
    const fourth = await serverOn(SqliteStore.open(path));
    expect(await guess(fourth, way, userAttemptsMax)).toEqual(refused(userAttemptsMax));
  });

  test('069: a reset clears them, and a restart does not restore them', async () => {
    const path = join(temporaryFolder(), 'kept.db');
    const first = await serverOn(SqliteStore.open(path));
    await guess(first, way, userAttemptsMax);
    expect(await first[way](email, secret)).toBe(429);
    await first.sandboxes.reset('default');
    expect(await first[way](email, secret)).toBe(200);
    await guess(first, way, 1);
    await first.close();
    const second = await serverOn(SqliteStore.open(path));
    expect(await guess(second, way, userAttemptsMax)).toEqual([...refused(userAttemptsMax - 1), 429]);
  });
});

test('069: any number of synthetic usernames does not evict the limit of an account', async () => {
  const { sandboxes, ...served } = await serverOn(inMemory());
  expect(await guess({ sandboxes, ...served }, 'lookupAccount', userAttemptsMax)).toEqual(refused(userAttemptsMax));
  const sandbox = sandboxes.get('default');
  for (let name = 0; name < 12_000; name += 1) {
    const guessed = { secret: 'lookup-password', owner: `nobody-${name}@example.test`, isKnown: false } as const;
    await recordFailedAttempt(sandbox, guessed, () => false);
  }
  expect(await served.lookupAccount(email, right)).toBe(429);
  const kept = await sandbox.recorder.store.keptUnder('default', 'failed-attempts/');
  expect(kept.size).toBeLessThanOrEqual(unknownNameCounters + 1);
});

test('069: an unknown username is limited in the same way as a known one', async () => {
  const served = await serverOn(inMemory());
  const statuses: number[] = [];
  for (let count = 0; count < 12; count += 1) statuses.push(await served.lookupAccount('nobody@example.test', 'wrong'));
  expect(statuses).toEqual([...refused(10), 429, 429]);
  expect(await served.lookupAccount(email, right)).toBe(200);
});

test('069: the stored data identifies no user', async () => {
  const served = await serverOn(inMemory());
  for (const [way] of ways) await guess(served, way, 2);
  const kept = await served.sandboxes.get('default').recorder.store.keptUnder('default', 'failed-attempts/');
  expect(kept.size).toBe(3);
  const text = JSON.stringify([...kept]);
  for (const secret of [email, 'wrong-', 'ada', 'job']) expect(text).not.toContain(secret);
});
