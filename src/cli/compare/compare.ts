import { createReadStream, existsSync, statSync } from 'node:fs';
import { resolve } from 'node:path';
import type { OwnRuleset } from '../../../machines/own/own-ruleset.ts';
import { seedRuleset } from '../../../machines/rulesets/built-in.ts';
import type { ComparedAttempt } from '../../contract/compared-attempt.ts';
import type { Comparison } from '../../contract/comparison.schema.ts';
import { NudgeLabError } from '../../core/errors.ts';
import { exportJourney } from '../../journal/journeys/export-journey.ts';
import { computeModelDigest } from '../../journal/model-digest.ts';
import { AttemptFiles } from '../../replay/compare/attempt-files.ts';
import { type CompareOptions, compareImport } from '../../replay/compare/compare-import.ts';
import { compareJourney } from '../../replay/compare/compare-journey.ts';
import { compareOwnImport } from '../../replay/compare/compare-own-import.ts';
import { compareOwnJourney } from '../../replay/compare/compare-own-journey.ts';
import { DuckDbSession } from '../../replay/import/duckdb-session.ts';
import { inOwnFolder } from '../../replay/own-folder.ts';
import { type OpenedJourney, openJourney } from '../../replay/read-journey.ts';
import { attemptLine, comparisonLines } from '../../report/comparison-text.ts';
import { valueText } from '../../report/trace-text.ts';
import type { CommandContext, ExitCode } from '../context.ts';
import { loadMapping } from '../import/import-exports.ts';
import { openStoreThere, redactStoreUrl } from '../open-store.ts';
import { paletteFor } from '../palette.ts';
import { print, printJson } from '../print.ts';
import type { CompareArguments } from './compare-options.ts';
import {
  type ComparedRulesets,
  findOwnBaseline,
  listOwnVariants,
  loadCompared,
  mixedBases,
  type OwnVariants,
} from './own-variants.ts';
import { refuseRepeated } from './variant-names.ts';
import { findRulesets, parseVariants } from './variants.ts';

/** Maximum number of attempts shown for one user. Further attempts are only counted. */
const shownAttemptsMax = 10_000;

/** Runs a policy comparison and returns the exit code. Throws an error that the caller can correct. */
export async function compare(args: CompareArguments, context: CommandContext): Promise<ExitCode> {
  for (const option of ['policy', 'ruleset', 'at'] as const) refuseRepeated(`--${option}`, args[option]);
  const compared = await loadCompared(args, context.cwd);
  const method = listOwnVariants(args, compared) ?? listCampaignVariants(args, compared, context.cwd);
  const files = await AttemptFiles.open(args, context.cwd);
  const shown: ComparedAttempt[] = [];
  const see = (attempt: ComparedAttempt): void => {
    if (args.user !== null && shown.length < shownAttemptsMax) shown.push(attempt);
    if (attempt.changed) files.write(attempt);
  };
  const wanted = args.user !== null || files.isWanted;
  const common: CommonOptions = {
    assumedAction: args.assumeAction,
    ...(wanted ? { see } : {}),
    ...(args.user === null ? {} : { user: args.user }),
  };
  const comparison = await compareHistory(args, chooseEngine(method, compared, common), context);
  const written = await files.close();
  if (args.html !== null) {
    const { writeComparisonPage } = await import('./write-page.ts');
    written.push(writeComparisonPage(args.html, comparison, context.cwd));
  }
  printComparison(args, comparison, shown, written, context);
  return 0;
}

type CommonOptions = Pick<CompareOptions, 'assumedAction' | 'see' | 'user'>;

/** Comparison of both kinds of history. */
interface ComparisonEngine {
  journey(journey: OpenedJourney, source: string): Promise<Comparison>;
  import(duck: DuckDbSession, folder: string): Promise<Comparison>;
}

type CampaignVariants = Pick<CompareOptions, 'variants' | 'baseline'>;

