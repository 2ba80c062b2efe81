import type { ScenarioGiven } from '../contract/scenario.schema.ts';
import { planFrom } from '../scenario/build-scenario.ts';
import { FixtureLibrary } from '../scenario/fixture-library.ts';
import { shippedFixturesFolder } from '../scenario/shipped.ts';
import type { PlannedTestSandbox } from './test-sandbox.ts';

/** What a test begins with: tenant and users as in a scenario file, and where the clock stands. */
export interface SandboxSetup extends Partial<ScenarioGiven> {
  readonly ruleset?: string;
  /** An instant in ISO 8601; 2026-01-05T09:00:00.000Z where it is left out. */
  readonly clock?: string;
  readonly seed?: number;
  /** Folders of fixtures besides those that ship, the most important one last. */
  readonly fixtures?: readonly string[];
}

/** What a test's sandbox is planned by. Without a tenant it has one that asks no one. Throws `scenario-invalid`. */
export function planTestSandbox({
  ruleset,
  clock,
  seed,
  fixtures = [],
  tenant = {},
  ...given
}: SandboxSetup): PlannedTestSandbox {
  const library = new FixtureLibrary([shippedFixturesFolder, ...fixtures]);
  const rest = Object.fromEntries(Object.entries({ ruleset, clock, seed }).filter(([, value]) => value !== undefined));
  return { plan: planFrom({ given: { tenant, ...given }, ...rest }, library), fixtures: library };
}
