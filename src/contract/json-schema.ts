/** A JSON Schema as data, or a part of one. */
export type JsonSchema = Readonly<Record<string, unknown>>;

/** Checks whether part of a schema is a schema with keywords, unlike `true` and `false`. */
export function isSchema(part: unknown): part is JsonSchema {
  return typeof part === 'object' && part !== null && !Array.isArray(part);
}

/** Returns the schemas of a list of alternatives; an empty list for anything else. */
export function listSchemas(part: unknown): readonly JsonSchema[] {
  return Array.isArray(part) ? part.filter(isSchema) : [];
}

/** Returns the entries of an object of schemas, such as `properties`; an empty list for anything else. */
export function schemaEntries(part: unknown): readonly (readonly [string, unknown])[] {
  return isSchema(part) ? Object.entries(part) : [];
}

const definitionsAt = '#/$defs/';

/** Creates a reference to a definition. */
export function definitionReference(name: string): JsonSchema {
  return { $ref: `${definitionsAt}${name}` };
}

/** Returns the name of the definition that a schema refers to; `null` when it refers to none. */
export function definitionName(schema: JsonSchema): string | null {
  const { $ref } = schema;
  return typeof $ref === 'string' && $ref.startsWith(definitionsAt) ? $ref.slice(definitionsAt.length) : null;
}

/** Keywords whose value is one schema, or a list of schemas. */
const schemaKeywords: ReadonlySet<string> = new Set([
  'additionalProperties',
  'allOf',
  'anyOf',
  'contains',
  'else',
  'if',
  'items',
  'not',
  'oneOf',
  'prefixItems',
  'propertyNames',
  'then',
]);

/** Keywords for the elements of a list or map. */
const elementKeywords: ReadonlySet<string> = new Set(['additionalProperties', 'items', 'prefixItems']);

/** Represents the elements of a list or map among the keys that lead to a schema. */
export const elementKey = '[]';

/** Keywords whose value is an object of schemas. */
const mapKeywords: ReadonlySet<string> = new Set(['$defs', 'patternProperties', 'properties']);

/**
 * Returns a schema with each schema directly below it replaced.
 *
 * @param schema the schema
 * @param replace returns the replacement of a part; `key` is the property or definition that the part describes, `[]`
 *   for the elements of a list or map, or `null` for another part, such as an alternative
 * @returns the new schema
 */
export function mapParts(
  schema: JsonSchema,
  replace: (part: JsonSchema, key: string | null) => JsonSchema,
): JsonSchema {
  const one = (part: unknown, key: string | null = null): unknown => (isSchema(part) ? replace(part, key) : part);
  return Object.fromEntries(
    Object.entries(schema).map(([keyword, value]): [string, unknown] => {
      if (mapKeywords.has(keyword) && isSchema(value)) {
        return [keyword, Object.fromEntries(Object.entries(value).map(([key, part]) => [key, one(part, key)]))];
      }
      if (!schemaKeywords.has(keyword)) return [keyword, value];
      const key = elementKeywords.has(keyword) ? elementKey : null;
      return [keyword, Array.isArray(value) ? value.map((part) => one(part, key)) : one(value, key)];
    }),
  );
}

/**
 * Replaces every schema of a document, the innermost first.
 *
 * @param schema the document, or a part of it
 * @param replace returns the replacement of a schema whose parts have been replaced
 * @returns the new schema
 */
export function mapSchemas(schema: JsonSchema, replace: (schema: JsonSchema) => JsonSchema): JsonSchema {
  return replace(mapParts(schema, (part) => mapSchemas(part, replace)));
}
