import type { Facts, GateId, ReasonCode, TargetedMethod } from '../../../machines/vocabulary.ts';
import { type Change, enabledFacts, managedFacts } from '../facts-builder.ts';

/** Row of a decision table: the given facts, and the expected result of one gate. */
export interface GateRow {
  readonly gate: GateId;
  /** Claim of the row, as the end of a sentence. */
  readonly claim: string;
  readonly campaign: TargetedMethod;
  /** True if the provider manages the campaign. By default the tenant configures it. */
  readonly managed?: true;
  /** Ruleset of the row. The default is `seed`. */
  readonly ruleset?: '2026-09';
  readonly given: Change;
  /** Expected outcome, or the reason code with which the gate stops. */
  readonly expected: 'met' | 'not-applicable' | ReasonCode;
}

/** Creates the facts of a row. */
export function createFacts({ campaign, managed, given }: GateRow): Facts {
  return managed === true ? managedFacts(campaign, given) : enabledFacts(campaign, given);
}
