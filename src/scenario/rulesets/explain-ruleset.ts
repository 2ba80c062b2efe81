import { generatedReasons, generatedSummaries, hasGate } from '../../../machines/own/generated-gates.ts';
import type { DurationOperand, Operand, OwnRules, OwnRuleset } from '../../../machines/own/own-ruleset.ts';
import { toInstant } from '../../core/clock.ts';

const unitsMs = [
  ['day', 86_400_000],
  ['hour', 3_600_000],
  ['minute', 60_000],
  ['second', 1_000],
  ['millisecond', 1],
] as const;

/** Describes a ruleset in sentences, one per line: what it asks for, its gates in order, and when it prompts again. */
export function explainRuleset(ruleset: OwnRuleset): readonly string[] {
  const { id, version, title, description, source, first, editions } = ruleset;
  return [
    `${title} (${id} ${version})`,
    ...(description === null ? [] : [description]),
    ...describeRules(first),
    ...editions.flatMap(({ fromMs, rules }) => [
      '',
      `From ${toInstant(fromMs)} (edition ${rules.edition}):`,
      ...describeRules(rules),
    ]),
    ...(source.length === 0 ? [] : ['', `Sources: ${source.join('; ')}.`]),
  ];
}

function describeRules(rules: OwnRules): readonly string[] {
  const { methods, ask, answers } = rules;
  const buttons = Object.entries(answers).filter(([id]) => !['close', 'expire', 'next'].includes(id));
  return [
    `The prompt asks for: ${methods[ask]?.label ?? ask}.`,
    'Gates in order; the first that stops is the reason:',
    ...describeGates(rules),
    'Answers:',
    ...buttons.map(
      ([, { label, effects, for: own }]) =>
        `  "${label}" ${describeEffects(effects)}${own === null ? '' : ` for ${describeDuration(own)}`}.`,
    ),
    `  Closing the page ${describeEffects(answers['close']?.effects ?? [])}; letting it expire after ${formatMs(rules.lifetimeMs)} ${describeEffects(answers['expire']?.effects ?? [])}.`,
    `Answers are stored for: ${rules.ledger.keys.map((parts) => parts.join(' and ')).join('; ')}.`,
    describeCadence(rules),
    ...describeDuties(rules),
  ];
}

function describeGates(rules: OwnRules): readonly string[] {
  return rules.gates.flatMap((gate) => {
    if (typeof gate === 'object')
      return [`  ${gate.id}: ${gate.summary} Otherwise: ${rules.reasons[gate.stop] ?? gate.stop}`];
    if (!hasGate(gate, rules)) return [];
    return [`  ${gate}: ${generatedSummaries[gate]} Otherwise: ${generatedReasons[gate].join(' or ')}.`];
  });
}

const effectTexts: Readonly<Record<string, string>> = {
  snooze: 'starts a snooze',
  never: 'suppresses the prompt for good',
  session: 'suppresses the prompt for the session',
  nothing: 'stores nothing',
};

function describeEffects(effects: readonly string[]): string {
  return effects.map((effect) => effectTexts[effect] ?? effect).join(' and ');
}

function describeCadence({ cadence }: OwnRules): string {
  const spans = cadence.durations.map(describeDuration).join(', then ');
  const events = { answer: 'the answer', firstShown: 'the first showing', lastShown: 'the latest showing' };
  const from = events[cadence.anchor];
  switch (cadence.kind) {
    case 'everySignIn':
      return 'The user is prompted at every sign-in.';
    case 'fixed':
    case 'growing':
      return `The user is prompted again ${spans} after ${from}${cadence.boundary === 'inclusive' ? ', at exactly that time too' : ', not at exactly that time'}.`;
    case 'signIns':
      return `The user is prompted again at every ${cadence.signIns === null ? '' : `${describeOperand(cadence.signIns)}. `}sign-in after ${from}.`;
    case 'daily':
      return `The user is prompted at most once a day (${cadence.zone}), counted from ${from}.`;
    case 'once':
      return 'The prompt is shown once only.';
  }
}

function describeDuties({ limit, deadline, requirement, rollout }: OwnRules): readonly string[] {
  return [
    ...(limit === null
      ? []
      : [`After ${describeOperand(limit.at)} ${limit.counts === 'shown' ? 'showings' : 'snoozes'}: ${limit.then}.`]),
    ...(deadline === null ? [] : [`There is a deadline: ${deadline.before} before it, ${deadline.then} from it on.`]),
    ...(requirement.required === null ? [] : ['A condition makes the prompt required.']),
    ...(requirement.blocked === null ? [] : ['A condition refuses the sign-in.']),
    ...(rollout === null ? [] : [`Rolled out to ${describeOperand(rollout.percent)} percent, drawn by ${rollout.by}.`]),
  ];
}

function describeOperand(operand: Operand): string {
  if ('constant' in operand) return String(operand.constant);
  return 'setting' in operand ? `the setting ${operand.setting}` : `the fact ${operand.fact}`;
}

function describeDuration(operand: DurationOperand): string {
  if (!('constant' in operand)) return describeOperand(operand);
  const { ms, months } = operand.constant;
  const parts = [...(months === 0 ? [] : [plural(months, 'month')]), ...(ms === 0 && months > 0 ? [] : [formatMs(ms)])];
  return parts.join(' and ');
}

function formatMs(ms: number): string {
  let rest = ms;
  const parts = unitsMs.flatMap(([unit, length]) => {
    const count = Math.floor(rest / length);
    rest -= count * length;
    return count === 0 ? [] : [plural(count, unit)];
  });
  return parts.length === 0 ? 'no time' : parts.join(' ');
}

function plural(count: number, unit: string): string {
  return `${count} ${unit}${count === 1 ? '' : 's'}`;
}
