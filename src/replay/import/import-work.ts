import type { ImportMapping } from '../../contract/import-mapping.schema.ts';
import type { DuckDbSession } from './duckdb-session.ts';
import type { Tally } from './tally.ts';

/** What of an import is at hand while it runs. */
export interface ImportWork {
  readonly session: DuckDbSession;
  readonly mapping: ImportMapping;
  readonly tally: Tally;
  /** Folder for what is written on the way. */
  readonly folder: string;
  /** Real time, in ms: rows from later than this are odd. */
  readonly nowMs: number;
  /** What ids of devices are hashed with: of the key of pseudonyms, so that no one without it can tell which device is meant. */
  readonly deviceSalt: string;
}
