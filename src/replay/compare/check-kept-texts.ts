import { toInstant } from '../../core/clock.ts';
import { NudgeLabError, type ValidationProblem } from '../../core/errors.ts';
import { sameName } from '../import/columns.ts';
import type { DuckDbSession } from '../import/duckdb-session.ts';
import { describeMisfit, type KeptColumn, keptName } from '../import/kept-columns.ts';
import type { OwnImportUsers } from './own-import-users.ts';

/** Tables of an import with its kept columns. */
interface KeptTables {
  readonly folder: string;
  /** SQL name of the table of attempts. */
  readonly table: string;
  readonly columns: readonly string[];
  readonly users: OwnImportUsers;
}

/** Maximum number of listed texts; further ones are counted. */
const listedMax = 20;

/**
 * Checks that the kept texts of an import are values of the facts of rulesets, which need not be those of the import.
 *
 * @param session - database
 * @param tables - tables of the import
 * @param wanted - columns that the facts of the rulesets name
 * @throws NudgeLabError `log-value-invalid` with the first sign-in of each text that a fact does not allow
 */
export async function checkKeptTexts(
  session: DuckDbSession,
  { folder, table, columns, users }: KeptTables,
  wanted: readonly KeptColumn[],
): Promise<void> {
  const problems: ValidationProblem[] = [];
  let others = 0;
  for (const column of wanted) {
    const index = columns.findIndex((kept) => sameName(kept) === sameName(column.column));
    if (index < 0) continue;
    const name = keptName(index);
    const found = session.chunks(
      `SELECT ${name}, count(*)::DOUBLE, min(t)::DOUBLE, arg_min(uid, t)::INTEGER FROM ${table} WHERE ${name} IS NOT NULL GROUP BY 1 ORDER BY 1`,
    );
    for await (const chunk of found) {
      for (let row = 0; row < chunk.rowCount; row += 1) {
        const message = describeMisfit(String(chunk.value(0, row)), column);
        if (message === null) continue;
        if (problems.length >= listedMax) {
          others += 1;
          continue;
        }
        const at = toInstant(Number(chunk.value(2, row)));
        const location = `${folder}, sign-in of ${users.id(Number(chunk.value(3, row)))} at ${at}`;
        problems.push({ location, message: `${message}, in ${String(chunk.value(1, row))} sign-ins` });
      }
    }
  }
  if (problems.length === 0) return;
  const more = others === 0 ? [] : [{ location: folder, message: `and ${others} more texts that facts do not allow` }];
  throw new NudgeLabError('log-value-invalid', { problems: [...problems, ...more] });
}
