import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Canary, plant } from './canaries.ts';
import { Environment, type Outcome } from './environment.ts';
import { replaceMachineClock } from './machine-clock.ts';
import { DiskMedium, SqliteMedium } from './medium.ts';
import type { Step } from './steps.ts';

/** Store type for the journals of a simulation. */
export type StoreKind = 'disk' | 'sqlite';

const machineAtFirstMs = 1_767_600_000_000;

/** Executes steps in a new environment on the given store, deterministically. `canary` is a deliberate fault. */
export async function simulate(steps: readonly Step[], store: StoreKind, canary?: Canary): Promise<Outcome> {
  const machine = { nowMs: machineAtFirstMs };
  const undo = plant(canary ?? { about: '' });
  const folder = store === 'sqlite' ? mkdtempSync(join(tmpdir(), 'nudgelab-simulation-')) : null;
  const medium = folder === null ? new DiskMedium(undefined, canary?.loses) : new SqliteMedium(folder);
  const restoreClock = replaceMachineClock(() => machine.nowMs);
  try {
    return await new Environment(medium, machine, canary).play(steps);
  } finally {
    restoreClock();
    undo();
    if (folder !== null) rmSync(folder, { recursive: true, force: true });
  }
}

/**
 * Shrinks the steps up to a finding to a short sequence that violates the same property. It removes parts, halves
 * first, while the remaining steps still violate the property.
 */
export async function shrink(
  steps: readonly Step[],
  claim: string,
  play: (steps: readonly Step[]) => Promise<Outcome>,
): Promise<readonly Step[]> {
  let smallest = steps;
  for (let size = Math.ceil(smallest.length / 2); size >= 1; size = size === 1 ? 0 : Math.ceil(size / 2)) {
    for (let from = 0; from < smallest.length; ) {
      const fewer = smallest.toSpliced(from, size);
      const { finding, steps: taken } = await play(fewer);
      if (finding?.claim === claim) smallest = fewer.slice(0, taken);
      else from += size;
    }
  }
  return smallest;
}
