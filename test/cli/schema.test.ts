import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { schemaFileName } from '../../src/cli/schema/print-schema.ts';
import { publishedSchemas, schemaText } from '../../src/cli/schema/schemas.ts';
import { nonEmpty } from '../non-empty.ts';
import { parseOutput, runHere } from './command-context.ts';
import { suiteFolder } from './suite-folder.ts';

const committed = join(import.meta.dirname, '../../docs/schemas');
const names = [...publishedSchemas.keys()];

describe('schema', () => {
  it.each(nonEmpty(names))('docs/schemas contains %s as the program prints it', async (name) => {
    const { code, stdout } = await runHere(['schema', name]);
    expect(code).toBe(0);
    expect(readFileSync(join(committed, schemaFileName(name)), 'utf8')).toBe(stdout);
  });

  it('docs/schemas contains no other files, and --out writes the same files', async () => {
    const cwd = suiteFolder({});
    expect((await runHere(['schema', '--out', 'there'], { cwd })).code).toBe(0);
    expect(readdirSync(join(cwd, 'there')).toSorted()).toEqual(readdirSync(committed).toSorted());
    expect(readdirSync(committed)).toHaveLength(names.length);
  });

  it('file-unreadable: --out rejects a path that is a file', async () => {
    const ended = await runHere(['schema', '--out', 'taken', '--json'], { cwd: suiteFolder({ taken: '' }) });
    expect(ended.code).toBe(2);
    expect(ended.stderr).toContain('error file-unreadable');
  });

  it('a call without a name lists the schemas', async () => {
    expect(parseOutput(await runHere(['schema', '--json']))).toEqual(names);
    const { stdout } = await runHere(['schema']);
    for (const name of nonEmpty(names)) expect(stdout).toMatch(new RegExp(`^${name} `, 'm'));
  });

  it.each(nonEmpty(names.filter((name) => !name.endsWith('-openapi'))))(
    '%s identifies itself by $id and title',
    (name) => {
      const schema = publishedSchemas.get(name);
      const document = JSON.parse(schema === undefined ? '{}' : schemaText(schema));
      expect(document).toMatchObject({ $id: `urn:nudgelab:schema:${name}`, title: expect.stringMatching(/\w/) });
      expect(document.$schema).toMatch(/json-schema/);
    },
  );

  it('scenario: the schema lists every step and rejects unknown keys', () => {
    const schema = publishedSchemas.get('scenario');
    const document = JSON.parse(schema === undefined ? '{}' : schemaText(schema));
    expect(document.additionalProperties).toBe(false);
    expect(document.required.toSorted()).toEqual(['given', 'name', 'steps']);
    type Part = {
      readonly $ref?: string;
      readonly anyOf?: readonly Part[];
      readonly properties?: object;
      readonly items?: Part;
    };
    // Repeated parts are stated once under $defs, next to the definition of row values.
    const resolved = (part: Part): Part => {
      const { $ref, anyOf } = part;
      if ($ref !== undefined) return resolved(document.$defs[$ref.split('/').pop() ?? '']);
      return anyOf?.[0] === undefined ? part : resolved(anyOf[0]);
    };
    const verbs = Object.keys(resolved(resolved(document.properties.steps).items ?? {}).properties ?? {});
    expect(verbs).toEqual(expect.arrayContaining(['signIn', 'skip', 'patchPolicy']));
  });
});
