import {
  definitionName,
  definitionReference,
  isSchema,
  type JsonSchema,
  listSchemas,
} from '../../contract/json-schema.ts';

/** The definitions that are added; their names are those that editors show. */
const wholeName = 'rowValue';
const embeddedName = 'textWithRowValue';

const definitions: JsonSchema = {
  [wholeName]: {
    type: 'string',
    // biome-ignore lint/suspicious/noTemplateCurlyInString: a reference to a value of a row.
    description: 'A row value: `${days}` takes the value `days` of a row of `examples`, with its type.',
    pattern: '^\\$\\{[A-Za-z_][A-Za-z0-9_-]*\\}$',
  },
  [embeddedName]: {
    type: 'string',
    // biome-ignore lint/suspicious/noTemplateCurlyInString: a reference to a value of a row.
    description: 'A text with row values: `${days}` takes the value `days` of a row of `examples`.',
    pattern: '\\$\\{[A-Za-z_][A-Za-z0-9_-]*\\}',
  },
};

/** Keywords whose schemas apply to the same value, so each of them has to accept a row value. */
const sameValue: ReadonlySet<string> = new Set(['allOf', 'anyOf', 'else', 'oneOf', 'then']);

/** Keywords whose schema applies to a nested value. */
const valueBelow: ReadonlySet<string> = new Set(['additionalProperties', 'contains', 'items']);

/** Keywords that restrict texts. A text schema without them already accepts row values. */
const textKeywords = ['const', 'enum', 'format', 'pattern'] as const;

/**
 * Lets `${name}` replace every value of a scenario that has `examples`.
 *
 * @param document the document of a scenario
 * @returns the document that accepts row values; `examples` is left as it is
 */
export function acceptRowValues(document: JsonSchema): JsonSchema {
  const { properties, $defs, ...rest } = document;
  const { examples, ...others } = isSchema(properties) ? properties : {};
  const values = mapValues(others, asValue);
  const named = mapValues(isSchema($defs) ? $defs : {}, asValue);
  return {
    ...(visit(rest) as JsonSchema),
    properties: { ...values, ...(examples === undefined ? {} : { examples }) },
    $defs: { ...named, ...definitions },
  };
}

function mapValues(schema: JsonSchema, map: (part: unknown) => unknown): JsonSchema {
  return Object.fromEntries(Object.entries(schema).map(([key, part]) => [key, map(part)]));
}

/** Schema that accepts a value or a row value. */
function asValue(schema: unknown): unknown {
  const visited = visit(schema);
  if (!isSchema(visited) || acceptsAnyway(visited)) return visited;
  const { description, default: standard, examples, ...rest } = visited;
  const reference = definitionReference(canBeText(visited) ? embeddedName : wholeName);
  const said = Object.entries({ description, default: standard, examples }).filter(([, value]) => value !== undefined);
  const anyOf = Object.keys(rest).length === 1 ? listSchemas(rest['anyOf']) : [];
  return { ...Object.fromEntries(said), anyOf: [...(anyOf.length > 0 ? anyOf : [rest]), reference] };
}

/** Schema whose nested values also accept row values. */
function visit(schema: unknown): unknown {
  if (!isSchema(schema)) return schema;
  const parts = Object.entries(schema).map(([keyword, part]): [string, unknown] => {
    if (keyword === 'properties' && isSchema(part)) return [keyword, mapValues(part, asValue)];
    if (valueBelow.has(keyword)) return [keyword, asValue(part)];
    // A row value in the key that distinguishes alternatives matches all of them.
    if (sameValue.has(keyword)) {
      return [
        keyword === 'oneOf' && listSchemas(part).every(isObject) ? 'anyOf' : keyword,
        Array.isArray(part) ? part.map(visit) : visit(part),
      ];
    }
    return [keyword, part];
  });
  return Object.fromEntries(parts);
}

/** Checks whether an alternative describes a complete object, not only its required keys. */
function isObject(schema: JsonSchema): boolean {
  return schema['additionalProperties'] !== undefined || definitionName(schema) !== null;
}

/** Checks whether a schema already accepts a row value. A reference does, because each definition accepts one. */
function acceptsAnyway(schema: JsonSchema): boolean {
  if (definitionName(schema) !== null) return true;
  const { type, anyOf } = schema;
  const alternatives = listSchemas(anyOf);
  if (alternatives.length > 0) return alternatives.some(acceptsAnyway);
  if (type === 'string') return textKeywords.every((keyword) => schema[keyword] === undefined);
  const says = ['const', 'enum', 'type', 'oneOf', 'then', 'properties', 'items'];
  return says.every((keyword) => schema[keyword] === undefined);
}

function canBeText(schema: JsonSchema): boolean {
  const { type, anyOf } = schema;
  return type === 'string' || listSchemas(anyOf).some(canBeText);
}
