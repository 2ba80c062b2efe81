import type { Step } from '../contract/scenario.schema.ts';
import type { SandboxPlan } from '../sandbox/sandbox.ts';

/** One scenario, loaded and checked: ready to run on any driver, any number of times. */
export interface Scenario {
  /** File as it was named and, with examples, the row from 1. */
  readonly id: string;
  readonly file: string;
  /** How many scenarios the file holds: the rows of its examples. */
  readonly rows: number;
  readonly name: string;
  readonly covers: readonly string[];
  readonly tags: readonly string[];
  readonly timeoutMs: number;
  /** Tenant, users, clock, seed and ruleset that it begins with. */
  readonly plan: SandboxPlan;
  readonly steps: readonly Step[];
}
