import type { ImportMapping } from '../../contract/import-mapping.schema.ts';
import type { DuckDbSession } from './duckdb-session.ts';
import type { KeptColumn } from './kept-columns.ts';
import type { KnownFacts } from './known-facts.ts';
import type { Tally } from './tally.ts';

/** Shared resources of a running import. */
export interface ImportWork {
  readonly session: DuckDbSession;
  readonly mapping: ImportMapping;
  readonly tally: Tally;
  /** Folder for intermediate files. */
  readonly folder: string;
  /** Real time in milliseconds; rows with a later time are reported as anomalies. */
  readonly nowMs: number;
  /** Salt for hashing device ids, derived from the pseudonym key, so devices cannot be identified without the key. */
  readonly deviceSalt: string;
  /** Facts in annotations of sign-ins. */
  readonly facts: KnownFacts;
  /** Columns that the attempts keep for the facts of rulesets. */
  readonly kept: readonly KeptColumn[];
}
