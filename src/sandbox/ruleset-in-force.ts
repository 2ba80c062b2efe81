import type { FactDefinition } from '../../machines/own/condition-data.ts';
import { generatedReasons, hasGate } from '../../machines/own/generated-gates.ts';
import { isDataGate, isModuleGate, type OwnRules, rulesAt } from '../../machines/own/own-ruleset.ts';
import { getGates, rulesInForce } from '../../machines/ruleset-gates.ts';
import type { DeclaredValues } from '../../machines/vocabulary.ts';
import type { ResponseBody } from '../contract/control-responses.schema.ts';
import { listDefaults, writeDeclaredValues } from '../contract/declared-values.ts';
import type { sandboxRulesetResponse } from '../contract/own-campaign-responses.schema.ts';
import { toInstant } from '../core/clock.ts';
import { findDeclarations, processRulesets } from '../journal/ruleset-registry.ts';
import type { SandboxState } from '../journal/state.ts';
import { reservedAnswers } from './own-prompt-view.ts';

/** Ruleset of a sandbox with the edition and the settings in force. */
export type RulesetInForce = ResponseBody<typeof sandboxRulesetResponse>;

/**
 * Describes the ruleset of a sandbox as it is in force at a time (OC56, OC57).
 *
 * @param state - state of the sandbox
 * @param nowMs - time in milliseconds
 */
export function describeRulesetInForce({ own, ruleset, tenant }: SandboxState, nowMs: number): RulesetInForce {
  if (own === null) {
    const loaded = processRulesets.find(ruleset.id);
    return {
      ruleset: ruleset.id,
      title: loaded?.title ?? ruleset.id,
      version: loaded?.version ?? '',
      base: 'registration-campaign',
      digest: loaded?.digest ?? null,
      edition: rulesInForce(ruleset, nowMs).edition ?? null,
      editions: (ruleset.editions ?? []).map(({ fromMs, rules }) => ({
        id: rules.edition ?? toInstant(fromMs),
        from: toInstant(fromMs),
      })),
      settings: listSettings(findDeclarations(ruleset.id).settings, tenant.settings),
      method: null,
      answers: [],
      screens: {},
      reasons: [...new Set(getGates(rulesInForce(ruleset, nowMs)).flatMap(({ reasons }) => reasons))],
    };
  }
  const { id, title, version, digest, editions } = own.ruleset;
  const rules = rulesAt(own.ruleset, nowMs);
  return {
    ruleset: id,
    title,
    version,
    base: 'own',
    digest,
    edition: rules.edition,
    editions: editions.map(({ fromMs, rules: { edition } }) => ({
      id: edition ?? toInstant(fromMs),
      from: toInstant(fromMs),
    })),
    settings: listSettings(rules.settings, tenant.settings),
    ...describeTexts(rules),
    reasons: listOwnReasons(rules),
  };
}

/** Returns the codes of all reasons that the gates of an own campaign can give, in their order. */
function listOwnReasons(rules: OwnRules): readonly string[] {
  const reasons = rules.gates.flatMap((gate) => {
    if (isDataGate(gate)) return [gate.stop];
    if (isModuleGate(gate)) return Object.keys(gate.reasons);
    return hasGate(gate, rules) ? generatedReasons[gate] : [];
  });
  return [...new Set(reasons)];
}

function describeTexts({
  methods,
  ask,
  answers,
  screens,
}: OwnRules): Pick<RulesetInForce, 'method' | 'answers' | 'screens'> {
  const { label = ask, kind = 'form' } = methods[ask] ?? {};
  return {
    method: { id: ask, label, kind },
    answers: Object.entries(answers).map(([id, { label: text, effects, whenRequired }]) => ({
      id,
      label: text,
      effects,
      whenRequired,
      hasButton: !reservedAnswers.has(id),
    })),
    screens,
  };
}

function listSettings(
  definitions: Readonly<Record<string, FactDefinition>>,
  given: DeclaredValues | undefined = {},
): RulesetInForce['settings'] {
  const defaults = writeDeclaredValues(listDefaults(definitions), definitions);
  return Object.entries(definitions).map(([name, { type }]) => {
    const isDefault = !Object.hasOwn(given, name);
    return { name, type, value: (isDefault ? defaults[name] : given[name]) ?? null, isDefault };
  });
}
