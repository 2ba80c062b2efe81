import { isSchema, type JsonSchema, mapParts } from './json-schema.ts';
import { keyDescriptions } from './key-descriptions.ts';

/**
 * Adds the descriptions of keys that their schemas lack.
 *
 * @param schema the document without definitions, or a part of it
 * @param path the keys that lead to the part
 * @returns the schema with descriptions
 */
export function describeKeys(schema: JsonSchema, path: readonly string[] = []): JsonSchema {
  const { properties, ...rest } = schema;
  const others = mapParts(rest, (part) => describeKeys(part, path));
  if (!isSchema(properties)) return others;
  const described = Object.entries(properties).map(([key, part]): [string, unknown] => {
    if (!isSchema(part)) return [key, part];
    const below = [...path, key];
    const inner = describeKeys(part, below);
    const description = inner['description'] ?? findDescription(below);
    return [key, description === undefined ? inner : { ...inner, description }];
  });
  return { ...others, properties: Object.fromEntries(described) };
}

function findDescription(path: readonly string[]): string | undefined {
  const ends = [path.slice(-2).join('.'), path.slice(-1).join('.')];
  const found = ends.find((end) => Object.hasOwn(keyDescriptions, end));
  return found === undefined ? undefined : keyDescriptions[found];
}
