import { spawnSync } from 'node:child_process';

/** Builds the console once per test run, unless it is already built from the current sources. */
export function setup(): void {
  const { status, stderr } = spawnSync(process.execPath, ['tooling/console.ts'], { encoding: 'utf8' });
  if (status !== 0) throw new Error(`The console could not be built: ${stderr}`);
}
