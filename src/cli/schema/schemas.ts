import { z } from 'zod';
import { rulesetIds } from '../../../machines/rulesets/ruleset-registry.ts';
import { alphabetSchema } from '../../contract/alphabet.schema.ts';
import { mergedRulesetSchema } from '../../contract/campaign-ruleset.schema.ts';
import { comparisonSchema } from '../../contract/comparison.schema.ts';
import { conformanceMappingSchema } from '../../contract/conformance.schema.ts';
import { controlDocument } from '../../contract/control-openapi.ts';
import { verdictResponse } from '../../contract/control-responses.schema.ts';
import { describeKeys } from '../../contract/describe-keys.ts';
import { getDialectFileSchema } from '../../contract/directory-api/dialect.schema.ts';
import { directoryDocument } from '../../contract/directory-api/directory-openapi.ts';
import { documentDocument } from '../../contract/document-openapi.ts';
import { editorScenarioSchema } from '../../contract/editor-scenario.schema.ts';
import { factsSchema } from '../../contract/facts.schema.ts';
import {
  clientFixtureSchema,
  faultFixtureSchema,
  lookupFixtureSchema,
  tenantFixtureSchema,
  userFixtureSchema,
} from '../../contract/fixture.schema.ts';
import { forecastSchema } from '../../contract/forecast.schema.ts';
import { importManifestSchema } from '../../contract/import-manifest.schema.ts';
import { importMappingSchema } from '../../contract/import-mapping.schema.ts';
import { journeyLineSchema } from '../../contract/journey.schema.ts';
import { isSchema, type JsonSchema, mapSchemas } from '../../contract/json-schema.ts';
import { lookupDocument } from '../../contract/lookup-openapi.ts';
import { ownForecastSchema } from '../../contract/own-forecast.schema.ts';
import { policyDocument } from '../../contract/policy-openapi.ts';
import { propertiesSchema } from '../../contract/properties.schema.ts';
import { runReportSchema } from '../../contract/result.schema.ts';
import { ownRulesetSchema } from '../../contract/ruleset.schema.ts';
import { shareRepeated } from '../../contract/share-schemas.ts';
import { configSchema } from '../config.schema.ts';
import { completeMergeable } from './merge-schema.ts';
import { acceptRowValues } from './row-value-schema.ts';

/** Published document. */
interface PublishedSchema {
  readonly title: string;
  /** Returns the document as a value for JSON. */
  readonly document: () => object;
}

const ruleset = z
  .enum(rulesetIds as [string, ...string[]])
  .default('seed')
  .describe('The ruleset that verdicts are evaluated by.');

/** Published documents by name. */
export const publishedSchemas: ReadonlyMap<string, PublishedSchema> = new Map([
  jsonSchema('scenario', 'A scenario', editorScenarioSchema.extend({ ruleset }), 'input', acceptRowValues),
  jsonSchema(
    'facts',
    'Facts that a verdict is evaluated on: one line of `explain --facts`',
    factsSchema.extend({ ruleset: ruleset.optional() }),
    'input',
  ),
  jsonSchema(
    'ruleset',
    'A ruleset file: your own campaign as data, or changes of another ruleset',
    z.union([ownRulesetSchema, mergedRulesetSchema]),
    'input',
  ),
  jsonSchema('verdict', 'A verdict', verdictResponse, 'output'),
  jsonSchema('fixture-tenant', 'A tenant in fixtures/tenants', tenantFixtureSchema, 'input'),
  jsonSchema('fixture-user', 'A user in fixtures/users', userFixtureSchema, 'input'),
  jsonSchema('forecast', 'The tenant description that `forecast` reads', forecastSchema, 'input'),
  jsonSchema('own-forecast', 'The description that `forecast` reads for a ruleset file', ownForecastSchema, 'input'),
  jsonSchema('properties', 'A file of temporal properties', propertiesSchema, 'input'),
  jsonSchema('conformance-mapping', 'How `nudgelab conform` reads a log', conformanceMappingSchema, 'input'),
  jsonSchema('alphabet', 'A file of the steps that `learn` sends', alphabetSchema, 'input'),
  jsonSchema('config', 'nudgelab.config', configSchema, 'input'),
  jsonSchema('result', 'What `run --json` prints', runReportSchema, 'output'),
  jsonSchema(
    'journey',
    'A line of a journey, which `nudgelab export` writes and `replay` reads',
    journeyLineSchema,
    'output',
  ),
  jsonSchema('import-mapping', 'How `nudgelab import` reads columns and values', importMappingSchema, 'input'),
  jsonSchema('import', 'The file `import.json` of an import', importManifestSchema, 'output'),
  jsonSchema('comparison', 'What `compare --json` prints', comparisonSchema, 'output'),
  jsonSchema('fixture-lookup', 'A lookup service in fixtures/lookup', lookupFixtureSchema, 'input'),
  jsonSchema('fixture-client', 'An OpenID client in fixtures/clients', clientFixtureSchema, 'input'),
  jsonSchema('fixture-fault', 'A fault in fixtures/faults', faultFixtureSchema, 'input'),
  jsonSchema(
    'dialect',
    'Names that the policy API and the directory API use on the wire',
    getDialectFileSchema(),
    'input',
  ),
  ['document-openapi', { title: 'The document records API, as an OpenAPI document', document: () => documentDocument }],
  ['lookup-openapi', { title: 'The lookup API, as an OpenAPI document', document: () => lookupDocument }],
  ['policy-openapi', { title: 'The policy API, as an OpenAPI document', document: () => policyDocument }],
  ['directory-openapi', { title: 'The directory API, as an OpenAPI document', document: () => directoryDocument }],
  ['control-openapi', { title: 'The control API, as an OpenAPI document', document: () => controlDocument }],
]);

function jsonSchema(
  name: string,
  title: string,
  schema: z.ZodType,
  io: 'input' | 'output',
  complete: (document: JsonSchema) => JsonSchema = (document) => document,
): [string, PublishedSchema] {
  const document = (): object => {
    const { $schema, ...rest } = z.toJSONSchema(schema, { io, unrepresentable: 'any' });
    const { $defs, ...whole } = shareRepeated(complete(completeMergeable(describeKeys(mapSchemas(rest, strictly)))));
    const $id = `urn:nudgelab:schema:${name}`;
    return { $schema, $id, title, ...whole, ...(isSchema($defs) ? { $defs } : {}) };
  };
  return [name, { title, document }];
}

/** The pattern of an absolute URL, which has a scheme. */
const urlPattern = '^[A-Za-z][A-Za-z0-9+.-]*:';

/**
 * A schema that strict validators accept. They reject unknown formats, so patterns replace formats, and alternatives of
 * one type replace lists of types.
 */
function strictly(schema: JsonSchema): JsonSchema {
  const { format, type, ...rest } = schema;
  const types = Array.isArray(type) ? { anyOf: type.map((one: unknown) => ({ type: one })) } : { type };
  const typed = type === undefined ? rest : { ...types, ...rest };
  return format === 'uri' ? { pattern: urlPattern, ...typed } : typed;
}

/** Formats a published document as text. */
export function schemaText({ document }: PublishedSchema): string {
  return `${JSON.stringify(document(), null, 2)}\n`;
}
