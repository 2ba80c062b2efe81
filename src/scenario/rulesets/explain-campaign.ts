import { getRule } from '../../../machines/rules/rule-registry.ts';
import {
  type GateId,
  matrixPlatforms,
  passkeyTypes,
  type Ruleset,
  type RulesetExtension,
} from '../../../machines/vocabulary.ts';
import { toInstant } from '../../core/clock.ts';
import { describeChanges } from './describe-changes.ts';
import { describeCondition } from './describe-condition.ts';
import type { CampaignRuleset } from './read-ruleset.ts';

/**
 * Describes a ruleset with the base `registration-campaign` in sentences, one per line: its gates in order, the campaign,
 * who must register, the matrix, and what changes by date.
 *
 * @param file - ruleset with the texts of its file
 * @param edition - id of the only edition to describe, or `null` for all of them
 */
export function explainCampaign(file: CampaignRuleset, edition: string | null = null): readonly string[] {
  const { title, id, version, description, base, rules, source, editionSources } = file;
  const head = [
    `${title} (${id} ${version})`,
    ...(description === null ? [] : [description]),
    base === 'registration-campaign' ? 'Rules of a registration campaign.' : `Rules over those of ${base}.`,
  ];
  const editions = rules.editions ?? [];
  const chosen = editions.find((one) => one.rules.edition === edition);
  if (chosen !== undefined) {
    return [...head, `From ${toInstant(chosen.fromMs)} (edition ${edition}):`, ...describeRules(chosen.rules)];
  }
  return [
    ...head,
    ...describeFacts(rules.extension ?? editions[0]?.rules.extension),
    ...describeRules(rules),
    ...editions.flatMap(({ fromMs, rules: next }, index) => {
      const before = describeRules(editions[index - 1]?.rules ?? rules);
      const sources = editionSources[index] ?? [];
      return [
        '',
        `From ${toInstant(fromMs)} (edition ${next.edition}):`,
        ...describeChanges(before, describeRules(next)),
        ...(sources.length === 0 ? [] : [`Source: ${sources.join('; ')}.`]),
      ];
    }),
    ...(source.length === 0 ? [] : ['', `Sources: ${source.join('; ')}.`]),
  ];
}

function describeFacts(extension: RulesetExtension | undefined): readonly string[] {
  if (extension === undefined) return [];
  const { facts, derived } = extension;
  const lines = Object.entries(facts).flatMap(([owner, definitions]) =>
    Object.entries(definitions).map(([name, { type, default: value }]) => {
      const path = `${owner}.facts.${name}`;
      const condition = derived[path];
      return `  ${path}: ${type}, by default ${condition === undefined ? String(value) : `true if ${describeCondition(condition)}`}`;
    }),
  );
  return lines.length === 0 ? [] : ['Facts that the ruleset declares:', ...lines];
}

function describeRules(rules: Ruleset): readonly string[] {
  const { extension, limits } = rules;
  return [
    'Gates in order; the first that stops is the reason:',
    ...rules.order.map((id) => describeGate(id, extension)),
    ...describeSkips(extension),
    ...describeCampaign(rules),
    `After ${limits.snoozeLimit} snoozes of a limited campaign, registration is required. A prompt without an action expires after ${limits.promptLifetimeMs / 60_000} minutes.`,
    ...describeDuties(extension),
    'Passkey types that suppress the prompt, by platform:',
    ...passkeyTypes.map((type) => {
      const platforms = matrixPlatforms.filter((platform) => rules.matrix[type][platform]);
      return `  ${type}: ${platforms.length === 0 ? 'none' : platforms.join(', ')}`;
    }),
    rules.profiles === 'restrictions'
      ? 'Under provider management, restricted passkey profiles suppress the prompt (R11.7).'
      : 'Under provider management, a user needs an eligible passkey profile, which also narrows the matrix (A30).',
    ...(extension?.allPasskeyTypes
      ? [`A profile of all passkey types is added if ${describeCondition(extension.allPasskeyTypes)}.`]
      : []),
  ];
}

function describeGate(id: string, extension: RulesetExtension | undefined): string {
  const data = extension?.gates[id];
  if (data === undefined) return `  ${id}: ${getRule(id as GateId).summary}`;
  const condition = describeCondition(data.when);
  return `  ${id}: ${data.summary} (${condition}) Otherwise: ${extension?.reasons[data.stop] ?? data.stop}`;
}

function describeSkips(extension: RulesetExtension | undefined): readonly string[] {
  const byCondition = Map.groupBy(Object.entries(extension?.skips ?? {}), ([, skipIf]) => describeCondition(skipIf));
  return [...byCondition].map(
    ([condition, gates]) => `Not applicable if ${condition}: ${gates.map(([id]) => id).join(', ')}.`,
  );
}

function describeCampaign({ providerManaged, limits, extension }: Ruleset): readonly string[] {
  const { snoozeDays, limited } = providerManaged;
  const days =
    snoozeDays.by === 'switch'
      ? `${snoozeDays.before} before the rollout, ${snoozeDays.after} after it`
      : `${snoozeDays.vendorAuthenticator} for the app, ${snoozeDays.fido2} for passkeys`;
  const word = (value: boolean): string => (value ? 'limited' : 'unlimited');
  const snoozes =
    limited.by === 'switch'
      ? `${word(limited.before)} before the rollout, ${word(limited.after)} after it`
      : `${word(limited.vendorAuthenticator)} for the app, ${word(limited.fido2)} for passkeys`;
  return [
    `Snooze days of a campaign that the provider manages: ${days}. Snoozes: ${snoozes}. Days if a tenant configures none: ${limits.snoozeDaysDefault}.`,
    ...(extension?.campaign ?? []).map(({ when, set }) => {
      const values = Object.entries(set).map(([key, value]) => `${key} ${String(value)}`);
      return `The campaign has ${values.join(', ')}${when === null ? '' : ` if ${describeCondition(when)}`}.`;
    }),
  ];
}

function describeDuties(extension: RulesetExtension | undefined): readonly string[] {
  if (extension === undefined) return [];
  const { requirement, unusable } = extension;
  const { required, blocked } = requirement;
  return [
    ...(blocked === null ? [] : [`The sign-in is blocked if ${describeCondition(blocked)}.`]),
    ...(required === null ? [] : [`Registration is required if ${describeCondition(required)}.`]),
    ...unusable.map(
      ({ when, methods }) =>
        `Pages do not offer ${methods.join(', ')}${when === null ? '' : ` if ${describeCondition(when)}`}.`,
    ),
  ];
}
