import type { Facts, GateId, ReasonCode, TargetedMethod } from '../../../machines/vocabulary.ts';
import { type Change, enabledFacts, managedFacts } from '../facts-builder.ts';

/** One row of a decision table: what is given, and what one gate says of it. */
export interface GateRow {
  readonly gate: GateId;
  /** What the row claims, as the end of a sentence. */
  readonly claim: string;
  readonly campaign: TargetedMethod;
  /** Who configures the campaign; the tenant itself where nothing is said. */
  readonly managed?: true;
  /** The ruleset; `seed` where nothing is said. */
  readonly ruleset?: '2026-09';
  readonly given: Change;
  /** The outcome, or the reason code with which the gate stops. */
  readonly expected: 'met' | 'not-applicable' | ReasonCode;
}

/** The facts of a row. */
export function createFacts({ campaign, managed, given }: GateRow): Facts {
  return managed === true ? managedFacts(campaign, given) : enabledFacts(campaign, given);
}
