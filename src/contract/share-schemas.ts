import { definitionName, definitionReference, isSchema, type JsonSchema, mapParts, mapSchemas } from './json-schema.ts';

/** Shorter schemas of a JSON Schema document are repeated, because a reference is hardly shorter and is harder to read. */
const sharedCharactersMin = 160;

/** How a document refers to shared schemas, and what it calls them. */
export interface SharedForm {
  /** Length of the shortest text of a shared schema. */
  readonly charactersMin: number;
  /** Creates a reference to a shared schema. */
  readonly reference: (name: string) => JsonSchema;
  /** Returns a name for a schema that is not yet among `names`, from the keys that lead to its first place. */
  readonly chooseName: (path: readonly string[], names: ReadonlySet<string>) => string;
}

/** Schemas of a document, of which the repeated ones are shared. */
export class SharedSchemas {
  /** The definitions of the shared schemas. */
  readonly definitions = new Map<string, JsonSchema>();
  readonly #form: SharedForm;
  readonly #counts = new Map<string, number>();
  readonly #names = new Map<string, string>();
  readonly #taken: Set<string>;

  /**
   * @param form - how the document refers to shared schemas
   * @param given - schemas of the document with their names, which keep them
   */
  constructor(form: SharedForm, given: ReadonlyMap<string, JsonSchema> = new Map()) {
    this.#form = form;
    this.#taken = new Set(given.keys());
  }

  /** Counts the places of a schema and of its parts. What a repeated schema contains counts once. */
  count(schema: JsonSchema): void {
    const text = JSON.stringify(schema);
    const before = this.#counts.get(text) ?? 0;
    if (text.length >= this.#form.charactersMin) this.#counts.set(text, before + 1);
    if (before === 0) this.countParts(schema);
  }

  /** Counts the places of the parts of a schema that is not shared itself. */
  countParts(schema: JsonSchema): void {
    mapParts(schema, (part) => {
      this.count(part);
      return part;
    });
  }

  /** Returns a schema with its repeated parts as references, or the reference to it. */
  share(schema: JsonSchema, path: readonly string[]): JsonSchema {
    const text = JSON.stringify(schema);
    if ((this.#counts.get(text) ?? 0) < 2) return this.shareParts(schema, path);
    const known = this.#names.get(text);
    if (known !== undefined) return this.#form.reference(known);
    const name = this.#form.chooseName(path, this.#taken);
    this.#taken.add(name);
    this.#names.set(text, name);
    // The place is reserved, so that the schema comes before those it contains.
    this.definitions.set(name, schema);
    this.definitions.set(name, this.shareParts(schema, path));
    return this.#form.reference(name);
  }

  /** Returns a schema that is not shared itself, with its repeated parts as references. */
  shareParts(schema: JsonSchema, path: readonly string[]): JsonSchema {
    return mapParts(schema, (part, key) => this.share(part, key === null ? path : [...path, key]));
  }
}

/**
 * Moves schemas that a document repeats to its definitions, and removes definitions that nothing refers to.
 *
 * @param document the document, with its definitions under `$defs`
 * @returns a document that accepts the same values
 */
export function shareRepeated(document: JsonSchema): JsonSchema {
  const { $defs, ...whole } = document;
  const given = new Map(Object.entries(isSchema($defs) ? $defs : {}).map(([name, part]) => [name, asSchema(part)]));
  const schemas = new SharedSchemas(
    {
      charactersMin: sharedCharactersMin,
      reference: definitionReference,
      chooseName: (_path, names) => numbered('shared', names),
    },
    given,
  );
  // A definition keeps its name, even if another schema is equal.
  for (const part of [whole, ...given.values()]) schemas.countParts(part);
  const root = schemas.shareParts(whole, []);
  const own = [...given].map(([name, part]) => [name, schemas.shareParts(part, [name])] as const);
  const all = new Map([...own, ...schemas.definitions]);
  const used = usedNames(root, all);
  const kept = [...all].filter(([name]) => used.has(name));
  return kept.length === 0 ? root : { ...root, $defs: Object.fromEntries(kept) };
}

/** Returns the first name of a numbered sequence that is not taken. */
export function numbered(stem: string, names: ReadonlySet<string>): string {
  let number = 1;
  while (names.has(`${stem}${number}`)) number += 1;
  return `${stem}${number}`;
}

function asSchema(part: unknown): JsonSchema {
  return isSchema(part) ? part : {};
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
