import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { onTestFinished } from 'vitest';

/** Scenario that passes. */
export const passing = `name: A user is asked
covers: [R1]
given: { tenant: app-enabled, users: { ada: sms-user } }
steps:
  - signIn: { user: ada }
    expect: { page: prompt }
`;

/** Scenario whose last step fails. */
export const failing = `name: A user who skipped is asked again at once
given: { tenant: app-enabled, users: { ada: sms-user } }
steps:
  - signIn: { user: ada }
    expect: { page: prompt }
  - skip: {}
  - signIn: { user: ada }
    expect: { page: prompt, reason: null }
`;

/** Scenario with three rows, of which the second fails. */
export const rows = `name: After some days
tags: [rows]
given: { tenant: app-enabled, users: { ada: sms-user } }
examples:
  - { days: 1, page: prompt }
  - { days: 0, page: prompt }
  - { days: 2, page: prompt }
steps:
  - signIn: { user: ada }
  - skip: {}
  - advance: { days: '\${days}' }
  - signIn: { user: ada }
    expect: { page: '\${page}' }
`;

/**
 * Writes files into a temporary folder for one test.
 *
 * @param files - File texts by path.
 * @returns the path of the folder.
 */
export function suiteFolder(files: Readonly<Record<string, string>>): string {
  const folder = mkdtempSync(join(tmpdir(), 'nudgelab-cli-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  for (const [path, text] of Object.entries(files)) writeIn(folder, path, text);
  return folder;
}

/** Writes one file below a folder. */
export function writeIn(folder: string, path: string, text: string): void {
  const full = join(folder, path);
  mkdirSync(dirname(full), { recursive: true });
  writeFileSync(full, text);
}
