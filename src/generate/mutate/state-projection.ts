import type { Mismatch } from '../../contract/result.schema.ts';
import type { Expectation, ExpectationKey } from '../../contract/scenario.schema.ts';
import type { Scenario } from '../../scenario/scenario.ts';

/** Expectations that only the control API can check: neither users nor callers of the policy API observe them. */
const unseen: ReadonlySet<ExpectationKey> = new Set<ExpectationKey>(['state', 'nextPromptAt']);

/**
 * Observation that detected a mutant: a page, verdict, count, status or API response, or a step that was impossible.
 */
export type DetectionChannel = Mismatch['key'];

/**
 * Returns the scenario with only the expectations that a user can observe: page, verdict, count, status and API
 * responses.
 */
export function asSeen(scenario: Scenario): Scenario {
  return {
    ...scenario,
    steps: scenario.steps.map((step) => ({ ...step, expect: toProjection(step.expect) })) as Scenario['steps'],
  };
}

function toProjection(expect: Expectation | null): Expectation | null {
  if (expect === null) return null;
  const kept = Object.entries(expect).filter(([key]) => !unseen.has(key as ExpectationKey));
  return kept.length === 0 ? null : (Object.fromEntries(kept) as Expectation);
}
