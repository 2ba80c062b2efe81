import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

let folder: string | null = null;
let before: string | undefined;

/**
 * Gives a run a temporary folder of its own, for its processes and for what they start: it is removed with all that tests and killed
 * servers leave there. The other accounts of the machine may pass through it, as a database does that a test starts.
 */
export function setup(): void {
  if (folder !== null) return;
  before = process.env['TMPDIR'];
  folder = mkdtempSync(join(tmpdir(), 'nudgelab-run-'));
  chmodSync(folder, 0o755);
  process.env['TMPDIR'] = folder;
}

/** Removes it. */
export function teardown(): void {
  if (folder === null) return;
  rmSync(folder, { recursive: true, force: true, maxRetries: 3 });
  folder = null;
  if (before === undefined) delete process.env['TMPDIR'];
  else process.env['TMPDIR'] = before;
}