/** Returns the variants of a registration campaign. Throws the errors of `parseVariants`. */
function listCampaignVariants(args: CompareArguments, compared: ComparedRulesets, cwd: string): CampaignVariants {
  const rulesets = findRulesets(args, compared);
  const variants = parseVariants(args, rulesets, loadMapping(args.mapping, cwd), cwd);
  const baseline = args.at.length > 1 ? (rulesets[0]?.ruleset ?? null) : null;
  return baseline === null ? { variants } : { variants, baseline };
}

/** Returns the comparison of registration campaigns or of own campaigns. */
function chooseEngine(
  method: OwnVariants | CampaignVariants,
  compared: ComparedRulesets,
  common: CommonOptions,
): ComparisonEngine {
  if (isOwn(method)) {
    const { variants, baseline } = method;
    return {
      journey: (journey, source) =>
        compareOwnJourney(journey, source, {
          ...common,
          variants,
          baseline: pickBaseline(journey, baseline, compared),
        }),
      import: (duck, folder) => compareOwnImport(duck, folder, { ...common, ...pickImportVariants(method) }),
    };
  }
  const options: CompareOptions = { ...common, ...method, ruleset: seedRuleset };
  return {
    journey: (journey, source) => {
      const { ruleset } = journey.head.line;
      const [first] = compared.named;
      if (compared.registry.find(ruleset)?.base === 'own') throw mixedBases(ruleset, first?.loaded.id ?? 'the variant');
      return compareJourney(journey, source, options);
    },
    import: (duck, folder) => compareImport(duck, folder, options),
  };
}

function isOwn(method: OwnVariants | CampaignVariants): method is OwnVariants {
  return method.variants.every((variant) => !('apply' in variant));
}

/** Returns the variants of an import, which has no own campaign: the first of several rulesets is the baseline. */
function pickImportVariants({ baseline, variants }: OwnVariants): OwnVariants {
  const [first, ...rest] = variants;
  return baseline !== null || rest.length === 0
    ? { baseline, variants }
    : { baseline: first?.ruleset ?? null, variants: rest };
}

/** Returns the baseline of a comparison of own campaigns. The ruleset of the history must have the base `own`, too. */
function pickBaseline(journey: OpenedJourney, baseline: OwnRuleset | null, compared: ComparedRulesets): OwnRuleset {
  const recorded = findOwnBaseline(journey.head.line, compared);
  return baseline ?? recorded;
}

async function compareHistory(
  args: CompareArguments,
  engine: ComparisonEngine,
  context: CommandContext,
): Promise<Comparison> {
  const [named, ...more] = args.operands;
  if (args.db !== null && named === undefined) return compareJournal(args.db, args.sandbox, engine, context.cwd);
  if (args.db !== null || named === undefined || more.length > 0) {
    throw new NudgeLabError('usage-invalid', { message: 'Name one journey or import, or select a journal with --db.' });
  }
  const path = resolve(context.cwd, named);
  if (!existsSync(path)) throw new NudgeLabError('file-unreadable', { message: `The file ${named} does not exist.` });
  if (!statSync(path).isDirectory()) {
    return engine.journey(await openJourney(createReadStream(path) as AsyncIterable<Uint8Array>), named);
  }
  return inOwnFolder(async (folder) => {
    const duck = await DuckDbSession.open(folder, undefined, true);
    try {
      return await engine.import(duck, path);
    } finally {
      duck.close();
    }
  });
}

async function compareJournal(
  db: string,
  sandboxId: string,
  engine: ComparisonEngine,
  cwd: string,
): Promise<Comparison> {
  const store = await openStoreThere(db, cwd);
  try {
    const lines = await exportJourney({ store, sandboxId, digest: computeModelDigest() });
    return await engine.journey(await openJourney(encodeLines(lines)), `${redactStoreUrl(db)} ${sandboxId}`);
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
  if (selected.length === 0) return [`No attempts of ${palette.strong(user)}.`];
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
