import { exec } from 'node:child_process';
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
export function runStep(step: Pick<Step, 'command' | 'evidence'>, folder: string = top): Promise<StepResult> {
  const startMs = performance.now();
  const PATH = `${top}node_modules/.bin${delimiter}${process.env['PATH'] ?? ''}`;
  const env = { ...process.env, PATH, NO_COLOR: '1', FORCE_COLOR: '0' };
  return new Promise((resolve) => {
    const child = exec(step.command, { cwd: folder, env, maxBuffer: outputBytesMax }, (error, stdout, stderr) => {
      const output = `${stdout}${stderr}`.trim();
      const looked = Number(step.evidence.exec(output)?.[1] ?? 0);
      const complaint = error === null ? findComplaint(looked, output) : output || error.message.trim();
      resolve({ looked, complaint, durationMs: performance.now() - startMs });
    });
    child.stdin?.end();
  });
}

function findComplaint(looked: number, output: string): string {
  return looked > 0
    ? ''
    : `The command passed, but its output does not show that it checked anything.\n${output}`.trim();
}
