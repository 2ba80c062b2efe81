import { describe, expect, it } from 'vitest';
import { publishedSchemas } from '../../../src/cli/schema/schemas.ts';
import { definitionName, isSchema, type JsonSchema, mapSchemas } from '../../../src/contract/json-schema.ts';
import { nonEmpty } from '../../non-empty.ts';
import { bentFiles, beyondFiles, soundFiles } from './bent-files.ts';
import { lintProblems, schemaProblems, shippedFiles, strictValidator } from './schema-answers.ts';

const names = [...publishedSchemas.keys()].filter((name) => !name.endsWith('-openapi'));

/** Schemas of files that people write. */
const written = names.filter((name) => /^(scenario|facts|fixture-.*|config|forecast)$/.test(name));

/** Keys of a document without a description, by their path; a reference is followed once at each key. */
function undescribed(name: string): readonly string[] {
  const document = publishedSchemas.get(name)?.document() as Readonly<Record<string, unknown>>;
  const definitions = (document['$defs'] ?? {}) as Readonly<Record<string, unknown>>;
  const missing = new Set<string>();
  mapSchemas(document, (schema) => {
    const described = Object.entries((schema['properties'] ?? {}) as object).filter(([, part]) => isSchema(part));
    for (const [key, part] of described as [string, JsonSchema][]) {
      const definition = definitions[definitionName(part) ?? ''];
      const known = part['description'] ?? (isSchema(definition) ? definition['description'] : undefined);
      const isRule = schema['additionalProperties'] === undefined;
      if (known === undefined && !isRule) missing.add(key);
    }
    return schema;
  });
  return [...missing];
}

describe('published schemas', () => {
  it.each(nonEmpty(written))('%s: every key has a description', (name) => {
    expect(undescribed(name)).toEqual([]);
  });

  it.each(nonEmpty(names))('%s compiles in a strict validator', (name) => {
    expect(strictValidator(name)).toBeTypeOf('function');
  });

  it('every shipped scenario and fixture is valid by its schema', () => {
    const files = shippedFiles();
    expect(files.length).toBeGreaterThan(350);
    expect(files.filter(({ kind, data }) => schemaProblems(kind, data).length > 0).map(({ path }) => path)).toEqual([]);
  });

  it.each(nonEmpty(bentFiles))('schema and lint reject an invalid file: $name', async ({ kind, data }) => {
    expect(await lintProblems(kind, data)).not.toEqual([]);
    expect(schemaProblems(kind, data)).not.toEqual([]);
  });

  it.each(nonEmpty(soundFiles))('schema and lint accept a valid file: $name', async ({ kind, data }) => {
    expect(await lintProblems(kind, data)).toEqual([]);
    expect(schemaProblems(kind, data)).toEqual([]);
  });

  it.each(nonEmpty(beyondFiles))('only lint rejects the file, because $reason: $name', async ({ kind, data }) => {
    expect(await lintProblems(kind, data)).not.toEqual([]);
    expect(schemaProblems(kind, data)).toEqual([]);
  });
});
