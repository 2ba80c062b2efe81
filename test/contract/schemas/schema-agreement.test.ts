import { describe, expect, it } from 'vitest';
import { publishedSchemas } from '../../../src/cli/schema/schemas.ts';
import { nonEmpty } from '../../non-empty.ts';
import { bentFiles, beyondFiles, soundFiles } from './bent-files.ts';
import { lintProblems, schemaProblems, shippedFiles, strictValidator } from './schema-answers.ts';

const names = [...publishedSchemas.keys()].filter((name) => !name.endsWith('-openapi'));

describe('published schemas', () => {
  it.each(nonEmpty(names))('%s compiles in a strict validator', (name) => {
    expect(strictValidator(name)).toBeTypeOf('function');
  });

  it('every shipped scenario and fixture is valid by its schema', () => {
    const files = shippedFiles();
    expect(files.length).toBeGreaterThan(350);
    expect(files.filter(({ kind, data }) => schemaProblems(kind, data).length > 0).map(({ path }) => path)).toEqual([]);
  });

  it.each(nonEmpty(bentFiles))('schema and lint reject a bent file: $name', async ({ kind, data }) => {
    expect(await lintProblems(kind, data)).not.toEqual([]);
    expect(schemaProblems(kind, data)).not.toEqual([]);
  });

  it.each(nonEmpty(soundFiles))('schema and lint accept a sound file: $name', async ({ kind, data }) => {
    expect(await lintProblems(kind, data)).toEqual([]);
    expect(schemaProblems(kind, data)).toEqual([]);
  });

  it.each(nonEmpty(beyondFiles))('lint alone rejects, because $reason: $name', async ({ kind, data }) => {
    expect(await lintProblems(kind, data)).not.toEqual([]);
    expect(schemaProblems(kind, data)).toEqual([]);
  });
});
