import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { onTestFinished } from 'vitest';

/** A scenario that passes. */
export const passing = `name: A user is asked
covers: [R1]
given: { tenant: app-enabled, users: { ada: sms-user } }
steps:
  - signIn: { user: ada }
    expect: { page: prompt }
`;

/** A scenario whose last step does not hold. */
export const failing = `name: A user who skipped is asked again at once
given: { tenant: app-enabled, users: { ada: sms-user } }
steps:
  - signIn: { user: ada }
    expect: { page: prompt }
  - skip: {}
  - signIn: { user: ada }
    expect: { page: prompt, reason: null }
`;

/** Three rows, of which the second fails. */
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

/** Writes files into a folder for the time of one test. Takes texts by path. Returns the folder. */
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
