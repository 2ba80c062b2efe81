import type { RuleTrace, Saw } from '../../machines/vocabulary.ts';
import type { Palette } from './palette.ts';

/** Characters of one value that are shown. */
const valueCharactersMax = 400;

/** A value on one line, shortened. */
export function valueText(value: unknown): string {
  const text = JSON.stringify(value) ?? 'nothing';
  return text.length <= valueCharactersMax ? text : `${text.slice(0, valueCharactersMax)}…`;
}

/** The gates of a verdict in few lines: each that stopped with what it saw, then those that were met, by id. */
export function compactTrace(rules: readonly RuleTrace[], palette: Palette): readonly string[] {
  const stopped = rules.flatMap((rule) =>
    rule.outcome === 'stopped' ? [`${palette.bad('stopped')} ${rule.id} ${rule.reason}  ${sawText(rule.saw)}`] : [],
  );
  const met = idsOf(rules, 'met');
  return [...stopped, ...(met === '' ? [] : [`${palette.good('met')}     ${met}`])];
}

/** Every gate of a verdict on a line of its own, in order, with what it saw. */
export function fullTrace(
  rules: readonly RuleTrace[],
  summaryOf: (id: string) => string,
  palette: Palette,
): readonly string[] {
  return rules.map((rule) => {
    const { faint } = palette;
    const outcome = rule.outcome.padEnd(outcomeWidth);
    const line = `${rule.id.padEnd(idWidth)} ${coloured(rule, outcome, palette)} ${summaryOf(rule.id)}`;
    return rule.outcome === 'not-applicable' ? faint(line) : `${line}  ${faint(sawText(rule.saw))}`;
  });
}

const idWidth = 5;
const outcomeWidth = 'not-applicable'.length;

function coloured(rule: RuleTrace, text: string, palette: Palette): string {
  if (rule.outcome === 'met') return palette.good(text);
  return rule.outcome === 'stopped' ? palette.bad(text) : text;
}

/** What a gate looked at, as `name value` pairs. */
function sawText(saw: Saw): string {
  return Object.entries(saw)
    .map(([key, value]) => `${key} ${valueText(value)}`)
    .join(', ');
}

function idsOf(rules: readonly RuleTrace[], outcome: RuleTrace['outcome']): string {
  return rules
    .filter((rule) => rule.outcome === outcome)
    .map(({ id }) => id)
    .join(' ');
}
