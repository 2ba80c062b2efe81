import type { FactDefinition, OwnRuleset } from '../../../machines/own/own-ruleset.ts';
import type { ImportMapping } from '../../contract/import-mapping.schema.ts';
import { NudgeLabError, type ValidationProblem } from '../../core/errors.ts';
import { suggestName } from '../../core/nearest-name.ts';
import { type Column, find, sameName, textSql } from './columns.ts';
import type { DuckDbSession } from './duckdb-session.ts';
import type { ImportWork } from './import-work.ts';
import { type Cell, locateCells } from './locate-cells.ts';
import { readCell } from './read-cell.ts';
import type { SourceFile } from './source-file.ts';

/** Fact that a ruleset reads from a column. */
export interface ColumnReader {
  readonly ruleset: string;
  /** Path of the fact, such as `user.facts.plan`. */
  readonly path: string;
  readonly definition: FactDefinition;
}

/** Column of the sign-in logs that an import keeps for the facts of rulesets. */
export interface KeptColumn {
  readonly column: string;
  readonly readers: readonly ColumnReader[];
}

/** Maximum number of columns that an import keeps: those of all facts of one ruleset. */
const keptColumnsMax = 192;

/**
 * Lists the columns that the facts of rulesets name (OC50), in the order of their first use.
 *
 * @param rulesets - rulesets of own campaigns
 * @throws NudgeLabError `usage-invalid` for more columns than an import can keep
 */
export function listKeptColumns(rulesets: readonly Pick<OwnRuleset, 'id' | 'facts'>[]): readonly KeptColumn[] {
  const columns = new Map<string, ColumnReader[]>();
  for (const { id, facts } of rulesets) {
    for (const [owner, definitions] of Object.entries(facts)) {
      for (const [name, definition] of Object.entries(definitions)) {
        if (definition.import === undefined) continue;
        const reader = { ruleset: id, path: `${owner}.facts.${name}`, definition };
        columns.set(definition.import.column, [...(columns.get(definition.import.column) ?? []), reader]);
      }
    }
  }
  if (columns.size > keptColumnsMax) {
    throw new NudgeLabError('usage-invalid', {
      message: `The rulesets read ${columns.size} columns; an import keeps at most ${keptColumnsMax}.`,
    });
  }
  return [...columns].map(([column, readers]) => ({ column, readers }));
}

/** Returns the name of a kept column in the tables of an import. */
export function keptName(index: number): string {
  return `kept${index}`;
}

/**
 * Refuses columns that name users, because an import with pseudonyms must not contain them.
 * @throws NudgeLabError `usage-invalid` with every such column
 */
export function refuseNames(columns: readonly KeptColumn[], { signIns }: ImportMapping): void {
  const names = (['userId', 'userPrincipalName'] as const).flatMap((field) => signIns.columns[field] ?? []);
  const naming = new Set(names.map(sameName));
  const problems = columns
    .filter(({ column }) => naming.has(sameName(column)))
    .map(({ column, readers }) => ({
      location: readers.map(({ ruleset, path }) => `${path} of ${ruleset}`).join(', '),
      message: `the column ${column} names users; --pseudonym-key leaves such columns out`,
    }));
  if (problems.length > 0) throw new NudgeLabError('usage-invalid', { problems });
}

/** Returns SQL for the kept columns of a file, each with a leading comma. Empty texts are unknown values. */
export function keptSql(kept: readonly KeptColumn[], columns: readonly Column[]): string {
  const texts = kept.map(({ column }) => `nullif(trim(${textSql(find(columns, [column]))}), '')`);
  return texts.map((sql, index) => `, ${sql} AS ${keptName(index)}`).join('');
}

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

/** Returns what is wrong with a text for the first fact that does not allow it, or `null`. */
export function describeMisfit(text: string, { column, readers }: KeptColumn): string | null {
  for (const { path, ruleset, definition } of readers) {
    const read = readCell(text, definition);
    if ('message' in read) return `column ${column}: ${read.message} (${path} of ${ruleset})`;
  }
  return null;
}
