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

describe('simulation with faults', () => {
  test('A26: every acknowledged response is in the journal once, on a disk with torn writes, failures and no space', async () => {
    const played = await playAll({ store: 'disk', seed, seeds: 40, steps });
    expect(played.failure).toBeNull();
    // A simulation without any responses would also pass.
    expect(played.answers).toBeGreaterThan(10_000);
    expect(played.refusals).toBeGreaterThan(1_000);
    expect(played.processes).toBeGreaterThan(300);
  });

  test('A26: the same holds for an SQLite file whose last commit is cut off anywhere', async () => {
    const played = await playAll({ store: 'sqlite', seed, seeds: 3, steps });
    expect(played.failure).toBeNull();
    expect(played.processes).toBeGreaterThan(30);
  });

  test('the same random seed produces the same simulation, to the last response', async () => {
    const play = { store: 'disk', seed: seed + 7, seeds: 2, steps } as const;
    expect(await playAll(play)).toEqual(await playAll(play));
  });
});

describe('canaries', () => {
  test.each(nonEmpty(Object.entries(canaries)))('%s: is found and shrunk to a few steps', async (canary) => {
    const { failure } = await playAll({ store: 'disk', seed: 1, seeds: 60, steps: 600, canary });
    expect(failure?.command).toContain(`--canary ${canary}`);
    expect(failure?.steps.length).toBeLessThanOrEqual(120);
    const again = await simulate(failure?.steps ?? [], 'disk', canaries[canary]);
    expect(again.finding?.claim).toBe(failure?.claim);
    // The same steps must have no finding without the fault.
    expect((await simulate(failure?.steps ?? [], 'disk')).finding).toBeNull();
  });

  test('a lost entry causes no finding only if its response was never acknowledged', async () => {
    const quiet: readonly Step[] = [
      { do: 'ask', act: 'start', pick: 0, value: 0 },
      { do: 'crash', kept: 0, torn: true },
    ];
    expect((await simulate(quiet, 'disk')).finding).toBeNull();
    expect((await simulate(quiet, 'disk', canaries['answer-before-sync'])).finding?.claim).toBe('nothing lost');
  });
});

describe('saved steps of earlier failures', () => {
  const folder = join(import.meta.dirname, 'seeds');
  const kept = readdirSync(folder).filter((name) => name.endsWith('.json'));

  test('exist', () => {
    expect(kept.length).toBeGreaterThan(0);
  });

  test.each(kept)('%s: passes now', async (name) => {
    const { store, steps: found } = JSON.parse(readFileSync(join(folder, name), 'utf8')) as {
      readonly store: 'disk' | 'sqlite';
      readonly steps: readonly Step[];
    };
    expect((await simulate(found, store)).finding).toBeNull();
  });
});
