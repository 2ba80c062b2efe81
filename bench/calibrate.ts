import { createHash } from 'node:crypto';
import { median } from './statistics.ts';

/**
 * Fixed work that states the speed of a machine: integer arithmetic on a typed array, and hashes. Its speed is counted
 * in loops per second of processor time, so other processes on the machine change it little.
 */

const cells = 1 << 16;
const stepsPerLoop = 1_000_000;
const hashesPerLoop = 1_000;
const hashedBytes = 1_024;
const rounds = 7;
const loopsPerRound = 5;

/**
 * Speed that bars in seconds and rates assume, in loops per second. It was measured on two busy cores of an AMD EPYC
 * (98 to 172). The bars were set earlier on an Intel Xeon, whose speed in this loop was not measured. Such a bar applies
 * to another machine in proportion to its speed.
 */
export const referenceLoopsPerSecond = 150;

/** Runs one loop from a seed and returns a number that depends on all its steps. */
export function runCalibrationLoop(seed: number): number {
  const table = new Int32Array(cells);
  let state = seed | 1;
  for (let step = 0; step < stepsPerLoop; step += 1) {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    const at = (state >>> 8) & (cells - 1);
    table[at] = Math.imul((table[at] ?? 0) + state, 0x9e3779b1);
  }
  const bytes = new Uint8Array(table.buffer, 0, hashedBytes);
  let sum = state;
  for (let count = 0; count < hashesPerLoop; count += 1) {
    const digest = createHash('sha256').update(bytes).digest();
    bytes.set(digest);
    sum = (sum + digest.readInt32LE(0)) | 0;
  }
  return sum;
}

/** Measures the speed of this machine in loops per second of processor time, as the median of several rounds. */
function measureLoopsPerSecond(): number {
  const rates: number[] = [];
  for (let round = -1; round < rounds; round += 1) {
    const began = process.cpuUsage();
    for (let loop = 0; loop < loopsPerRound; loop += 1) runCalibrationLoop(loop + 1);
    const { user, system } = process.cpuUsage(began);
    // The first round compiles the loop and is not counted.
    if (round >= 0) rates.push(loopsPerRound / ((user + system) / 1e6));
  }
  return median(rates);
}

let current: number | null = null;

/** Measures the speed again. Bars of the following rows use it. Returns loops per second. */
export function calibrate(): number {
  current = measureLoopsPerSecond();
  return current;
}

/** Returns the speed of this machine as a multiple of the reference machine. */
export function getRelativeSpeed(): number {
  return (current ?? calibrate()) / referenceLoopsPerSecond;
}
