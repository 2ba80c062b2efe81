import { spawnSync } from 'node:child_process';

/** Builds the console once for all tests of a run, where it is not built from these sources yet. */
export function setup(): void {
  const { status, stderr } = spawnSync(process.execPath, ['tooling/console.ts'], { encoding: 'utf8' });
  if (status !== 0) throw new Error(`The console could not be built: ${stderr}`);
}
