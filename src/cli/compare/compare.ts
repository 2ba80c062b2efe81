import { createReadStream, existsSync, statSync } from 'node:fs';
import { resolve } from 'node:path';
import { seedRuleset } from '../../../machines/rulesets/built-in.ts';
import type { ComparedAttempt } from '../../contract/compared-attempt.ts';
import type { Comparison } from '../../contract/comparison.schema.ts';
import { NudgeLabError } from '../../core/errors.ts';
import { exportJourney } from '../../journal/journeys/export-journey.ts';
import { computeModelDigest } from '../../journal/model-digest.ts';
import { AttemptFiles } from '../../replay/compare/attempt-files.ts';
import { type CompareOptions, compareImport } from '../../replay/compare/compare-import.ts';
import { compareJourney } from '../../replay/compare/compare-journey.ts';
import { DuckDbSession } from '../../replay/import/duckdb-session.ts';
import { inOwnFolder } from '../../replay/own-folder.ts';
import { openJourney } from '../../replay/read-journey.ts';
import { attemptLine, comparisonLines } from '../../report/comparison-text.ts';
import { valueText } from '../../report/trace-text.ts';
import type { CommandContext, ExitCode } from '../context.ts';
import { loadMapping } from '../import/import-exports.ts';
import { openStoreThere, redactStoreUrl } from '../open-store.ts';
import { paletteFor } from '../palette.ts';
import { print, printJson } from '../print.ts';
import type { CompareArguments } from './compare-options.ts';
import { findRulesets, parseVariants } from './variants.ts';

/** Maximum number of attempts shown for one user. Further attempts are only counted. */
const shownAttemptsMax = 10_000;

/** Runs a policy comparison and returns the exit code. Throws an error that the caller can correct. */
export async function compare(args: CompareArguments, context: CommandContext): Promise<ExitCode> {
  const rulesets = await findRulesets(args, context.cwd);
  const variants = parseVariants(args, rulesets, loadMapping(args.mapping, context.cwd), context.cwd);
  const baseline = args.at.length > 1 ? (rulesets[0]?.ruleset ?? null) : null;
  const files = await AttemptFiles.open(args, context.cwd);
  const shown: ComparedAttempt[] = [];
  const see = (attempt: ComparedAttempt): void => {
    if (args.user !== null && shown.length < shownAttemptsMax) shown.push(attempt);
    if (attempt.changed) files.write(attempt);
  };
  const wanted = args.user !== null || files.isWanted;
  const options: CompareOptions = {
    variants,
    assumedAction: args.assumeAction,
    ruleset: seedRuleset,
    ...(baseline === null ? {} : { baseline }),
    ...(wanted ? { see } : {}),
    ...(args.user === null ? {} : { user: args.user }),
  };
  const comparison = await compareHistory(args, options, context);
  const written = await files.close();
  if (args.html !== null) {
    const { writeComparisonPage } = await import('./write-page.ts');
    written.push(writeComparisonPage(args.html, comparison, context.cwd));
  }
  printComparison(args, comparison, shown, written, context);
  return 0;
}

async function compareHistory(
  args: CompareArguments,
  options: CompareOptions,
  context: CommandContext,
): Promise<Comparison> {
  const [named, ...more] = args.operands;
  if (args.db !== null && named === undefined) return compareJournal(args.db, args.sandbox, options, context.cwd);
  if (args.db !== null || named === undefined || more.length > 0) {
    throw new NudgeLabError('usage-invalid', { message: 'Name one journey or import, or select a journal with --db.' });
  }
  const path = resolve(context.cwd, named);
  if (!existsSync(path)) throw new NudgeLabError('file-unreadable', { message: `The file ${named} does not exist.` });
  if (!statSync(path).isDirectory()) {
    return compareJourney(await openJourney(createReadStream(path) as AsyncIterable<Uint8Array>), named, options);
  }
  return inOwnFolder(async (folder) => {
    const duck = await DuckDbSession.open(folder, undefined, true);
    try {
      return await compareImport(duck, path, options);
    } finally {
      duck.close();
    }
  });
}

async function compareJournal(
  db: string,
  sandboxId: string,
  options: CompareOptions,
  cwd: string,
): Promise<Comparison> {
  const store = await openStoreThere(db, cwd);
  try {
    const lines = await exportJourney({ store, sandboxId, digest: computeModelDigest() });
    return await compareJourney(await openJourney(encodeLines(lines)), `${redactStoreUrl(db)} ${sandboxId}`, options);
  } finally {
    await store.close();
  }
}

async function* encodeLines(lines: AsyncIterable<string>): AsyncGenerator<Uint8Array, void> {
  const encoder = new TextEncoder();
  for await (const line of lines) yield encoder.encode(`${line}\n`);
}

function printComparison(
  args: CompareArguments,
  comparison: Comparison,
  selected: readonly ComparedAttempt[],
  written: readonly string[],
  context: CommandContext,
): void {
  const { stdout } = context;
  if (args.json) {
    printJson(stdout, {
      ...comparison,
      ...(args.user === null ? {} : { timeline: selected }),
      ...(written.length === 0 ? {} : { files: written }),
    });
    return;
  }
  const palette = paletteFor(stdout, context, args.color);
  print(stdout, { user: args.user, comparison, shown: selected, written }, (visible) => [
    ...(visible.user === null
      ? comparisonLines(visible.comparison, palette)
      : timeline(visible.user, visible.shown, palette)),
    ...visible.written.map((file) => `Wrote ${file}.`),
  ]);
}

function timeline(
  user: string,
  selected: readonly ComparedAttempt[],
  palette: ReturnType<typeof paletteFor>,
): readonly string[] {
  const byVariant = Map.groupBy(selected, ({ variant }) => variant);
  return [...byVariant].flatMap(([variant, attempts]) => [
    `${palette.strong(user)} under ${palette.strong(variant)}`,
    ...attempts.flatMap((attempt) => [attemptLine(attempt, palette), ...traceLines(attempt)]),
  ]);
}

function traceLines({ rules }: ComparedAttempt): readonly string[] {
  return (rules ?? []).flatMap(({ id, before, after, baselineFacts, variantFacts }) => {
    if (before === 'not-applicable' && after === 'not-applicable') return [];
    const saw =
      (after.startsWith('stopped') ? variantFacts : null) ?? (before.startsWith('stopped') ? baselineFacts : null);
    return [
      `    ${id.padEnd(5)} ${before}${before === after ? '' : ` → ${after}`}${saw === null ? '' : `  ${valueText(saw)}`}`,
    ];
  });
}
