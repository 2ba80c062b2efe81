import type { Definitions } from '../../contract/declared-values.ts';
import { NudgeLabError } from '../../core/errors.ts';
import { describeUnknownName } from '../../core/nearest-name.ts';
import { findDeclarations, type LoadedRuleset, RulesetRegistry } from '../../journal/ruleset-registry.ts';

/** Rulesets that a command or a suite knows, and what applies to files that state nothing themselves (OC34). */
export interface RulesetChoice {
  readonly registry: RulesetRegistry;
  /** Ruleset of files that name none; `null` for the built-in default. */
  readonly chosen: LoadedRuleset | null;
  /** Settings of rulesets by name, as texts of the command line, for tenants that do not set them. */
  readonly settings: Readonly<Record<string, string>>;
}

/** Creates the choice of a command without options and without a configuration: only built-in rulesets. */
export function builtInChoice(): RulesetChoice {
  return { registry: new RulesetRegistry(), chosen: null, settings: {} };
}

/**
 * Returns the settings of the command line that a ruleset declares, in the form that files write them.
 *
 * @param choice - choice of the command
 * @param definitions - settings that the ruleset declares
 */
export function chosenSettings(
  { settings }: Pick<RulesetChoice, 'settings'>,
  definitions: Definitions,
): Readonly<Record<string, unknown>> {
  return Object.fromEntries(
    Object.entries(settings).flatMap(([name, text]) => {
      const definition = Object.hasOwn(definitions, name) ? definitions[name] : undefined;
      return definition === undefined ? [] : [[name, toWritten(text, definition.type)] as const];
    }),
  );
}

/** Converts the text of an option to a value as files write it. A text that does not fit stays a text, for its error. */
function toWritten(text: string, type: Definitions[string]['type']): unknown {
  if (type === 'boolean') return text === 'true' ? true : text === 'false' ? false : text;
  if (type === 'integer') return /^-?\d{1,16}$/.test(text) ? Number(text) : text;
  if (type === 'set') return text === '' ? [] : text.split(',').map((word) => word.trim());
  return text;
}

/**
 * Rejects settings of the command line that no loaded ruleset declares, which would have no effect.
 *
 * @throws NudgeLabError `usage-invalid` with every unknown name
 */
export function refuseUnknownSettings({ registry, settings }: RulesetChoice): void {
  const known = [...new Set(registry.list().flatMap(({ id }) => Object.keys(findDeclarations(id).settings)))];
  const problems = Object.keys(settings)
    .filter((name) => !known.includes(name))
    .map((name) => ({
      location: '--set',
      message:
        known.length === 0
          ? `"${name}" is not declared; no loaded ruleset declares settings`
          : describeUnknownName(name, known),
    }));
  if (problems.length > 0) throw new NudgeLabError('usage-invalid', { problems });
}
