import type { EvaluatedRule, RulesetWords } from '../file-gate-sentences.ts';
import { factsText, fillSentence } from '../file-gate-sentences.ts';
import { generatedSummaries } from './generated-gates.ts';
import { type GeneratedGate, generatedGates, isDataGate, type OwnRules } from './own-ruleset.ts';

/**
 * Creates the words of an own campaign: each gate has the summary and the reasons of its ruleset, and the generated gates
 * say from when, or under what facts, the user is prompted again (OC47).
 *
 * @param rules - rules in force at the sign-in
 * @param toText - formats an instant
 */
export function createOwnWords(rules: OwnRules, toText: (atMs: number) => string): RulesetWords {
  const gates = new Map(rules.gates.flatMap((gate) => (typeof gate === 'object' ? [[gate.id, gate] as const] : [])));
  return {
    gates: {},
    reasons: {},
    sentence: (rule) => {
      const { id, outcome, saw } = rule;
      const generated = generatedGates.find((one) => one === id);
      if (generated !== undefined) return generatedSentence(generated, rule, toText);
      const gate = gates.get(id);
      if (gate === undefined) return null;
      if (outcome === 'not-applicable') {
        return isDataGate(gate)
          ? `The ruleset does not apply this rule here (${factsText(saw)}).`
          : `Does not apply (${factsText(saw)}).`;
      }
      if (outcome === 'met') return gate.summary;
      const reason = rule.reason ?? (isDataGate(gate) ? gate.stop : '');
      const sentence = rules.reasons[reason] ?? (isDataGate(gate) ? undefined : gate.reasons[reason]);
      return sentence === undefined ? null : fillSentence(sentence, saw);
    },
  };
}

function generatedSentence(
  id: GeneratedGate,
  { outcome, reason, saw }: EvaluatedRule,
  toText: (atMs: number) => string,
): string {
  if (outcome === 'met') return generatedSummaries[id];
  if (outcome === 'not-applicable') return 'The user must do this now, so earlier answers do not count.';
  const at = (name: string): string | null => (typeof saw[name] === 'number' ? toText(saw[name]) : null);
  switch (id) {
    case 'X.trigger':
      return `The campaign does not prompt at this sign-in (${factsText(saw)}).`;
    case 'X.rollout':
      return `The position ${String(saw['position'])} % is not below the rollout of ${String(saw['percent'])} %.`;
    case 'X.done':
      return `The user has already done what the prompt asks for (${factsText(saw)}).`;
    case 'X.window':
      return reason === 'closed'
        ? `The campaign closed at ${at('deadlineAt') ?? 'its deadline'}.`
        : `The campaign has not opened yet; its deadline is ${at('deadlineAt') ?? 'not set'}.`;
    case 'X.never':
      return reason === 'limit-reached'
        ? `The prompt was turned down ${String(saw['count'])} times, which is the limit.`
        : 'The user has turned the prompt down for good.';
    case 'X.session':
      return 'The user has turned the prompt down in this session; another session prompts again.';
    case 'X.cadence': {
      const until = at('until');
      const why = reason === 'already-shown' ? 'The prompt was already shown' : 'The prompt is snoozed';
      return until === null ? `${why}.` : `${why}; the user is prompted again from ${until}.`;
    }
  }
}
