import type { Mismatch } from '../../contract/result.ts';
import type { Expectation, ExpectationKey } from '../../contract/scenario.schema.ts';
import type { Scenario } from '../../scenario/scenario.ts';

/** What is only told by the control API: neither a user nor a caller of the policy API sees it. */
const unseen: ReadonlySet<ExpectationKey> = new Set<ExpectationKey>(['state', 'nextPromptAt']);

/** How a mutant was seen: pages, verdicts, counts and statuses, what an API answered, or a step that could not be done. */
export type DetectionChannel = Mismatch['key'];

/** A scenario that expects only what a user can see: page, verdict, count, status, and what APIs answer. */
export function asSeen(scenario: Scenario): Scenario {
  return {
    ...scenario,
    steps: scenario.steps.map((step) => ({ ...step, expect: seenOf(step.expect) })) as Scenario['steps'],
  };
}

function seenOf(expect: Expectation | null): Expectation | null {
  if (expect === null) return null;
  const kept = Object.entries(expect).filter(([key]) => !unseen.has(key as ExpectationKey));
  return kept.length === 0 ? null : (Object.fromEntries(kept) as Expectation);
}
