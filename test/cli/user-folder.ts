import { mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { onTestFinished } from 'vitest';

const packages = fileURLToPath(new URL('../../node_modules', import.meta.url));

/**
 * Creates a folder outside the repository whose modules resolve the installed packages, like a user's project. The
 * folder is removed after the test.
 */
export function userFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'nudgelab-user-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  symlinkSync(packages, join(folder, 'node_modules'));
  return folder;
}
