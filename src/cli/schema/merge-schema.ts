import { mergeKeyword } from '../../contract/fixture.schema.ts';
import {
  definitionName,
  definitionReference,
  isSchema,
  type JsonSchema,
  listSchemas,
  mapSchemas,
  schemaEntries,
} from '../../contract/json-schema.ts';

/** Keywords for rules between keys, which a merge patch may meet only together with its fixture. */
const acrossKeys: ReadonlySet<string> = new Set([
  'required',
  'minProperties',
  'default',
  'allOf',
  'if',
  'then',
  'else',
]);

/** Alternatives; beside `properties`, they are rules between keys too. */
const alternativeKeywords: ReadonlySet<string> = new Set(['anyOf', 'oneOf']);

/**
 * Completes the schemas that allow merging: a fixture is complete, or a merge patch of the fixture that `extends` names.
 *
 * @param document the document as the contracts give it, with marked schemas
 * @returns the document without marks; the definitions of merge patches are added
 */
export function completeMergeable(document: JsonSchema): JsonSchema {
  const forms = new PatchForms(document);
  const completed = mapSchemas(document, (schema) => forms.complete(schema));
  const definitions = { ...(isSchema(completed['$defs']) ? completed['$defs'] : {}), ...forms.definitions };
  return Object.keys(definitions).length === 0 ? completed : { ...completed, $defs: definitions };
}

/** Merge patches (RFC 7396) of the schemas of a document: no key is required, and null removes one. */
class PatchForms {
  readonly definitions: Record<string, JsonSchema> = {};
  readonly #known: ReadonlyMap<string, unknown>;
  /** Definitions that a merge patch does not change, because they contain no object. */
  readonly #same = new Set<string>();

  constructor({ $defs }: JsonSchema) {
    this.#known = new Map(schemaEntries($defs));
  }

  /** The published form of a marked schema; other schemas are returned unchanged. */
  complete(schema: JsonSchema): JsonSchema {
    const { [mergeKeyword]: kind, ...whole } = schema;
    if (kind === undefined) return schema;
    if (kind === 'patch') return this.#step(whole);
    const { description, $defs, ...form } = whole;
    return {
      ...(description === undefined ? {} : { description }),
      ...($defs === undefined ? {} : { $defs }),
      type: 'object',
      if: { type: 'object', properties: { extends: true }, required: ['extends'] },
      // biome-ignore lint/suspicious/noThenProperty: the keyword of JSON Schema.
      then: this.#patch(form),
      else: form,
    };
  }

  /** The merge patch in a step, with the user to change. */
  #step(whole: JsonSchema): JsonSchema {
    const patch = this.#patch(whole);
    const { properties } = whole;
    if (!(isSchema(properties) && 'user' in properties)) return patch;
    const patchProperties = isSchema(patch['properties']) ? patch['properties'] : {};
    return { ...patch, properties: { ...patchProperties, user: properties['user'] }, required: ['user'] };
  }

  #patch(schema: JsonSchema): JsonSchema {
    const name = definitionName(schema);
    if (name !== null) return { ...schema, ...this.#reference(name) };
    const alternatives = listSchemas(schema['anyOf'] ?? schema['oneOf']);
    const isObject = isSchema(schema['properties']);
    if (!isObject && alternatives.length > 0 && alternatives.every((one) => isSchema(one['properties']))) {
      return this.#merged(schema);
    }
    const kept = Object.entries(schema).filter(
      ([keyword]) => !(acrossKeys.has(keyword) || (isObject && alternativeKeywords.has(keyword))),
    );
    const required = Array.isArray(schema['required']) ? (schema['required'] as readonly string[]) : [];
    return Object.fromEntries(
      kept.map(([keyword, value]): [string, unknown] => {
        if (keyword === 'anyOf' || keyword === 'oneOf') {
          return [keyword, listSchemas(value).map((one) => this.#patch(one))];
        }
        if (keyword === 'properties') return [keyword, this.#properties(value, required)];
        if (keyword === 'additionalProperties' && isSchema(value)) return [keyword, removable(this.#patch(value))];
        return [keyword, value];
      }),
    );
  }

  /** Alternatives of objects as one object, because the fixture below may determine the alternative. */
  #merged({ anyOf, oneOf, ...rest }: JsonSchema): JsonSchema {
    const byKey = new Map<string, Map<string, unknown>>();
    for (const { properties, required } of listSchemas(anyOf ?? oneOf)) {
      const patched = this.#properties(properties, Array.isArray(required) ? (required as readonly string[]) : []);
      for (const [key, part] of Object.entries(patched)) {
        const parts = byKey.get(key) ?? new Map<string, unknown>();
        byKey.set(key, parts.set(JSON.stringify(part), part));
      }
    }
    const properties = [...byKey].map(([key, parts]): [string, unknown] => [key, anyOfParts([...parts.values()])]);
    return { ...rest, type: 'object', properties: Object.fromEntries(properties), additionalProperties: false };
  }

  #properties(value: unknown, required: readonly string[]): Record<string, unknown> {
    return Object.fromEntries(
      schemaEntries(value).map(([key, part]): [string, unknown] => {
        if (!isSchema(part)) return [key, part];
        const patched = this.#patch(part);
        return [key, required.includes(key) || key === 'extends' ? patched : removable(patched)];
      }),
    );
  }

  #reference(name: string): JsonSchema {
    const patchName = `${name}Patch`;
    const definition = this.#known.get(name);
    if (this.#same.has(name) || !isSchema(definition)) return definitionReference(name);
    if (!(patchName in this.definitions)) {
      this.definitions[patchName] = {};
      const { [mergeKeyword]: _kind, ...whole } = definition;
      const patch = this.#patch(whole);
      if (JSON.stringify(withoutDefault(whole)) === JSON.stringify(patch)) {
        delete this.definitions[patchName];
        this.#same.add(name);
        return definitionReference(name);
      }
      this.definitions[patchName] = patch;
    }
    return definitionReference(patchName);
  }
}

function withoutDefault({ default: _value, ...rest }: JsonSchema): JsonSchema {
  return rest;
}

function anyOfParts(parts: readonly unknown[]): unknown {
  const [first] = parts;
  if (parts.length === 1 || !isSchema(first)) return first;
  return { ...(first['description'] === undefined ? {} : { description: first['description'] }), anyOf: parts };
}

/** A value or null, because null removes the value. */
function removable(schema: JsonSchema): JsonSchema {
  if (allowsNull(schema) || Object.keys(schema).every((keyword) => keyword === 'description')) return schema;
  const { description, default: _value, ...rest } = schema;
  return { ...(description === undefined ? {} : { description }), anyOf: [rest, { type: 'null' }] };
}

function allowsNull({ type, anyOf }: JsonSchema): boolean {
  return type === 'null' || listSchemas(anyOf).some((one) => one['type'] === 'null');
}
