import type { ScenarioGiven } from '../contract/scenario.schema.ts';
import { planFrom } from '../scenario/build-scenario.ts';
import { FixtureLibrary } from '../scenario/fixture-library.ts';
import { shippedFixturesFolder } from '../scenario/shipped.ts';
import type { PlannedTestSandbox } from './test-sandbox.ts';

/** Initial state of a test: tenant and users as in a scenario file, and the time of the clock. */
export interface SandboxSetup extends Partial<ScenarioGiven> {
  readonly ruleset?: string;
  /** Instant in ISO 8601. The default is 2026-01-05T09:00:00.000Z. */
  readonly clock?: string;
  readonly seed?: number;
  /** Fixture folders in addition to the built-in ones. Later folders take precedence. */
  readonly fixtures?: readonly string[];
}

/** Plans the sandbox of a test. The default tenant prompts no user. Throws `scenario-invalid`. */
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
