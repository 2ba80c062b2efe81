import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Canary, plant } from './canaries.ts';
import { Environment, type Outcome } from './environment.ts';
import { DiskMedium, SqliteMedium } from './medium.ts';
import type { Step } from './steps.ts';

/** On what the journals of a simulation are kept. */
export type StoreKind = 'disk' | 'sqlite';

const machineAtFirstMs = 1_767_600_000_000;

/** Plays steps from nothing, the same way each time. Takes the store, and the fault that is planted. */
export async function simulate(steps: readonly Step[], store: StoreKind, canary?: Canary): Promise<Outcome> {
  const machine = { nowMs: machineAtFirstMs };
  const machineNow = Date.now;
  const undo = plant(canary ?? { about: '' });
  const folder = store === 'sqlite' ? mkdtempSync(join(tmpdir(), 'nudgelab-simulation-')) : null;
  const medium = folder === null ? new DiskMedium(undefined, canary?.loses) : new SqliteMedium(folder);
  Date.now = () => machine.nowMs;
  try {
    return await new Environment(medium, machine, canary).play(steps);
  } finally {
    Date.now = machineNow;
    undo();
    if (folder !== null) rmSync(folder, { recursive: true, force: true });
  }
}

/**
 * The fewest steps that this finds in which the same claim is broken: parts are taken away, halves first, as long as what is
 * left still breaks it. Takes the steps up to the finding.
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
