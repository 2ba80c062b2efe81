import type { AnalysisResult, OwnForecastRequest } from '../../contract/analysis.schema.ts';
import { NudgeLabError } from '../../core/errors.ts';
import { ForecastPool, threadsDefault } from '../../forecast/forecast-pool.ts';
import { NotCompiled } from '../../forecast/own/not-compiled.ts';
import { type OwnForecast, ownForecastReport, prepareOwnForecast } from '../../forecast/own/own-forecast.ts';
import type { LoadedRuleset } from '../../journal/ruleset-registry.ts';

/**
 * Forecasts an own campaign by tables.
 *
 * @throws NudgeLabError `forecast-invalid`, `forecast-too-large`, and `ruleset-not-compiled` with the key that prevents
 *   tables
 */
export async function ownForecastAnalysis(
  { description, seeds: seedCount }: OwnForecastRequest,
  rulesets: ReadonlyMap<string, LoadedRuleset>,
  onProgress: (share: number) => void,
): Promise<AnalysisResult> {
  const loaded = rulesets.get(description.ruleset);
  if (loaded?.base !== 'own') {
    const message = `${JSON.stringify(description.ruleset)} is no ruleset of this server with the base own`;
    throw new NudgeLabError('forecast-invalid', { problems: [{ location: 'description.ruleset', message }] });
  }
  const forecast = prepare(description, loaded);
  const { users, seed } = description;
  const seeds = Array.from({ length: seedCount }, (_, place) => (seed + place) % 2 ** 32);
  // One core is left free for requests to the server.
  const pool = new ForecastPool(Math.max(1, threadsDefault() - 1));
  try {
    const report = ownForecastReport(forecast, await pool.run(forecast, { users, seeds, onProgress }), users);
    return { kind: 'forecast', report: { ...report, sweep: null, sensitivity: null } };
  } catch (error) {
    throw describeCause(error);
  } finally {
    await pool.close();
  }
}

function prepare(
  description: OwnForecastRequest['description'],
  { ruleset }: Extract<LoadedRuleset, { readonly base: 'own' }>,
): OwnForecast {
  try {
    return prepareOwnForecast(description, ruleset, 'table');
  } catch (error) {
    throw describeCause(error);
  }
}

function describeCause(error: unknown): unknown {
  if (!(error instanceof NotCompiled)) return error;
  return error.toError((keys) => keys.join('.'), 'nudgelab forecast --engine fold has the same numbers, and is slower');
}
