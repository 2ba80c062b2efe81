/** Application id in the file header, which identifies a store of this program: "NLJ1" in ASCII. */
export const applicationId = 0x4e_4c_4a_31;

/** Version of the tables below; files of other versions are rejected. */
export const formatVersion = 1;

/**
 * Tables of a store. The key of an entry is the number of its sandbox times 2^32 plus its sequence number. This single
 * integer key stores a journal contiguously and in order, appending changes only one page, and no index is needed. The
 * two virtual columns take no space and are for human readers. `chain` is the CRC-32 of the journal up to and including
 * this entry, so the checksum of a range can be computed from the joined texts of its entries. Restores are rare but
 * must be found quickly, so the only index contains these entries.
 */
const tables = {
  sandbox: 'number INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, checksum INTEGER NOT NULL',
  entry: `place INTEGER PRIMARY KEY, at_ms INTEGER NOT NULL, type TEXT NOT NULL, body TEXT NOT NULL,
    chain INTEGER NOT NULL,
    sandbox INTEGER GENERATED ALWAYS AS (place >> 32) VIRTUAL,
    seq INTEGER GENERATED ALWAYS AS (place & 4294967295) VIRTUAL`,
  snapshot: `sandbox INTEGER NOT NULL, name TEXT NOT NULL, seq INTEGER NOT NULL, at_ms INTEGER NOT NULL,
    digest TEXT NOT NULL, generation INTEGER NOT NULL, parts INTEGER NOT NULL, checksum INTEGER NOT NULL,
    PRIMARY KEY (sandbox, name)`,
  snapshot_part: `sandbox INTEGER NOT NULL, generation INTEGER NOT NULL, number INTEGER NOT NULL, text TEXT NOT NULL,
    checksum INTEGER NOT NULL, PRIMARY KEY (sandbox, generation, number)`,
  kept: `sandbox INTEGER NOT NULL, name TEXT NOT NULL, value TEXT NOT NULL, checksum INTEGER NOT NULL,
    PRIMARY KEY (sandbox, name)`,
} as const;

const restoreIndex = "CREATE INDEX entry_restore ON entry (place) WHERE type = 'state.restored'";

/** Statements that create a store in an empty file, in one transaction. */
export const creation = [
  ...Object.entries(tables).map(([name, columns]) => `CREATE TABLE ${name} (${columns}) STRICT`),
  restoreIndex,
  `PRAGMA application_id = ${applicationId}`,
  `PRAGMA user_version = ${formatVersion}`,
] as const;

/** Names of tables and index, in alphabetical order. */
export const schemaNames: readonly string[] = [...Object.keys(tables), 'entry_restore'].toSorted();

/** Distance between the key ranges of two sandboxes. */
const placesPerSandbox = 2 ** 32;

/** Returns the key before the first entry of a sandbox. */
export function basePlace(sandboxNumber: number): number {
  return sandboxNumber * placesPerSandbox;
}

/** Returns the last possible key of an entry in a sandbox. */
export function lastPlace(sandboxNumber: number): number {
  return basePlace(sandboxNumber) + placesPerSandbox - 1;
}

/** Returns the text for the checksum of a snapshot row. */
export function snapshotSeal(row: {
  readonly name: string;
  readonly seq: number;
  readonly atMs: number;
  readonly digest: string;
  readonly generation: number;
  readonly parts: number;
}): string {
  return JSON.stringify([row.name, row.seq, row.atMs, row.digest, row.generation, row.parts]);
}

/** Returns the text for the checksum of a sandbox row. */
export function sandboxSeal(sandboxNumber: number, id: string): string {
  return JSON.stringify([sandboxNumber, id]);
}

/** Returns the text for the checksum of a stored value. */
export function keptSeal(name: string, value: string): string {
  return JSON.stringify([name, value]);
}
