import type { ScenarioData } from '../journey.ts';
import { type Artefact, type Heading, uniqueSlugs } from './artefact.ts';
import { scenarioYaml } from './scenario-yaml.ts';
import { withTables } from './shared-examples.ts';

/**
 * Scenario files: one for each scenario, and one with rows of examples for all that share their steps,
 * which for short ones is one for each claim. Takes the scenarios, and
 * what they are called together.
 */
export function scenarioArtifacts(scenarios: readonly ScenarioData[], { comment }: Heading): readonly Artefact[] {
  const files = withTables(scenarios);
  const names = uniqueSlugs(files.map(({ name }) => name));
  return files.map((scenario, index) => ({ path: `${names[index]}.yaml`, text: scenarioYaml(scenario, comment) }));
}
