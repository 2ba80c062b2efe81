import type { RuleId, RulesetExtension } from './vocabulary.ts';

/** Result of one rule, as found in a verdict of the engine or in a response. */
export interface EvaluatedRule {
  readonly id: RuleId;
  readonly outcome: 'met' | 'stopped' | 'not-applicable';
  /** Reason code of a stop. */
  readonly reason?: string;
  readonly saw: Readonly<Record<string, unknown>>;
}

/** Words of a ruleset file for its own gates. */
export interface RulesetWords extends Pick<RulesetExtension, 'gates' | 'reasons'> {
  /** Returns the sentence of a rule, or `null` for a rule that the ruleset does not state. */
  readonly sentence?: (rule: EvaluatedRule) => string | null;
}

/** Formats the result of a gate that a ruleset file states. */
export function fileSentence({ id, outcome, saw }: EvaluatedRule, words: RulesetWords | undefined): string {
  const gate = words?.gates[id];
  if (outcome === 'not-applicable') return 'Does not apply to the targeted method.';
  if (gate === undefined) return `${id} ${outcome === 'met' ? 'passed' : 'stopped the prompt'} (${factsText(saw)}).`;
  if (outcome === 'met') return gate.summary;
  return fillSentence(words?.reasons[gate.stop] ?? gate.stop, saw);
}

/** Inserts the evaluated facts into the sentence of a reason. */
export function fillSentence(sentence: string, saw: EvaluatedRule['saw']): string {
  return sentence.replace(/\{saw\.([^{}]*)\}/g, (_, name: string) => valueText(saw[name]));
}

/** Formats facts as a list of names and values. */
export function factsText(facts: unknown): string {
  return Object.entries(facts as EvaluatedRule['saw'])
    .map(([name, value]) => `${name}: ${valueText(value)}`)
    .join(', ');
}

function valueText(value: unknown): string {
  if (Array.isArray(value)) return value.length === 0 ? 'none' : value.map(String).join(', ');
  return value === null || value === undefined ? 'unknown' : String(value);
}
