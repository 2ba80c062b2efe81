import type { RuleResult } from '../../../machines/vocabulary.ts';
import type { ComparedRule } from '../../contract/compared-attempt.ts';
import type { JudgedVerdict } from './variant-evaluator.ts';

/**
 * Lists the gates of two verdicts on the same attempt, in the order of the second one. A gate that one ruleset lacks is
 * absent on that side.
 */
export function comparedRules(before: JudgedVerdict, after: JudgedVerdict): readonly ComparedRule[] {
  const only = before.rules.filter(({ id }) => !after.rules.some((rule) => rule.id === id));
  return [...after.rules, ...only].map(({ id }) => {
    const [from, to] = [before, after].map(({ rules }) => rules.find((rule) => rule.id === id));
    return {
      id,
      before: formatOutcome(from),
      after: formatOutcome(to),
      baselineFacts: from?.saw ?? null,
      variantFacts: to?.saw ?? null,
    };
  });
}

function formatOutcome(rule: RuleResult | undefined): string {
  if (rule === undefined) return 'absent';
  return rule.outcome === 'stopped' ? `stopped: ${rule.reason}` : rule.outcome;
}
