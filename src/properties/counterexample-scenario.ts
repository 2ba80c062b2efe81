import { expectedScenario, type ScenarioData } from '../generate/journey.ts';
import type { PropertyResult } from './check/check-properties.ts';
import type { PropertyModel } from './models/property-model.ts';

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
  { toJourney }: PropertyModel,
): Promise<ScenarioData | null> {
  if (counterexample === null || toJourney === null) return null;
  const { steps, cycleFrom } = counterexample;
  const cycle = cycleFrom === null ? [] : steps.slice(cycleFrom);
  const whole = [...steps, ...Array.from({ length: cycleRounds - 1 }, () => cycle).flat()];
  const actions = whole.filter(({ taken }) => taken).map(({ action }) => action);
  return expectedScenario(toJourney(`Counterexample: ${title} (${id})`, actions));
}
