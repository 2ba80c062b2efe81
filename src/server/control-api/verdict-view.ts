import {
  type EvaluatedRule,
  type RulesetWords,
  ruleSentence,
  type SnoozesLeft,
  verdictHeadline,
} from '../../../machines/verdict-sentences.ts';
import type { Verdict } from '../../../machines/vocabulary.ts';

/** Verdict in sentences: its result in one line, and that of each rule by its id. */
export interface VerdictTexts {
  readonly headline: string;
  readonly sentences: Readonly<Record<string, string>>;
}

/**
 * Formats a verdict in the words of its ruleset.
 *
 * @param verdict - verdict of a sign-in
 * @param words - words of the ruleset that evaluated it, if it has gates of its own
 * @param snoozes - snoozes left, if they are known; `null` if they are unlimited
 */
export function describeVerdict(
  verdict: { readonly outcome: Verdict['outcome']; readonly rules: readonly EvaluatedRule[] },
  words: RulesetWords | undefined,
  snoozes?: SnoozesLeft | null,
): VerdictTexts {
  return {
    headline: verdictHeadline(verdict, snoozes, words),
    sentences: Object.fromEntries(verdict.rules.map((rule) => [rule.id, ruleSentence(rule, words)])),
  };
}
