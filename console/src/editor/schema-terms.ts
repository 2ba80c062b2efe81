import type { Step, YamlPlace } from './yaml-location.ts';

/** Subset of JSON Schema that completions use. */
export interface JsonSchema {
  readonly $schema?: string;
  readonly $ref?: string;
  readonly $defs?: Readonly<Record<string, JsonSchema>>;
  readonly description?: string;
  readonly type?: string | readonly string[];
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly default?: unknown;
  readonly properties?: Readonly<Record<string, JsonSchema>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: JsonSchema | boolean;
  readonly items?: JsonSchema | boolean;
  readonly anyOf?: readonly JsonSchema[];
  readonly oneOf?: readonly JsonSchema[];
  readonly allOf?: readonly JsonSchema[];
}

/** Completion that the schema allows at the cursor. */
export interface OfferedWord {
  readonly word: string;
  readonly kind: 'key' | 'value';
  /** Description from the schema. */
  readonly about: string;
}

/** Maximum number of references followed for one schema. A longer chain is treated as a loop. */
const referencesMax = 20;

/** Returns the keys or values that a schema allows at a location. */
export function wordsAt(schema: JsonSchema, { path, kind }: Pick<YamlPlace, 'path' | 'kind'>): readonly OfferedWord[] {
  let found = alternatives(schema, schema);
  for (const step of path) found = found.flatMap((one) => below(schema, one, step));
  return kind === 'key' ? listKeys(schema, found) : listValues(found);
}

function below(root: JsonSchema, schema: JsonSchema, step: Step): readonly JsonSchema[] {
  if (step === 'item') return typeof schema.items === 'object' ? alternatives(root, schema.items) : [];
  const known = schema.properties?.[step.key];
  if (known !== undefined) return alternatives(root, known);
  const others = schema.additionalProperties;
  return typeof others === 'object' ? alternatives(root, others) : [];
}

/** Returns a schema together with all of its alternatives. */
function alternatives(root: JsonSchema, schema: JsonSchema, depth = 0): readonly JsonSchema[] {
  if (depth > referencesMax) return [];
  const { $ref, anyOf = [], oneOf = [], allOf = [] } = schema;
  const meant = $ref === undefined ? [] : [referred(root, $ref)];
  const others = [...meant, ...anyOf, ...oneOf, ...allOf].flatMap((one) => alternatives(root, one, depth + 1));
  // A description next to a reference or a choice applies to each alternative.
  const { description } = schema;
  const described = description === undefined ? others : others.map((one) => ({ description, ...one }));
  return [schema, ...described];
}

function referred(root: JsonSchema, reference: string): JsonSchema {
  if (reference === '#') return root;
  const name = reference.slice(reference.lastIndexOf('/') + 1);
  return root.$defs?.[name] ?? {};
}

function listKeys(root: JsonSchema, schemas: readonly JsonSchema[]): readonly OfferedWord[] {
  const words = new Map<string, OfferedWord>();
  for (const { properties = {}, required = [] } of schemas) {
    for (const [word, schema] of Object.entries(properties)) {
      const about = alternatives(root, schema).find(({ description }) => description !== undefined)?.description ?? '';
      const wanted = required.includes(word) && about === '' ? 'is wanted' : about;
      if (!words.has(word)) words.set(word, { word, kind: 'key', about: wanted });
    }
  }
  return [...words.values()];
}

function listValues(schemas: readonly JsonSchema[]): readonly OfferedWord[] {
  const words = new Map<string, OfferedWord>();
  for (const schema of schemas) {
    const { description: about = '' } = schema;
    for (const value of listedValues(schema)) {
      const word = typeof value === 'string' ? value : JSON.stringify(value);
      if (!words.has(word)) words.set(word, { word, kind: 'value', about });
    }
  }
  return [...words.values()];
}

function listedValues({ enum: listed = [], type = [], default: usual, ...schema }: JsonSchema): readonly unknown[] {
  const types = typeof type === 'string' ? [type] : type;
  return [
    ...listed,
    ...('const' in schema ? [schema.const] : []),
    ...(types.includes('boolean') ? [true, false] : []),
    ...(types.includes('null') ? [null] : []),
    ...(typeof usual === 'object' || usual === undefined ? [] : [usual]),
  ];
}
