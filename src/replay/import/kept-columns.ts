import type { FactDefinition, OwnRuleset } from '../../../machines/own/own-ruleset.ts';
import type { ImportMapping } from '../../contract/import-mapping.schema.ts';
import { NudgeLabError } from '../../core/errors.ts';
import { type Column, find, sameName, textSql } from './columns.ts';
import { readCell } from './read-cell.ts';

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

/** Returns what is wrong with a text for the first fact that does not allow it, or `null`. */
export function describeMisfit(text: string, { column, readers }: KeptColumn): string | null {
  for (const { path, ruleset, definition } of readers) {
    const read = readCell(text, definition);
    if ('message' in read) return `column ${column}: ${read.message} (${path} of ${ruleset})`;
  }
  return null;
}
