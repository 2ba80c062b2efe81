import { spawnSync } from 'node:child_process';
import { delimiter } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Step } from './steps.ts';

/** Result of a step. `looked` is the number of checked items, and `complaint` is empty if the step passed. */
export interface StepResult {
  readonly looked: number;
  readonly complaint: string;
  readonly durationMs: number;
}

const top = fileURLToPath(new URL('..', import.meta.url));
const outputBytesMax = 64 * 1024 * 1024;

/**
 * Runs one step without colors in a folder, by default the repository root. The step passes only if both its exit
 * code and its evidence are correct.
 */
export function runStep(step: Pick<Step, 'command' | 'evidence'>, folder: string = top): StepResult {
  const startMs = performance.now();
  const PATH = `${top}node_modules/.bin${delimiter}${process.env['PATH'] ?? ''}`;
  const { stdout, stderr, status, error } = spawnSync(step.command, {
    cwd: folder,
    encoding: 'utf8',
    env: { ...process.env, PATH, NO_COLOR: '1', FORCE_COLOR: '0' },
    maxBuffer: outputBytesMax,
    shell: true,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const output = `${stdout}${stderr}${error?.message ?? ''}`.trim();
  const looked = Number(step.evidence.exec(output)?.[1] ?? 0);
  return { looked, complaint: findComplaint(status, looked, output), durationMs: performance.now() - startMs };
}

function findComplaint(status: number | null, looked: number, output: string): string {
  if (status !== 0) return output || `The command failed with exit code ${status} and printed nothing.`;
  return looked > 0
    ? ''
    : `The command passed, but its output does not show that it checked anything.\n${output}`.trim();
}
