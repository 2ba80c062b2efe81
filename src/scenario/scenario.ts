import type { Step } from '../contract/scenario.schema.ts';
import type { SandboxPlan } from '../sandbox/sandbox.ts';
import type { OwnScenarioPlan } from './own/own-scenario.ts';

/** Loaded and validated scenario that can run on any driver any number of times. */
export interface Scenario {
  /** File name as given and, with examples, the number of the row, starting at 1. */
  readonly id: string;
  readonly file: string;
  /** Number of scenarios in the file, which is the number of rows in its examples. */
  readonly rows: number;
  readonly name: string;
  readonly covers: readonly string[];
  readonly tags: readonly string[];
  readonly timeoutMs: number;
  /** Initial tenant, users, clock, random seed and ruleset. */
  readonly plan: SandboxPlan;
  readonly steps: readonly Step[];
  /** Part of a scenario with a ruleset file of the base `own`, which has its own steps; `steps` is then empty. */
  readonly own?: OwnScenarioPlan;
}
