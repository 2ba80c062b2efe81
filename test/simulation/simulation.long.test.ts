import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { nonEmpty } from '../non-empty.ts';
import { canaries } from './canaries.ts';
import { simulate } from './simulate.ts';
import { playAll } from './soaking.ts';
import type { Step } from './steps.ts';

const seed = Number(process.env['NUDGELAB_TEST_SEED'] ?? 20_260_105);
const steps = 1_000;

describe('whatever happens', () => {
  test('A26: what clients were told is in the journal, once, on a disk that tears, fails and fills up', async () => {
    const played = await playAll({ store: 'disk', seed, seeds: 40, steps });
    expect(played.failure).toBeNull();
    // A simulation in which nothing happens would hold as well.
    expect(played.answers).toBeGreaterThan(10_000);
    expect(played.refusals).toBeGreaterThan(1_000);
    expect(played.processes).toBeGreaterThan(300);
  });

  test('A26: the same on an SQLite file whose last commit is cut off anywhere', async () => {
    const played = await playAll({ store: 'sqlite', seed, seeds: 3, steps });
    expect(played.failure).toBeNull();
    expect(played.processes).toBeGreaterThan(30);
  });

  test('the same seed is the same simulation, to the last answer', async () => {
    const play = { store: 'disk', seed: seed + 7, seeds: 2, steps } as const;
    expect(await playAll(play)).toEqual(await playAll(play));
  });
});

describe('canaries', () => {
  test.each(nonEmpty(Object.entries(canaries)))('%s: is found, and shown in a few steps', async (canary) => {
    const { failure } = await playAll({ store: 'disk', seed: 1, seeds: 60, steps: 600, canary });
    expect(failure?.command).toContain(`--canary ${canary}`);
    expect(failure?.steps.length).toBeLessThanOrEqual(120);
    const again = await simulate(failure?.steps ?? [], 'disk', canaries[canary]);
    expect(again.finding?.claim).toBe(failure?.claim);
    // Without the fault the very same steps find nothing.
    expect((await simulate(failure?.steps ?? [], 'disk')).finding).toBeNull();
  });

  test('a lost answer leaves the simulation without a finding only when no one heard it', async () => {
    const quiet: readonly Step[] = [
      { do: 'ask', act: 'start', pick: 0, value: 0 },
      { do: 'crash', kept: 0, torn: true },
    ];
    expect((await simulate(quiet, 'disk')).finding).toBeNull();
    expect((await simulate(quiet, 'disk', canaries['answer-before-sync'])).finding?.claim).toBe('nothing lost');
  });
});

describe('seeds that ever failed', () => {
  const folder = join(import.meta.dirname, 'seeds');
  const kept = readdirSync(folder).filter((name) => name.endsWith('.json'));

  test('are kept', () => {
    expect(kept.length).toBeGreaterThan(0);
  });

  test.each(kept)('%s: holds now', async (name) => {
    const { store, steps: found } = JSON.parse(readFileSync(join(folder, name), 'utf8')) as {
      readonly store: 'disk' | 'sqlite';
      readonly steps: readonly Step[];
    };
    expect((await simulate(found, store)).finding).toBeNull();
  });
});
