import type { Counterfactual } from '../contract/verdict.schema.ts';

/** Describes when, and under which other facts, a sign-in without a prompt would have one (OC47), one sentence per line. */
export function counterfactualLines({ promptedFrom, promptedIf, complete }: Counterfactual): readonly string[] {
  const lines = [
    ...(promptedFrom === null ? [] : [`Prompted from ${promptedFrom} on, if only the time changes.`]),
    ...promptedIf.map(describeFacts),
  ];
  if (lines.length === 0 && complete) return ['Neither a later time nor other facts lead to a prompt.'];
  const rest = 'Other times or facts can lead to a prompt: not all of them were compared.';
  return [...lines, ...(complete ? [] : [rest])];
}

function describeFacts(facts: Counterfactual['promptedIf'][number]): string {
  return `Prompted if ${facts.map(({ fact, value }) => `${fact} is ${valueText(value)}`).join(' and ')}.`;
}

function valueText(value: Counterfactual['promptedIf'][number][number]['value']): string {
  if (value === null) return 'unknown';
  if (typeof value !== 'object') return String(value);
  return value.length === 0 ? 'empty' : value.join(', ');
}
