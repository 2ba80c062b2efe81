import type { FixtureLibrary } from '../../scenario/fixture-library.ts';
import type { Scenario } from '../../scenario/scenario.ts';
import { expectedScenario, toScenario } from '../journey.ts';
import { journeyTours } from '../tours/journey-tours.ts';
import { decisionSuite } from './decision-suite.ts';

/** Called after each test with the number of finished tests and the total. */
export type OnWalked = (done: number, total: number) => void;

/**
 * Generates the suite that detects every fault of the model: journeys through all small test models with their targeted
 * tests, and a sign-in for each decision of the rules, with expectations from the model.
 * @param onWalked - callback for progress
 */
export async function generatedScenarios(fixtures: FixtureLibrary, onWalked?: OnWalked): Promise<readonly Scenario[]> {
  const journeys = [...decisionSuite().journeys, ...(await journeyTours()).journeys];
  const scenarios: Scenario[] = [];
  for (const journey of journeys) {
    scenarios.push(toScenario(await expectedScenario(journey, fixtures), fixtures));
    onWalked?.(scenarios.length, journeys.length);
  }
  return scenarios;
}
