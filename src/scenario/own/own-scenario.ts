import type { z } from 'zod';
import type { OwnTenant } from '../../../machines/own/own-facts.ts';
import type { OwnRuleset } from '../../../machines/own/own-ruleset.ts';
import type { OwnUserGiven } from '../../../machines/own/own-state.ts';
import type { OwnExpectation, OwnStepKind, ownStepSchemas } from '../../contract/own-scenario.schema.ts';

/** Step of a scenario with a ruleset file. */
export type OwnStepOf<K extends OwnStepKind> = {
  readonly kind: K;
  readonly say: NonNullable<z.output<(typeof ownStepSchemas)[K]>>;
  readonly expect: OwnExpectation | null;
  readonly line: number;
};
export type OwnStep = { [K in OwnStepKind]: OwnStepOf<K> }[OwnStepKind];

/** Part of a scenario that a ruleset with the base `own` evaluates. */
export interface OwnScenarioPlan {
  readonly ruleset: OwnRuleset;
  readonly nowMs: number;
  readonly tenant: OwnTenant;
  readonly users: readonly OwnUserGiven[];
  readonly steps: readonly OwnStep[];
}
