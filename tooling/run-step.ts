import { spawnSync } from 'node:child_process';
import { delimiter } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Step } from './steps.ts';

/** How a step ended: `looked` counts what it went through; `complaint` is empty when it passed. */
export interface StepResult {
  readonly looked: number;
  readonly complaint: string;
  readonly durationMs: number;
}

const top = fileURLToPath(new URL('..', import.meta.url));
const outputBytesMax = 64 * 1024 * 1024;

/**
 * Runs one step in a folder, by default the repository's top, without colors, and evaluates it by its exit code and by its
 * evidence.
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
  return { looked, complaint: complaintOf(status, looked, output), durationMs: performance.now() - startMs };
}

function complaintOf(status: number | null, looked: number, output: string): string {
  if (status !== 0) return output || `It ended with exit code ${status} and said nothing.`;
  return looked > 0 ? '' : `It was content, but nothing shows that it looked at anything.\n${output}`.trim();
}
