/** Marks a file as a store of this program: "NLJ1" in ASCII, in the header of the file. */
export const applicationId = 0x4e_4c_4a_31;

/** The version of the tables below; a file of another version is refused. */
export const formatVersion = 1;

/**
 * The tables. An entry's place is the number of its sandbox times 2^32 plus its place in the journal: one integer key, so that
 * a journal lies together in order, appending touches one page, and no index is needed. The two virtual columns cost nothing
 * and are there for people. `chain` is the CRC-32 of the journal from its beginning to this entry: the checksum of a
 * stretch follows from the texts of its entries, joined.
 * Going back is rare and has to be found quickly: the only index holds these entries alone.
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

/** Statements that make an empty file a store, in one transaction. */
export const creation = [
  ...Object.entries(tables).map(([name, columns]) => `CREATE TABLE ${name} (${columns}) STRICT`),
  restoreIndex,
  `PRAGMA application_id = ${applicationId}`,
  `PRAGMA user_version = ${formatVersion}`,
] as const;

/** Names of tables and index, in the order of the alphabet. */
export const schemaNames: readonly string[] = [...Object.keys(tables), 'entry_restore'].toSorted();

/** How far the places of two sandboxes lie apart. */
const placesPerSandbox = 2 ** 32;

/** The place before the first entry of a sandbox. Takes the number of the sandbox. */
export function basePlace(sandboxNumber: number): number {
  return sandboxNumber * placesPerSandbox;
}

/** The last place that an entry of a sandbox can have. Takes the number of the sandbox. */
export function lastPlace(sandboxNumber: number): number {
  return basePlace(sandboxNumber) + placesPerSandbox - 1;
}

/** What the checksum of a snapshot's row is taken over. */
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

/** What the checksum of a sandbox's row is taken over. */
export function sandboxSeal(sandboxNumber: number, id: string): string {
  return JSON.stringify([sandboxNumber, id]);
}

/** What the checksum of a kept value is taken over. */
export function keptSeal(name: string, value: string): string {
  return JSON.stringify([name, value]);
}
