import type { DuckDbSession } from './duckdb-session.ts';
import type { RowValues } from './row-facts.ts';
import { partBit, partName, valueColumns } from './sign-in-sql.ts';

/** A combination of values that rows have. */
export interface Combination {
  /** The number that stands for it, which does not fit into 53 bits. */
  readonly key: string;
  /** How many rows have it. */
  readonly n: number;
  /** One of them. */
  readonly place: string | null;
  readonly values: RowValues;
}

/**
 * Every combination of values with one of the rows that have it, the most frequent first. Of millions of rows the texts of those alone
 * are read whose places were found by numbers: the database passes over the parts of a file that hold none of them.
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
      const told = Object.fromEntries(valueColumns.map((name, at) => [name, chunk.value(at + 3, row)]));
      yield {
        key: String(chunk.value(0, row)),
        n: Number(chunk.value(1, row)),
        place: id === null ? null : `row ${String(id)}`,
        values: told as unknown as RowValues,
      };
    }
  }
}

/** Reads the texts of the rows whose places were found, file by file. */
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
