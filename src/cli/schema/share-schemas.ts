import {
  definitionName,
  definitionReference,
  isSchema,
  type JsonSchema,
  mapParts,
  mapSchemas,
} from '../../contract/json-schema.ts';

/** Shorter schemas are repeated, because a reference is hardly shorter and is harder to read. */
const sharedCharactersMin = 160;

/**
 * Moves schemas that a document repeats to its definitions, and removes definitions that nothing refers to.
 *
 * @param document the document, with its definitions under `$defs`
 * @returns a document that accepts the same values
 */
export function shareRepeated(document: JsonSchema): JsonSchema {
  const counts = new Map<string, number>();
  mapSchemas(document, (schema) => {
    const text = JSON.stringify(schema);
    if (text.length >= sharedCharactersMin) counts.set(text, (counts.get(text) ?? 0) + 1);
    return schema;
  });
  const names = new Map<string, string>();
  const shared: Record<string, JsonSchema> = {};
  const share = (schema: JsonSchema): JsonSchema => {
    const text = JSON.stringify(schema);
    if ((counts.get(text) ?? 0) < 2) return mapParts(schema, share);
    const known = names.get(text);
    if (known !== undefined) return definitionReference(known);
    const name = `shared${names.size + 1}`;
    names.set(text, name);
    shared[name] = mapParts(schema, share);
    return definitionReference(name);
  };
  const { $defs, ...whole } = document;
  const root = mapParts(whole, share);
  // A definition keeps its name, even if another schema is equal.
  const own = Object.entries(isSchema($defs) ? $defs : {}).map(([name, part]): [string, JsonSchema] => [
    name,
    isSchema(part) ? mapParts(part, share) : {},
  ]);
  const all = new Map([...own, ...Object.entries(shared)]);
  const used = usedNames(root, all);
  const kept = [...all].filter(([name]) => used.has(name));
  return kept.length === 0 ? root : { ...root, $defs: Object.fromEntries(kept) };
}

/** Names of the definitions that a schema reaches by references. */
function usedNames(root: JsonSchema, definitions: ReadonlyMap<string, JsonSchema>): ReadonlySet<string> {
  const used = new Set<string>();
  const open: JsonSchema[] = [root];
  for (let schema = open.pop(); schema !== undefined; schema = open.pop()) {
    mapSchemas(schema, (part) => {
      const name = definitionName(part);
      const definition = name === null || used.has(name) ? undefined : definitions.get(name);
      if (name !== null && definition !== undefined) {
        used.add(name);
        open.push(definition);
      }
      return part;
    });
  }
  return used;
}
