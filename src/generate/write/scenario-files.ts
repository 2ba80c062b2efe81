import type { ScenarioData } from '../journey.ts';
import { type Artefact, type Heading, uniqueSlugs } from './artefact.ts';
import { scenarioYaml } from './scenario-yaml.ts';
import { withTables } from './shared-examples.ts';

/**
 * Generates scenario files: one per scenario, and one with example rows for all scenarios that share their steps. Short
 * scenarios share a file per claim.
 */
export function scenarioArtifacts(scenarios: readonly ScenarioData[], { comment }: Heading): readonly Artefact[] {
  const files = withTables(scenarios);
  const names = uniqueSlugs(files.map(({ name }) => name));
  return files.map((scenario, index) => ({ path: `${names[index]}.yaml`, text: scenarioYaml(scenario, comment) }));
}
