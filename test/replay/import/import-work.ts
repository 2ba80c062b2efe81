import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parse } from 'yaml';
import type { ImportManifest } from '../../../src/contract/import-manifest.schema.ts';
import { type ImportMapping, importMappingSchema } from '../../../src/contract/import-mapping.schema.ts';
import { type CodedAttempt, decodeAttempt } from '../../../src/replay/attempt-code.ts';
import { DuckDbSession } from '../../../src/replay/import/duckdb-session.ts';
import { type ExportFiles, importExport } from '../../../src/replay/import/import-export.ts';
import type { KeptColumn } from '../../../src/replay/import/kept-columns.ts';
import type { Pseudonyms } from '../../../src/replay/import/pseudonyms.ts';

/** Shipped import mapping. */
export const mapping: ImportMapping = importMappingSchema.parse(
  parse(readFileSync('fixtures/imports/mapping.yaml', 'utf8')),
);

/** Returns the path of a file in the shipped export of all odd cases. */
export function fixture(name: string): string {
  return join('fixtures/imports/odd', name);
}

/** Creates a separate folder for a test. */
export function newFolder(): string {
  return mkdtempSync(join(tmpdir(), 'nudgelab-test-'));
}

/** Writes a file for an import and returns its path. */
export function written(name: string, content: string | Uint8Array): string {
  const path = join(newFolder(), name);
  writeFileSync(path, content);
  return path;
}

/** 2026-06-01, which is after all rows of these tests except one. */
const nowMs = 1_780_272_000_000;

const nothing: ExportFiles = {
  signIns: [],
  registrations: null,
  groups: null,
  nudgeStatus: null,
  policy: null,
  audit: [],
  tenant: {},
};

/** Attempt of an import. */
export interface Attempt extends CodedAttempt {
  readonly user: string;
  readonly at: string;
  readonly n: number;
}

/** Files written by an import. */
export interface Imported {
  readonly manifest: ImportManifest;
  readonly folder: string;
  readonly attempts: readonly Attempt[];
  readonly users: readonly Record<string, unknown>[];
}

/** Imports files and loads the results. */
export async function imported(
  files: Partial<ExportFiles>,
  pseudonyms: Pseudonyms | null = null,
  used = mapping,
  kept: readonly KeptColumn[] = [],
): Promise<Imported> {
  const out = newFolder();
  const manifest = await importExport({ ...nothing, ...files }, { mapping: used, pseudonyms, out, nowMs, kept });
  const session = await DuckDbSession.open(out);
  const columns = [
    'uid',
    'id',
    'upn',
    'guest',
    'methods',
    'passkeys',
    'capable',
    'known',
    'groups',
    'count',
    'snoozed',
  ];
  const people = await session.rows(`SELECT ${columns.join(', ')} FROM '${out}/users.parquet' ORDER BY uid`);
  const users = people.map((row) => Object.fromEntries(columns.map((name, at) => [name, row[at]])));
  const rows = await session.rows(`SELECT uid, t, code, n FROM '${out}/attempts.parquet' ORDER BY uid, t`);
  session.close();
  const attempts = rows.map(([uid, t, code, n]) => ({
    user: String(users[Number(uid)]?.['id']),
    at: new Date(Number(t)).toISOString(),
    n: Number(n),
    ...decodeAttempt(Number(code)),
  }));
  return { manifest, folder: out, attempts, users };
}
