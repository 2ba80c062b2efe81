import type { Ruleset } from '../../../machines/vocabulary.ts';
import type { ForecastDescription } from '../../contract/forecast.schema.ts';
import type {
  ForecastAnalyses,
  ForecastFigures,
  ForecastReport,
  MovedInput,
  PolicyVariant,
} from '../../contract/forecast-report.ts';
import { compileDescription, forecastReport } from '../../forecast/forecast.ts';
import { markParetoOptimal, sweptDescriptions } from '../../forecast/policy-sweep.ts';
import { movableInputs, sensitivityFactors } from '../../forecast/sensitivity.ts';
import type { ForecastArguments } from './forecast-options.ts';
import type { Simulator } from './simulator.ts';

type AnalysisOptions = Pick<ForecastArguments, 'sweep' | 'sensitivity'> & {
  /** Ruleset of a file; `null` for a built-in one. */
  readonly fromFile: Ruleset | null;
  readonly onProgress: ((share: number) => void) | undefined;
};

/**
 * Runs the requested analyses. Each one forecasts a changed description with the same users and the same first
 * random seed, so differences come only from the change. Throws `usage-invalid` if a sweep cannot be parsed.
 */
export async function analysisForecast(
  report: ForecastReport,
  description: ForecastDescription,
  simulator: Simulator,
  { fromFile, sweep, sensitivity, onProgress }: AnalysisOptions,
): Promise<ForecastAnalyses> {
  const swept = sweep.length > 0 ? sweptDescriptions(description, sweep) : [];
  const runs = swept.length + (sensitivity ? 2 * movableInputs.length : 0);
  let done = 0;
  const computeFigures = async (changed: ForecastDescription): Promise<ForecastFigures> => {
    const compiled = compileDescription(changed, fromFile);
    const seeds = report.seeds.slice(0, 1);
    const counts = await simulator.run(compiled, { users: changed.users, seeds });
    done += 1;
    onProgress?.(done / runs);
    return forecastReport(compiled, counts, changed.users).figures;
  };
  const variants: Omit<PolicyVariant, 'paretoOptimal'>[] = [];
  for (const { policy, description: changed } of swept)
    variants.push({ ...policy, figures: await computeFigures(changed) });
  const inputs: MovedInput[] = [];
  for (const { name, moved } of sensitivity ? movableInputs : []) {
    const low = await computeFigures(moved(description, sensitivityFactors.low));
    const high = await computeFigures(moved(description, sensitivityFactors.high));
    inputs.push({ name, low, high });
  }
  const computeSpan = ({ low, high }: MovedInput): number => Math.abs(high.registeredShare - low.registeredShare);
  return {
    sweep: swept.length > 0 ? markParetoOptimal(variants) : null,
    sensitivity: sensitivity
      ? { factors: sensitivityFactors, inputs: inputs.toSorted((a, b) => computeSpan(b) - computeSpan(a)) }
      : null,
  };
}
