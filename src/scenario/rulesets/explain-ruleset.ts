import type { FactDefinition } from '../../../machines/own/condition-data.ts';
import { generatedReasons, generatedSummaries, hasGate } from '../../../machines/own/generated-gates.ts';
import { isModuleGate, type OwnAnswer, type OwnRules, type OwnRuleset } from '../../../machines/own/own-ruleset.ts';
import { passkeyTypes } from '../../../machines/vocabulary.ts';
import { toInstant } from '../../core/clock.ts';
import { describeChanges } from './describe-changes.ts';
import { describeCondition } from './describe-condition.ts';
import {
  describeCadence,
  describeDeadline,
  describeDuties,
  describeResets,
  describeRollout,
} from './describe-timing.ts';
import { describeDuration, describeOperand, formatMs, formatValue } from './describe-values.ts';

/**
 * Describes a ruleset in sentences, one per line: what it asks for, its gates in order, and when it prompts again. Lines
 * that end with a colon are headings, and the indented lines below are their lists.
 *
 * @param ruleset - ruleset with the base `own`
 * @param edition - id of the only edition to describe, or `null` for all of them
 */
export function explainRuleset(ruleset: OwnRuleset, edition: string | null = null): readonly string[] {
  const { id, version, title, description, source, facts, first, editions } = ruleset;
  const head = [`${title} (${id} ${version})`, ...(description === null ? [] : [description])];
  const chosen = editions.find((one) => one.rules.edition === edition);
  if (chosen !== undefined) {
    return [...head, `Rules from ${toInstant(chosen.fromMs)} on (edition ${edition}).`, ...describeRules(chosen.rules)];
  }
  return [
    ...head,
    ...describeRules(first),
    ...describeDefinitions('Settings that a tenant can change:', 'tenant.settings', first.settings),
    ...(['tenant', 'user', 'attempt'] as const).flatMap((owner) =>
      describeDefinitions(`Facts of the ${owner === 'attempt' ? 'sign-in' : owner}:`, `${owner}.facts`, facts[owner]),
    ),
    ...editions.flatMap(({ fromMs, rules }, index) => {
      const before = describeRules(editions[index - 1]?.rules ?? first);
      const changes = describeChanges(before, describeRules(rules));
      return ['', `Changed from ${toInstant(fromMs)} on (edition ${rules.edition}):`, ...changes];
    }),
    ...(source.length === 0 ? [] : ['', `Sources: ${source.join('; ')}.`]),
  ];
}

function describeRules(rules: OwnRules): readonly string[] {
  const { methods, ask, ledger, lifetimeMs, matrix } = rules;
  return [
    `The prompt asks for: ${methods[ask]?.label ?? ask}.`,
    'Gates in order; the first that stops is the reason:',
    ...describeGates(rules),
    'Answers:',
    ...describeAnswers(rules),
    `Answers are stored for: ${ledger.keys.map((parts) => parts.join(' and ')).join('; ')}.`,
    ...Object.entries(ledger.ecosystems).map(([name, systems]) => `The ecosystem ${name} is ${systems.join(', ')}.`),
    `A prompt without an answer expires after ${formatMs(lifetimeMs)}.`,
    'When, and until when:',
    ...describeCadence(rules),
    ...describeDeadline(rules),
    ...describeDuties(rules),
    ...describeCompletion(rules),
    ...describeResets(rules),
    ...describeRollout(rules),
    ...(matrix === null
      ? []
      : [
          'Passkey types that suppress the prompt, by platform:',
          ...passkeyTypes.flatMap((type) => {
            const platforms = matrix[type];
            return platforms === undefined ? [] : [`  ${type}: ${platforms.join(', ') || 'none'}`];
          }),
        ]),
  ];
}

