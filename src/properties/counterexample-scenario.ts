import { expectedScenario, type ScenarioData } from '../generate/journey.ts';
import type { Counterexample, PropertyResult } from './check/check-properties.ts';
import type { ExploredModel, ProductModel, ScenarioPlace } from './models/property-model.ts';

/** Number of times that the scenario of a lasso runs its cycle. */
const cycleRounds = 2;

/**
 * Converts the counterexample of a result to a scenario with the behavior of the model as its expectations. A cycle is
 * run twice, because a scenario ends.
 *
 * @param result - result of a check
 * @param model - its model
 * @returns the scenario; `null` without a counterexample, and for models whose steps no driver can run
 */
export async function createCounterexampleScenario(
  { id, title, counterexample }: PropertyResult,
  { toJourney }: ProductModel,
): Promise<ScenarioData | null> {
  if (counterexample === null || toJourney === null) return null;
  return expectedScenario(toJourney(`Counterexample: ${title} (${id})`, listTaken(counterexample)));
}

/**
 * Formats the counterexample of a result on an explored model as a scenario file. A cycle is run twice.
 *
 * @param result - result of a check
 * @param model - its model
 * @param place - how the file names the ruleset, and its comment
 * @returns the text; `null` without a counterexample, and if only time passes on it
 */
export function formatExploredScenario(
  { id, title, counterexample }: PropertyResult,
  { formatScenario }: ExploredModel,
  place: ScenarioPlace,
): string | null {
  if (counterexample === null) return null;
  return formatScenario(`Counterexample: ${title} (${id})`, listTaken(counterexample), place);
}

/** Lists the actions of a counterexample, with its cycle as often as scenarios run it. */
function listTaken({ steps, cycleFrom }: Counterexample): readonly string[] {
  const cycle = cycleFrom === null ? [] : steps.slice(cycleFrom);
  const whole = [...steps, ...Array.from({ length: cycleRounds - 1 }, () => cycle).flat()];
  return whole.filter(({ taken }) => taken).map(({ action }) => action);
}
