import { NudgeLabError, type ValidationProblem } from '../../core/errors.ts';
import { suggestName } from '../../core/nearest-name.ts';
import type { DuckDbSession } from './duckdb-session.ts';
import type { ImportWork } from './import-work.ts';
import { describeMisfit, keptName } from './kept-columns.ts';
import { type Cell, locateCells } from './locate-cells.ts';
import type { SourceFile } from './source-file.ts';

/** Reports kept columns that no file has, with the most similar column of the files. */
export function noteMissing({ kept, tally }: ImportWork, columns: readonly string[]): void {
  for (const { column } of kept) {
    const found = tally.columns[`rulesets.${column}`] ?? null;
    if (found === null) {
      tally.odd('columns of rulesets that no sign-in log has', 1, `${column}${suggestName(column, columns)}`);
    }
  }
}

/** Maximum number of listed values that a fact does not allow; further ones are counted. */
const listedMax = 20;

/** Text that a fact does not allow. */
interface BadCell extends Cell {
  readonly message: string;
}

/**
 * Checks that every text of the kept columns is a value of the facts that read it. The table `signins` must exist.
 *
 * @throws NudgeLabError `log-value-invalid` with the first line of each text that is not
 */
export async function checkKept(files: readonly SourceFile[], { kept, session }: ImportWork): Promise<void> {
  const bad: BadCell[] = [];
  let others = 0;
  for (const [index, column] of kept.entries()) {
    for await (const text of distinctTexts(session, keptName(index))) {
      const message = describeMisfit(text, column);
      if (message === null) continue;
      if (bad.length < listedMax) bad.push({ column: column.column, text, message });
      else others += 1;
    }
  }
  if (bad.length === 0) return;
  const places = await locateCells(session, files, bad);
  const problems = bad.map(({ message }, index): ValidationProblem => ({ location: places[index] ?? '', message }));
  const more = others === 0 ? [] : [{ location: '', message: `and ${others} more texts that facts do not allow` }];
  throw new NudgeLabError('log-value-invalid', { problems: [...problems, ...more] });
}

async function* distinctTexts(session: DuckDbSession, name: string): AsyncGenerator<string, void> {
  const sql = `SELECT ${name} FROM signins WHERE ${name} IS NOT NULL GROUP BY 1 ORDER BY 1`;
  for await (const chunk of session.chunks(sql)) {
    for (let row = 0; row < chunk.rowCount; row += 1) yield String(chunk.value(0, row));
  }
}