function describeGates(rules: OwnRules): readonly string[] {
  return rules.gates.flatMap((gate) => {
    if (typeof gate !== 'object') {
      if (!hasGate(gate, rules)) return [];
      return [`  ${gate}: ${describeGenerated(gate, rules)} Otherwise: ${generatedReasons[gate].join(' or ')}.`];
    }
    if (isModuleGate(gate)) {
      const reasons = Object.keys(gate.reasons).map((code) => describeReason(code, rules));
      return [`  ${gate.id} (${gate.module}): ${gate.summary} Otherwise ${reasons.join(' Or ') || 'unknown.'}`];
    }
    const skipped = gate.skipIf === null ? '' : ` Not applicable if ${describeCondition(gate.skipIf)}.`;
    const passed = `It lets the prompt through if ${describeCondition(gate.when)}.`;
    return [`  ${gate.id}: ${gate.summary}${skipped} ${passed} Otherwise ${describeReason(gate.stop, rules)}`];
  });
}

/** Returns a reason with its sentence, which has the names of the values of a verdict in their places. */
function describeReason(code: string, { reasons }: OwnRules): string {
  const sentence = reasons[code]?.replaceAll(/\{saw\.([^{}]+)\}/g, '[$1]');
  return sentence === undefined ? `${code}.` : `${code}: ${sentence}`;
}

const kindTexts = { signIn: 'a sign-in', signUp: 'a sign-up', newSession: 'a new session' } as const;

function describeGenerated(gate: keyof typeof generatedSummaries, { trigger, done }: OwnRules): string {
  if (gate === 'X.trigger') {
    const factors = trigger.factors === null ? '' : `, and ${describeCondition(trigger.factors)}`;
    return `This is ${trigger.on.map((kind) => kindTexts[kind]).join(' or ')}${factors}.`;
  }
  const summary = generatedSummaries[gate];
  return gate === 'X.done' && done !== null ? `${summary} It is done if ${describeCondition(done)}.` : summary;
}

const effectTexts: Readonly<Record<OwnAnswer['effects'][number], string>> = {
  snooze: 'starts a snooze',
  never: 'suppresses the prompt for good',
  session: 'suppresses the prompt for the session',
  nothing: 'stores nothing',
};

function describeAnswers(rules: OwnRules): readonly string[] {
  const events: Readonly<Record<string, string>> = {
    close: 'Closing the page',
    expire: 'Letting the prompt expire',
    next: 'Beginning the setup',
  };
  return Object.entries(rules.answers)
    .filter(([id, { effects }]) => id !== 'next' || effects.some((effect) => effect !== 'nothing'))
    .map(([id, { label, effects, counts, for: own, whenRequired }]) => {
      const duration = own === null ? '' : ` for ${describeDuration(own, rules)}`;
      const uncounted = effects.includes('snooze') && !counts ? ' that does not count' : '';
      const offered = whenRequired === 'offered' ? '; it is also offered if the setup is required' : '';
      const event = events[id] ?? `"${label}"`;
      const texts = effects.map((effect) => effectTexts[effect]).join(' and ');
      return `  ${event} ${texts}${uncounted}${duration}${offered}.`;
    });
}

function describeCompletion({ completion, ...rules }: OwnRules): readonly string[] {
  return [
    ...completion.set.map(({ path, value }) => {
      const text = value === 'now' ? 'the time of the setup' : describeOperand(value, rules);
      return `The completed setup sets ${path} to ${text}.`;
    }),
    ...completion.add.map(({ path, value }) => `The completed setup adds ${describeOperand(value, rules)} to ${path}.`),
  ];
}

function describeAllowed({ type, values, min, max }: FactDefinition): string {
  const bounds = [
    ...(min === undefined ? [] : [`from ${formatValue(min, type)}`]),
    ...(max === undefined ? [] : [`to ${formatValue(max, type)}`]),
  ];
  return [...(values.length === 0 ? [] : [`of ${values.join(', ')}`]), ...bounds].map((text) => ` ${text}`).join('');
}

function describeDefinitions(
  heading: string,
  owner: string,
  definitions: Readonly<Record<string, FactDefinition>>,
): readonly string[] {
  const lines = Object.entries(definitions).map(([name, definition]) => {
    const { type, default: value, title, import: column } = definition;
    const label = title === undefined ? '' : ` (${title})`;
    const log = column === undefined ? '' : `; column ${column.column} of sign-in logs`;
    return `  ${owner}.${name}${label}: ${type}${describeAllowed(definition)}; ${formatValue(value, type)} by default${log}`;
  });
  return lines.length === 0 ? [] : [heading, ...lines];
}
