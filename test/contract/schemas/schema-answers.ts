import { relative } from 'node:path';
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import { fixtureProblems } from '../../../src/cli/lint/lint-fixtures.ts';
import { publishedSchemas, schemaText } from '../../../src/cli/schema/schemas.ts';
import { type FixtureKind, fixtureKinds } from '../../../src/contract/fixture-kinds.ts';
import { isPlainObject } from '../../../src/core/merge-patch.ts';
import { dataBytesMax } from '../../../src/scenario/data-file.ts';
import { substituteExample } from '../../../src/scenario/examples.ts';
import { fixtureFiles } from '../../../src/scenario/fixture-files.ts';
import { FixtureLibrary } from '../../../src/scenario/fixture-library.ts';
import { loadText } from '../../../src/scenario/load.ts';
import { unsupportedSteps } from '../../../src/scenario/run-suite.ts';
import { scenarioFiles } from '../../../src/scenario/scenario-files.ts';
import { YamlSource } from '../../../src/scenario/yaml-source.ts';

/** Kinds of files that both `lint` and a published schema check. */
export type CheckedKind = FixtureKind | 'scenarios';

/** The published schema of each kind of file. */
const schemaOfKind: Readonly<Record<CheckedKind, string>> = {
  scenarios: 'scenario',
  tenants: 'fixture-tenant',
  users: 'fixture-user',
  clients: 'fixture-client',
  faults: 'fixture-fault',
  lookup: 'fixture-lookup',
};

/** The fixtures that the program ships. */
const shippedFixtures = new FixtureLibrary(['fixtures']);

const validators = new Map<string, ValidateFunction>();

/** Compiles a published schema once, in strict mode. Throws for an unknown keyword or format. */
export function strictValidator(name: string): ValidateFunction {
  const known = validators.get(name);
  if (known !== undefined) return known;
  const schema = publishedSchemas.get(name);
  if (schema === undefined) throw new Error(`There is no schema ${name}.`);
  const validate = new Ajv2020({ strict: true, allErrors: true }).compile(JSON.parse(schemaText(schema)) as object);
  validators.set(name, validate);
  return validate;
}

/** Returns the errors of a file in the published schema, shortest location first; an empty list for a valid file. */
export function schemaProblems(kind: CheckedKind, data: unknown): readonly string[] {
  const validate = strictValidator(schemaOfKind[kind]);
  if (validate(data)) return [];
  return (validate.errors ?? []).map(({ instancePath, message = '' }) => `${instancePath} ${message}`);
}

/** Returns the messages of `lint` for a file. */
export async function lintProblems(kind: CheckedKind, data: unknown): Promise<readonly string[]> {
  const text = JSON.stringify(data);
  if (kind !== 'scenarios') {
    return fixtureProblems(kind, new YamlSource('fixture.yaml', text), shippedFixtures).map(({ message }) => message);
  }
  const { scenarios, problems } = loadText('scenario.yaml', text, shippedFixtures);
  return [...problems, ...(await unsupportedSteps(scenarios))].map(({ message }) => message);
}

/** Returns the schema errors of a scenario after its example rows are filled in. */
export function rowProblems(data: unknown): readonly string[] {
  const source = new YamlSource('scenario.yaml', JSON.stringify(data));
  const examples =
    isPlainObject(data) && Array.isArray(data['examples']) ? (data['examples'] as readonly unknown[]) : [];
  return examples.flatMap((row) => {
    try {
      return schemaProblems('scenarios', substituteExample(source, row));
    } catch {
      return ['the row lacks a value'];
    }
  });
}

/** A shipped file that both `lint` and a schema check. */
export interface ShippedFile {
  readonly kind: CheckedKind;
  readonly path: string;
  readonly data: unknown;
  /** Characters of its data. */
  readonly size: number;
}

/** Reads every shipped scenario and fixture. */
export function shippedFiles(): readonly ShippedFile[] {
  const cwd = process.cwd();
  const scenarios = scenarioFiles(['scenarios'], cwd).map((path) => ({ kind: 'scenarios' as CheckedKind, path }));
  const fixtures = fixtureKinds.flatMap((kind) => fixtureFiles('fixtures', kind).map((path) => ({ kind, path })));
  return [...scenarios, ...fixtures].map(({ kind, path }) => {
    const { data } = YamlSource.ofFile(path, path, dataBytesMax);
    return { kind, path: relative(cwd, path), data, size: JSON.stringify(data).length };
  });
}
