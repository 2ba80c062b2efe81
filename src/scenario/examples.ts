import { NudgeLabError } from '../core/errors.ts';
import { isPlainObject } from '../core/merge-patch.ts';
import type { ScenarioSource } from './scenario-source.ts';

const whole = /^\$\{([A-Za-z_][\w-]*)\}$/;
const embedded = /\$\{([A-Za-z_][\w-]*)\}/g;

/**
 * Substitutes the values of one row of examples in the data of a scenario. A value that consists only of `${name}`
 * gets the row's value with its type, and a name inside a text gets the value as text. Returns the data without its
 * examples, or unchanged if there is no row. Throws `scenario-invalid` for a name that the row does not have.
 */
export function substituteExample(source: ScenarioSource, row: unknown): unknown {
  if (!(isPlainObject(row) && isPlainObject(source.data))) return source.data;
  const { examples: _rows, ...rest } = source.data;
  return fill(rest, [], row, source);
}

function fill(
  value: unknown,
  path: readonly PropertyKey[],
  row: Record<string, unknown>,
  source: ScenarioSource,
): unknown {
  if (typeof value === 'string') return fillText(value, path, row, source);
  if (Array.isArray(value)) return value.map((item, index) => fill(item, [...path, index], row, source));
  if (!isPlainObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, inner]) => [key, fill(inner, [...path, key], row, source)]),
  );
}

function fillText(
  text: string,
  path: readonly PropertyKey[],
  row: Record<string, unknown>,
  source: ScenarioSource,
): unknown {
  const rowValue = (name: string): unknown => {
    if (Object.hasOwn(row, name)) return row[name];
    throw new NudgeLabError('scenario-invalid', {
      problems: [
        {
          location: source.place(path),
          message: `"${name}" is not a value of the row; use one of ${Object.keys(row).join(', ')}`,
        },
      ],
    });
  };
  const only = whole.exec(text)?.[1];
  if (only !== undefined) return rowValue(only);
  return text.replace(embedded, (_match, name: string) => {
    const value = rowValue(name);
    return typeof value === 'string' ? value : JSON.stringify(value);
  });
}
