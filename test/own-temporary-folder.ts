import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

let folder: string | null = null;
let before: string | undefined;

/**
 * Creates a separate temporary folder for a test run and its child processes. It is removed with all files that
 * tests and killed servers leave behind. Other accounts of the machine may traverse it, as a database started by a
 * test requires.
 */
export function setup(): void {
  if (folder !== null) return;
  before = process.env['TMPDIR'];
  folder = mkdtempSync(join(tmpdir(), 'nudgelab-run-'));
  chmodSync(folder, 0o755);
  process.env['TMPDIR'] = folder;
}

/** Removes the temporary folder. */
export function teardown(): void {
  if (folder === null) return;
  rmSync(folder, { recursive: true, force: true, maxRetries: 3 });
  folder = null;
  if (before === undefined) delete process.env['TMPDIR'];
  else process.env['TMPDIR'] = before;
}
