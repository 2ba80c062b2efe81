import type { FixtureLibrary } from '../../scenario/fixture-library.ts';
import type { Scenario } from '../../scenario/scenario.ts';
import { expectedScenario, toScenario } from '../journey.ts';
import { journeyTours } from '../tours/journey-tours.ts';
import { decisionSuite } from './decision-suite.ts';

/** What a generated suite is told of as it is walked: tests done, and tests in all. */
export type OnWalked = (done: number, total: number) => void;

/**
 * The suite that is made to show every fault of the model: journeys through all small worlds with their goal tests, and a sign-in
 * for each decision of the rules, with what the model leads to. Takes the fixtures, and who is told.
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
