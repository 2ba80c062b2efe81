import { FixtureLibrary } from '../../../src/scenario/fixture-library.ts';
import { loadText } from '../../../src/scenario/load.ts';
import type { Scenario } from '../../../src/scenario/scenario.ts';

const fixtures = new FixtureLibrary(['fixtures']);

/**
 * Creates a scenario with the given steps on a tenant fixture, with the user ada. Throws if the scenario is not
 * valid.
 */
export function createScenario(tenant: string, steps: string): Scenario {
  const text = `name: A claim\ngiven: { tenant: ${tenant}, users: { ada: sms-user } }\nsteps:\n${steps}`;
  const { scenarios, problems } = loadText('suite/one.yaml', text, fixtures);
  const [scenario] = scenarios;
  if (scenario === undefined) throw new Error(JSON.stringify(problems));
  return scenario;
}
