import type { Generated } from 'kysely';

/** Tables as the query builder sees them. Eight-byte integers are read as text. */
export interface PostgresTables {
  readonly sandbox: { readonly number: Generated<number>; readonly id: string; readonly kept_floor: Generated<string> };
  readonly entry: {
    readonly sandbox: number;
    readonly seq: number;
    readonly at_ms: string;
    readonly type: string;
    readonly body: string;
  };
  readonly snapshot: {
    readonly id: Generated<string>;
    readonly sandbox: number;
    readonly name: string;
    readonly seq: number;
    readonly at_ms: string | number;
    readonly digest: string;
    readonly parts: number;
  };
  readonly snapshot_part: { readonly snapshot: string; readonly number: number; readonly text: string };
  readonly kept: {
    readonly sandbox: number;
    readonly name: string;
    readonly value: string | null;
    readonly mark: string;
  };
  readonly document_file: {
    readonly digest: string;
    readonly name: string;
    readonly part: number;
    readonly bytes: Uint8Array;
  };
  readonly server: { readonly base_url: string; readonly said_at: Generated<string> };
}

/**
 * Columns of the tables. The primary key defines the order of a journal. `kept.value` is null for a discarded value, so
 * other processes are notified. `kept.mark` counts the changes in one sandbox, and records of discarded values below
 * `sandbox.kept_floor` have been removed. Names are compared by bytes. Text columns contain JSON, which allows every
 * character.
 */
const columns = {
  sandbox: {
    number: 'integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY',
    id: 'text COLLATE "C" NOT NULL UNIQUE',
    kept_floor: 'bigint NOT NULL DEFAULT 0',
  },
  entry: {
    sandbox: 'integer NOT NULL REFERENCES sandbox ON DELETE CASCADE',
    seq: 'integer NOT NULL CHECK (seq > 0)',
    at_ms: 'bigint NOT NULL',
    type: 'text NOT NULL',
    body: 'text NOT NULL',
  },
  snapshot: {
    id: 'bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY',
    sandbox: 'integer NOT NULL REFERENCES sandbox ON DELETE CASCADE',
    name: 'text COLLATE "C" NOT NULL',
    seq: 'integer NOT NULL',
    at_ms: 'bigint NOT NULL',
    digest: 'text NOT NULL',
    parts: 'integer NOT NULL',
  },
  snapshot_part: {
    snapshot: 'bigint NOT NULL REFERENCES snapshot ON DELETE CASCADE',
    number: 'integer NOT NULL',
    text: 'text NOT NULL',
  },
  kept: {
    sandbox: 'integer NOT NULL REFERENCES sandbox ON DELETE CASCADE',
    name: 'text COLLATE "C" NOT NULL',
    value: 'text',
    mark: 'bigint NOT NULL',
  },
  document_file: {
    digest: 'text COLLATE "C" NOT NULL',
    name: 'text COLLATE "C" NOT NULL',
    part: 'integer NOT NULL',
    bytes: 'bytea NOT NULL',
  },
  server: { base_url: 'text PRIMARY KEY', said_at: 'timestamptz NOT NULL DEFAULT now()' },
} as const;

const constraints: Readonly<Record<string, string>> = {
  entry: ', PRIMARY KEY (sandbox, seq)',
  snapshot: ', UNIQUE (sandbox, name)',
  snapshot_part: ', PRIMARY KEY (snapshot, number)',
  kept: ', PRIMARY KEY (sandbox, name)',
  document_file: ', PRIMARY KEY (digest, name, part)',
};

const indexes = [
  "CREATE INDEX entry_restore ON entry (sandbox, seq) WHERE type = 'state.restored'",
  'CREATE INDEX kept_mark ON kept (sandbox, mark)',
];

/** Statements that create a store in an empty schema. */
export const creation: readonly string[] = [
  ...Object.entries(columns).map(([table, of]) => {
    const list = Object.entries(of).map(([name, kind]) => `${name} ${kind}`);
    return `CREATE TABLE ${table} (${list.join(', ')}${constraints[table] ?? ''})`;
  }),
  ...indexes,
];

/** Columns of each table, in alphabetical order. */
export const tableColumns: Readonly<Record<string, readonly string[]>> = Object.fromEntries(
  Object.entries(columns).map(([table, of]) => [table, Object.keys(of).toSorted()]),
);
