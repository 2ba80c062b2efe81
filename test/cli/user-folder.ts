import { mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { onTestFinished } from 'vitest';

const packages = fileURLToPath(new URL('../../node_modules', import.meta.url));

/** Makes a folder outside the repository whose modules find the installed packages, as a user's do. It goes with the test. */
export function userFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'nudgelab-user-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  symlinkSync(packages, join(folder, 'node_modules'));
  return folder;
}
