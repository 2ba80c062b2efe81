import type { FactValues } from '../../../machines/own/own-facts.ts';
import type { FactDefinition } from '../../../machines/own/own-ruleset.ts';
import { NudgeLabError, type ValidationProblem } from '../../core/errors.ts';
import { describeUnknownName } from '../../core/nearest-name.ts';
import { parseDefined } from '../rulesets/ruleset-scope.ts';

/** Definitions of facts or settings by name. */
export type Definitions = Readonly<Record<string, FactDefinition>>;

/** Returns the value of every declared name without any given ones. */
export function listDefaults(definitions: Definitions): FactValues {
  return Object.fromEntries(Object.entries(definitions).map(([name, definition]) => [name, definition.default]));
}

/**
 * Reads values of declared facts or settings.
 *
 * @param written - values by name
 * @param definitions - declared names
 * @param location - location of the values in messages, such as `given.tenant.facts`
 * @returns the given values only
 * @throws NudgeLabError `scenario-invalid` with every unknown name and every value of the wrong type
 */
export function readDeclared(
  written: Readonly<Record<string, unknown>>,
  definitions: Definitions,
  location: string,
): FactValues {
  const problems: ValidationProblem[] = [];
  const values: Record<string, FactValues[string]> = {};
  for (const [name, value] of Object.entries(written)) {
    const definition = Object.hasOwn(definitions, name) ? definitions[name] : undefined;
    if (definition === undefined) {
      problems.push({ location, message: describeUnknownName(name, Object.keys(definitions)) });
      continue;
    }
    const read = parseDefined(value, definition);
    if ('message' in read) problems.push({ location: `${location}.${name}`, message: read.message });
    else values[name] = read.value;
  }
  if (problems.length > 0) throw new NudgeLabError('scenario-invalid', { problems });
  return values;
}
