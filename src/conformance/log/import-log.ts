import { join } from 'node:path';
import type { OwnRuleset } from '../../../machines/own/own-ruleset.ts';
import type { TenantFacts } from '../../../machines/vocabulary.ts';
import type { LogEventKind } from '../../contract/conformance.schema.ts';
import { checkKeptTexts } from '../../replay/compare/check-kept-texts.ts';
import { OwnImportUsers } from '../../replay/compare/own-import-users.ts';
import { hasColumn, readManifest } from '../../replay/compare/read-import.ts';
import { type DuckDbSession, fileLiteral } from '../../replay/import/duckdb-session.ts';
import { keptName, listKeptColumns } from '../../replay/import/kept-columns.ts';
import { rowFlag } from '../../replay/import/row-facts.ts';
import type { CheckOptions } from '../check/ruleset-checker.ts';
import { type LogEntry, noFacts } from '../model/log-event.ts';
import { PolicyTimeline } from '../model/policy-timeline.ts';
import { plainVariant } from '../model/verdict-table.ts';
import type { LogFacts } from '../own/log-facts.ts';
import { ImportFacts } from './import-facts.ts';

/** Import as a log: the timeline of its policies, and its sign-ins in batches. */
export interface ImportLog {
  readonly timeline: PolicyTimeline;
  /** Returns the reader of the facts of an own ruleset. */
  readonly readFacts: (ruleset: OwnRuleset) => LogFacts;
  readonly batches: AsyncIterable<readonly LogEntry[]>;
}

/** Actions that an import never contains. */
const hiddenActions: readonly LogEventKind[] = [
  'next-selected',
  'resumed',
  'skipped',
  'closed',
  'registered',
  'setup-failed',
  'error-skipped',
  'registered-elsewhere',
  'method-removed',
];

/** Difference between the clocks of a log, and the unit of its times, in milliseconds. */
const toleranceMs = 2_000;

/**
 * Reads a folder of `nudgelab import` as a log. It contains sign-ins with or without a prompt, of users with any past; what
 * users did on the prompts is hidden.
 *
 * @param session - database that preserves the order of rows
 * @param folder - folder of the import
 * @param rulesets - own rulesets whose facts are read from kept columns
 * @throws NudgeLabError `import-unrecognized`, and `log-value-invalid` for a text that a fact does not allow
 */
export async function readImportLog(
  session: DuckDbSession,
  folder: string,
  rulesets: readonly OwnRuleset[],
): Promise<ImportLog> {
  const manifest = await readManifest(folder);
  const { policies, keptColumns: kept = [], report } = manifest;
  const table = fileLiteral(join(folder, 'attempts.parquet'));
  const wanted = listKeptColumns(rulesets);
  if (wanted.length > 0 && kept.length > 0) {
    const users = await OwnImportUsers.read(session, folder);
    await checkKeptTexts(session, { folder, table, columns: kept, users }, wanted);
  }
  // A column that the log did not have was kept without texts.
  const columns = kept.map((column) => (report.columns[`rulesets.${column}`] === null ? null : column));
  const device = (await hasColumn(session, table, 'device')) ? 'a.device' : '0::INTEGER';
  const [first, ...changes] = policies;
  const timeline = new PolicyTimeline(first?.tenant as TenantFacts, true);
  for (const { fromMs, tenant } of changes) {
    timeline.change(tenant as TenantFacts, fromMs ?? Number.NEGATIVE_INFINITY, fromMs ?? Number.NEGATIVE_INFINITY);
  }
  return {
    timeline,
    readFacts: (ruleset) => new ImportFacts(ruleset, columns, policies),
    batches: readSignIns(session, folder, ['a.code', device, ...kept.map((_, index) => `a.${keptName(index)}`)]),
  };
}

async function* readSignIns(
  session: DuckDbSession,
  folder: string,
  columns: readonly string[],
): AsyncGenerator<readonly LogEntry[], void> {
  const [attempts, users] = ['attempts.parquet', 'users.parquet'].map((name) => fileLiteral(join(folder, name)));
  const selected = ['u.id', 'a.t::DOUBLE', 'a.flags', ...columns].join(', ');
  const sql = `SELECT ${selected} FROM ${attempts} a JOIN ${users} u ON a.uid = u.uid ORDER BY a.uid, a.t, a.code`;
  let line = 0;
  for await (const chunk of session.chunks(sql)) {
    const [times, flags, codes, devices] = [chunk.numbers(1), chunk.numbers(2), chunk.numbers(3), chunk.numbers(4)];
    const entries: LogEntry[] = [];
    for (let row = 0; row < chunk.rowCount; row += 1) {
      line += 1;
      const kind = toKind(flags[row] as number);
      if (kind === null) continue;
      const atMs = times[row] as number;
      entries.push({
        type: 'user',
        user: String(chunk.value(0, row)),
        line,
        lo: atMs - toleranceMs,
        hi: atMs + toleranceMs,
        kinds: [kind],
        prompt: null,
        facts: noFacts,
        variant: plainVariant,
        imported: {
          code: codes[row] as number,
          device: devices[row] as number,
          texts: columns.slice(2).map((_, index) => chunk.value(index + 5, row) as string | null),
        },
        sets: null,
      });
    }
    yield entries;
  }
}

/** Returns what an attempt shows; `null` for one that neither succeeded nor reached a prompt. */
function toKind(flags: number): LogEventKind | null {
  if ((flags & rowFlag.promptRequired) !== 0) return 'prompt-required';
  if ((flags & rowFlag.promptSkippable) !== 0) return 'prompt-skippable';
  return (flags & rowFlag.success) === 0 ? null : 'signed-in';
}

/** Returns how an import is checked. */
export function importOptions(examplesMax: number): CheckOptions {
  return {
    unobserved: hiddenActions,
    missing: 0,
    start: 'unknown',
    exactCounts: false,
    freeClock: false,
    examplesMax,
  };
}
