import type { FactDefinition, FactValue } from '../../machines/own/condition-data.ts';
import { toInstant } from '../core/clock.ts';
import type { ValidationProblem } from '../core/errors.ts';
import { describeUnknownName } from '../core/nearest-name.ts';
import { parseConstant, type Read, type ValueType } from './ruleset-values.ts';

/** Definitions of facts or settings that a ruleset declares, by name. */
export type Definitions = Readonly<Record<string, FactDefinition>>;

/** Values of declared facts or settings by name. */
export type DeclaredNumbers = Readonly<Record<string, FactValue>>;

/** Returns the value type of a definition. */
export function toValueType({ type, values }: FactDefinition): ValueType {
  return { type, values: type === 'enum' || type === 'set' ? values : null };
}

/** Checks a value from outside, such as a scenario, against the definition of its fact or setting (OC19). */
export function parseDefined(written: unknown, definition: FactDefinition): Read<FactValue> {
  if (written === null) {
    return definition.type === 'instant' || definition.type === 'text'
      ? { value: null }
      : { message: `null is allowed for an instant and a text only; this is of type ${definition.type}` };
  }
  const read = parseConstant(written, toValueType(definition));
  if ('message' in read || typeof read.value !== 'number') return read;
  const { min, max } = definition;
  if (min !== undefined && read.value < min) return { message: `${JSON.stringify(written)} is below the minimum` };
  if (max !== undefined && read.value > max) return { message: `${JSON.stringify(written)} is above the maximum` };
  return read;
}

/** Returns the value of every declared name without any given ones. */
export function listDefaults(definitions: Definitions): DeclaredNumbers {
  return Object.fromEntries(Object.entries(definitions).map(([name, definition]) => [name, definition.default]));
}

/**
 * Reads values of declared facts or settings.
 *
 * @param written - values by name, as they are written: instants in ISO 8601, durations such as `7d`
 * @param definitions - declared names
 * @param location - location of the values in messages, such as `tenant.facts`
 * @returns the given values, with instants and durations in milliseconds, and the problems of all others
 */
export function readDeclaredValues(
  written: Readonly<Record<string, unknown>>,
  definitions: Definitions,
  location: string,
): { readonly values: DeclaredNumbers; readonly problems: readonly ValidationProblem[] } {
  const problems: ValidationProblem[] = [];
  const values: Record<string, FactValue> = {};
  for (const [name, value] of Object.entries(written)) {
    const definition = Object.hasOwn(definitions, name) ? definitions[name] : undefined;
    if (definition === undefined) {
      const known = Object.keys(definitions);
      const message = known.length === 0 ? `"${name}" is not declared; the ruleset declares none` : null;
      problems.push({ location, message: message ?? describeUnknownName(name, known) });
      continue;
    }
    const read = parseDefined(value, definition);
    if ('message' in read) problems.push({ location: `${location}.${name}`, message: read.message });
    else values[name] = read.value;
  }
  return { values, problems };
}

/** Writes values of declared facts or settings as `readDeclaredValues` reads them. */
export function writeDeclaredValues(values: DeclaredNumbers, definitions: Definitions): DeclaredNumbers {
  return Object.fromEntries(
    Object.entries(values).map(([name, value]) => [name, writeValue(value, definitions[name]?.type)]),
  );
}

function writeValue(value: FactValue, type: FactDefinition['type'] | undefined): FactValue {
  if (typeof value !== 'number') return value;
  if (type === 'instant') return toInstant(value);
  if (type !== 'duration') return value;
  return value === 0 ? '0' : `${value}ms`;
}
