import { resolve } from 'node:path';
import type { OwnRuleset } from '../../../machines/own/own-ruleset.ts';
import type { ForecastAnalyses, SettingsVariant } from '../../contract/forecast-report.ts';
import type { OwnForecastDescription } from '../../contract/own-forecast.schema.ts';
import { NudgeLabError } from '../../core/errors.ts';
import {
  type ForecastCounts,
  ForecastPool,
  type ForecastRequest,
  threadsDefault,
} from '../../forecast/forecast-pool.ts';
import {
  type OwnForecast,
  type OwnVerification,
  ownForecastReport,
  prepareOwnForecast,
  verifyOwnForecast,
} from '../../forecast/own/own-forecast.ts';
import { sweptSettings } from '../../forecast/own/settings-sweep.ts';
import { markParetoOptimal } from '../../forecast/policy-sweep.ts';
import { runOwnByQueue } from '../../forecast/queue-forecast.ts';
import type { OwnLoadedRuleset } from '../../journal/ruleset-registry.ts';
import { createSentRuleset } from '../../scenario/rulesets/sent-ruleset.ts';
import { compiledOr, ranOr } from '../compiled-or.ts';
import type { CommandContext, ExitCode } from '../context.ts';
import { createQueuePlace } from '../queue/queue-place.ts';
import type { ForecastArguments } from './forecast-options.ts';
import { printForecast } from './print-forecast.ts';
import { type DescriptionFile, located, parseOwnDescription } from './read-description.ts';
import { showProgress } from './show-progress.ts';

/** What works for a ruleset without tables. */
const fallback = 'with --engine fold the forecast has the same numbers, and check, run and explain are not affected';

/**
 * Forecasts the campaign of a ruleset file. Returns 1 if `--verify` finds a difference. Throws `usage-invalid`,
 * `ruleset-invalid`, `forecast-invalid`, `forecast-too-large` and `ruleset-not-compiled`.
 */
export async function runOwnForecast(
  file: DescriptionFile,
  loaded: OwnLoadedRuleset,
  args: ForecastArguments,
  context: CommandContext,
): Promise<ExitCode> {
  refuseBuiltInOptions(args);
  const description = parseOwnDescription(file);
  const rulesetPath = resolve(loaded.origin);
  const forecast = located(file, () =>
    prepare(description, loaded.ruleset, args.engine ?? 'table', rulesetPath, context.cwd),
  );
  const { users, seed } = description;
  const seeds = Array.from({ length: args.seeds }, (_, place) => (seed + place) % 2 ** 32);
  const progress = showProgress(context, args.json);
  const pool = openOwnSimulator(args, loaded, context);
  try {
    const verification = verify(forecast, args, { path: rulesetPath, cwd: context.cwd });
    const order = { users, seeds, budgetMs: args.timeLimit, onProgress: progress.show };
    const report = ownForecastReport(forecast, await pool.run(forecast, order), users);
    const settings = await sweep(description, loaded, args, { pool, cwd: context.cwd });
    progress.end();
    printForecast(report, { sweep: null, sensitivity: null, ...settings }, verification, args, context);
    return verification?.difference ? 1 : 0;
  } finally {
    await pool.close();
  }
}

/** Compares users of the tables with the campaign itself. Without tables there is nothing to compare. */
function verify(
  forecast: OwnForecast,
  { verify: sample, engine }: Pick<ForecastArguments, 'verify' | 'engine'>,
  file: { readonly path: string; readonly cwd: string },
): OwnVerification | null {
  if (sample === null) return null;
  const { users, seed } = forecast.plan.description;
  const withoutTables = '--verify compares the tables with the campaign itself, so leave it out';
  return compiledOr({ ...file, fallback: engine === 'fold' ? withoutTables : fallback }, () =>
    verifyOwnForecast(forecast, seed, users, sample),
  );
}

/** Simulator of the users of an own ruleset, in threads of this process or in workers of a queue. */
interface OwnSimulator {
  run(forecast: OwnForecast, order: ForecastRequest): Promise<ForecastCounts>;
  close(): Promise<void>;
}

function openOwnSimulator(
  { queue, workers }: Pick<ForecastArguments, 'queue' | 'workers'>,
  { ruleset, origin }: OwnLoadedRuleset,
  context: CommandContext,
): OwnSimulator {
  if (queue === null) {
    const pool = new ForecastPool(workers ?? threadsDefault());
    const file = { path: resolve(origin), cwd: context.cwd, fallback };
    return { run: (forecast, order) => ranOr(file, () => pool.run(forecast, order)), close: () => pool.close() };
  }
  const sent = createSentRuleset(ruleset);
  const place = createQueuePlace(queue, context);
  return {
    run: (forecast, order) => runOwnByQueue(forecast, sent, { ...order, ...place }),
    close: async () => undefined,
  };
}

/**
 * Forecasts every combination of the settings of `--sweep` with the same users and the same first random seed (OC34).
 * Throws `usage-invalid` for an unknown setting or a value of another type.
 */
async function sweep(
  description: OwnForecastDescription,
  { ruleset, origin }: OwnLoadedRuleset,
  args: ForecastArguments,
  { pool, cwd }: { readonly pool: OwnSimulator; readonly cwd: string },
): Promise<Pick<ForecastAnalyses, 'settings'>> {
  if (args.sweep.length === 0) return {};
  const { users, seed } = description;
  const variants: Omit<SettingsVariant, 'paretoOptimal'>[] = [];
  for (const { settings, description: changed } of sweptSettings(description, ruleset, args.sweep)) {
    const forecast = prepare(changed, ruleset, args.engine ?? 'table', resolve(origin), cwd);
    const { figures } = ownForecastReport(forecast, await pool.run(forecast, { users, seeds: [seed] }), users);
    variants.push({ settings, figures });
  }
  return { settings: markParetoOptimal(variants) };
}

function refuseBuiltInOptions({ sensitivity, user, fit }: ForecastArguments): void {
  const given = { sensitivity: sensitivity || null, user, fit };
  const problems = Object.entries(given)
    .filter(([, value]) => value !== null)
    .map(([name]) => ({ location: `--${name}`, message: 'is not supported for a ruleset file; leave it out' }));
  if (problems.length > 0) throw new NudgeLabError('usage-invalid', { problems });
}

function prepare(
  description: Parameters<typeof prepareOwnForecast>[0],
  ruleset: OwnRuleset,
  engine: 'table' | 'fold',
  path: string,
  cwd: string,
): OwnForecast {
  return compiledOr({ path, cwd, fallback }, () => prepareOwnForecast(description, ruleset, engine));
}
