import type { DuckDbSession } from './duckdb-session.ts';
import type { RowValues } from './row-facts.ts';
import { partBit, partName, valueColumns } from './sign-in-sql.ts';

/** Combination of values that occurs in rows. */
export interface Combination {
  /** Number of the combination as text, because it does not fit into 53 bits. */
  readonly key: string;
  /** Number of rows with the combination. */
  readonly n: number;
  /** Position of one such row. */
  readonly place: string | null;
  readonly values: RowValues;
}

/**
 * Yields every combination of values with one of its rows, most frequent first. The positions of these rows are found
 * by numbers, so their texts are the only ones that are read: the database skips the parts of a file without any of
 * them.
 */
export async function* iterateCombinations(session: DuckDbSession): AsyncGenerator<Combination, void> {
  await session.run(
    'CREATE TABLE combinations AS SELECT h, count(*) AS n, arg_min(place, coalesce(i, 0::UBIGINT)) AS place FROM signins GROUP BY h',
  );
  await session.run(`CREATE TABLE combinationtexts AS ${await textsSql(session)}`);
  const values = valueColumns.map((name) => `x."${name}"`).join(', ');
  const found = session.chunks(
    `SELECT c.h::VARCHAR, c.n, x.id, ${values} FROM combinations c JOIN combinationtexts x ON c.h = x.h ORDER BY c.n DESC, c.h`,
  );
  for await (const chunk of found) {
    for (let row = 0; row < chunk.rowCount; row += 1) {
      const id = chunk.value(2, row);
      const texts = Object.fromEntries(valueColumns.map((name, at) => [name, chunk.value(at + 3, row)]));
      yield {
        key: String(chunk.value(0, row)),
        n: Number(chunk.value(1, row)),
        place: id === null ? null : `row ${String(id)}`,
        values: texts as unknown as RowValues,
      };
    }
  }
}

/** Returns SQL that reads the texts of the selected rows, file by file. */
async function textsSql(session: DuckDbSession): Promise<string> {
  const found = await session.rows(
    `SELECT place >> ${partBit} AS part, string_agg((place & ((1::BIGINT << ${partBit}) - 1))::VARCHAR, ', ') FROM combinations GROUP BY 1`,
  );
  const columns = ['h', 'id', ...valueColumns.map((name) => `"${name}"`)].join(', ');
  const selects = found.map(
    ([part, places]) => `SELECT ${columns} FROM ${partName(Number(part))} WHERE place IN (${String(places)})`,
  );
  return selects.length === 0 ? `SELECT ${columns} FROM rowtexts WHERE false` : selects.join(' UNION ALL ');
}
