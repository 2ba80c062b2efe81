import type { AnalysisResult, ForecastRequest } from '../../contract/analysis.schema.ts';
import { compileDescription, forecastReport } from '../../forecast/forecast.ts';
import { ForecastPool, threadsDefault } from '../../forecast/forecast-pool.ts';
import { movableInputs } from '../../forecast/sensitivity.ts';
import type { LoadedRuleset } from '../../journal/ruleset-registry.ts';
import { analysisForecast } from '../forecast/forecast-analyses.ts';

/**
 * Forecasts a described tenant and runs the requested analyses. `rulesets` are those of files that it can name. Throws `forecast-invalid` and `forecast-too-large`.
 */
export async function forecastAnalysis(
  order: ForecastRequest,
  rulesets: ReadonlyMap<string, LoadedRuleset>,
  onProgress: (share: number) => void,
): Promise<AnalysisResult> {
  const { description, seeds: seedCount, sensitivity } = order;
  const sweep = written(order.sweep);
  const loaded = rulesets.get(description.ruleset);
  const fromFile = loaded?.base === 'registration-campaign' ? loaded.ruleset : null;
  const compiled = compileDescription(description, fromFile);
  const seeds = Array.from({ length: seedCount }, (_, place) => (description.seed + place) % 2 ** 32);
  const analyses = (sweep.length === 0 ? 0 : countPolicies(order.sweep)) + (sensitivity ? 2 * movableInputs.length : 0);
  const runs = seedCount + analyses;
  // One core is left free for requests to the server.
  const pool = new ForecastPool(Math.max(1, threadsDefault() - 1));
  try {
    const counts = await pool.run(compiled, {
      users: description.users,
      seeds,
      onProgress: (share) => onProgress((share * seedCount) / runs),
    });
    const report = forecastReport(compiled, counts, description.users);
    const studied = await analysisForecast(report, description, pool, {
      fromFile,
      sweep,
      sensitivity,
      onProgress: (share) => onProgress((seedCount + share * analyses) / runs),
    });
    return { kind: 'forecast', report: { ...report, ...studied } };
  } finally {
    await pool.close();
  }
}

/** Formats a sweep as `nudgelab forecast --sweep` accepts it. */
function written(sweep: ForecastRequest['sweep']): readonly string[] {
  return Object.entries(sweep ?? {}).flatMap(([axis, values]) => values.map((value) => `${axis}=${value}`));
}

function countPolicies(sweep: ForecastRequest['sweep']): number {
  return Object.values(sweep ?? {}).reduce((policies, { length }) => policies * Math.max(1, length), 1);
}
