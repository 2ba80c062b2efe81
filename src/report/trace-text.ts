import { type RulesetWords, ruleOutcomeLabels, ruleSentence } from '../../machines/verdict-sentences.ts';
import type { RuleResult } from '../../machines/vocabulary.ts';
import type { Palette } from './palette.ts';

/** Maximum number of characters shown of one value. */
const valueCharactersMax = 400;

/** Formats a value in one line and shortens it if necessary. */
export function valueText(value: unknown): string {
  const text = JSON.stringify(value) ?? 'nothing';
  return text.length <= valueCharactersMax ? text : `${text.slice(0, valueCharactersMax)}…`;
}

/**
 * Formats the rules of a verdict in a few lines: each rule that stopped with its sentence, then the ids of the
 * passed rules.
 */
export function compactTrace(rules: readonly RuleResult[], palette: Palette): readonly string[] {
  const stopped = rules.flatMap((rule) =>
    rule.outcome === 'stopped' ? [`${palette.bad('Stopped')} ${rule.id} ${rule.reason}  ${ruleSentence(rule)}`] : [],
  );
  const met = formatIds(rules, 'met');
  return [...stopped, ...(met === '' ? [] : [`${palette.good('Passed')}  ${met}`])];
}

/** Formats every rule of a verdict with its sentence, one per line in evaluation order. */
export function fullTrace(rules: readonly RuleResult[], palette: Palette, words?: RulesetWords): readonly string[] {
  const idWidth = Math.max(idWidthMin, ...rules.map(({ id }) => id.length));
  return rules.map((rule) => {
    const { faint } = palette;
    const outcome = ruleOutcomeLabels[rule.outcome].padEnd(outcomeWidth);
    const line = `${rule.id.padEnd(idWidth)} ${colored(rule, outcome, palette)} ${ruleSentence(rule, words)}`;
    return rule.outcome === 'not-applicable' ? faint(line) : line;
  });
}

/** Creates the words of a ruleset from the sentences of a server, which knows the ruleset of the verdict. */
export function createWords(sentences: Readonly<Record<string, string | undefined>>): RulesetWords {
  return { gates: {}, reasons: {}, sentence: ({ id }) => sentences[id] ?? null };
}

const idWidthMin = 5;
const outcomeWidth = ruleOutcomeLabels['not-applicable'].length;

function colored(rule: RuleResult, text: string, palette: Palette): string {
  if (rule.outcome === 'met') return palette.good(text);
  return rule.outcome === 'stopped' ? palette.bad(text) : text;
}

function formatIds(rules: readonly RuleResult[], outcome: RuleResult['outcome']): string {
  return rules
    .filter((rule) => rule.outcome === outcome)
    .map(({ id }) => id)
    .join(' ');
}
