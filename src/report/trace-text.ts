import { ruleOutcomeLabels, ruleSentence } from '../../machines/verdict-sentences.ts';
import type { RuleResult } from '../../machines/vocabulary.ts';
import type { Palette } from './palette.ts';

/** Characters of one value that are shown. */
const valueCharactersMax = 400;

/** A value on one line, shortened. */
export function valueText(value: unknown): string {
  const text = JSON.stringify(value) ?? 'nothing';
  return text.length <= valueCharactersMax ? text : `${text.slice(0, valueCharactersMax)}…`;
}

/** The rules of a verdict in few lines: each that stopped with its sentence, then those that passed, by id. */
export function compactTrace(rules: readonly RuleResult[], palette: Palette): readonly string[] {
  const stopped = rules.flatMap((rule) =>
    rule.outcome === 'stopped' ? [`${palette.bad('Stopped')} ${rule.id} ${rule.reason}  ${ruleSentence(rule)}`] : [],
  );
  const met = idsOf(rules, 'met');
  return [...stopped, ...(met === '' ? [] : [`${palette.good('Passed')}  ${met}`])];
}

/** Every rule of a verdict on a line of its own, in order, with its sentence. */
export function fullTrace(rules: readonly RuleResult[], palette: Palette): readonly string[] {
  return rules.map((rule) => {
    const { faint } = palette;
    const outcome = ruleOutcomeLabels[rule.outcome].padEnd(outcomeWidth);
    const line = `${rule.id.padEnd(idWidth)} ${colored(rule, outcome, palette)} ${ruleSentence(rule)}`;
    return rule.outcome === 'not-applicable' ? faint(line) : line;
  });
}

const idWidth = 5;
const outcomeWidth = ruleOutcomeLabels['not-applicable'].length;

function colored(rule: RuleResult, text: string, palette: Palette): string {
  if (rule.outcome === 'met') return palette.good(text);
  return rule.outcome === 'stopped' ? palette.bad(text) : text;
}

function idsOf(rules: readonly RuleResult[], outcome: RuleResult['outcome']): string {
  return rules
    .filter((rule) => rule.outcome === outcome)
    .map(({ id }) => id)
    .join(' ');
}
