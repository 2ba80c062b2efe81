import { z } from 'zod';
import { clientSchema } from '../../contract/client.schema.ts';
import { comparisonSchema } from '../../contract/comparison.schema.ts';
import { controlDocument } from '../../contract/control-openapi.ts';
import { verdictResponse } from '../../contract/control-responses.schema.ts';
import { documentDocument } from '../../contract/document-openapi.ts';
import { factsSchema, tenantFactsSchema } from '../../contract/facts.schema.ts';
import { faultSchema } from '../../contract/fault.schema.ts';
import { forecastSchema } from '../../contract/forecast.schema.ts';
import { importManifestSchema } from '../../contract/import-manifest.schema.ts';
import { importMappingSchema } from '../../contract/import-mapping.schema.ts';
import { journeyLineSchema } from '../../contract/journey.schema.ts';
import { lookupSchema } from '../../contract/lookup.schema.ts';
import { lookupDocument } from '../../contract/lookup-openapi.ts';
import { policyDocument } from '../../contract/policy-openapi.ts';
import { runReportSchema } from '../../contract/result.schema.ts';
import { sandboxUserSchema, tenantSettingsSchema } from '../../contract/sandbox.schema.ts';
import { scenarioSchema } from '../../contract/scenario.schema.ts';
import { configSchema } from '../config.schema.ts';

/** Published document. */
interface PublishedSchema {
  readonly title: string;
  /** Returns the document as a value for JSON. */
  readonly document: () => object;
}

const base = z.string().optional().describe('Name of the fixture that this one extends.');

/** Published documents by name. */
export const publishedSchemas: ReadonlyMap<string, PublishedSchema> = new Map([
  jsonSchema('scenario', 'A scenario', scenarioSchema, 'input'),
  jsonSchema('facts', 'Facts that a verdict is evaluated on: one line of `explain --facts`', factsSchema, 'input'),
  jsonSchema('verdict', 'A verdict', verdictResponse, 'output'),
  jsonSchema('fixture-tenant', 'A tenant in fixtures/tenants', fixtureTenant(), 'input'),
  jsonSchema('fixture-user', 'A user in fixtures/users', fixtureUser(), 'input'),
  jsonSchema('forecast', 'The tenant description that `forecast` reads', forecastSchema, 'input'),
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
  jsonSchema('fixture-lookup', 'A lookup service in fixtures/lookup', fixtureLookup(), 'input'),
  jsonSchema('fixture-client', 'An OpenID client in fixtures/clients', fixtureClient(), 'input'),
  jsonSchema('fixture-fault', 'A fault in fixtures/faults', fixtureFault(), 'input'),
  ['document-openapi', { title: 'The document records API, as an OpenAPI document', document: () => documentDocument }],
  ['lookup-openapi', { title: 'The lookup API, as an OpenAPI document', document: () => lookupDocument }],
  ['policy-openapi', { title: 'The policy API, as an OpenAPI document', document: () => policyDocument }],
  ['control-openapi', { title: 'The control API, as an OpenAPI document', document: () => controlDocument }],
]);

function fixtureTenant(): z.ZodType {
  return tenantFactsSchema.extend({ settings: tenantSettingsSchema.optional(), extends: base });
}

function fixtureUser(): z.ZodType {
  return sandboxUserSchema.omit({ id: true }).extend({ extends: base });
}

function fixtureLookup(): z.ZodType {
  return lookupSchema.extend({ extends: base });
}

/**
 * Creates the schema of a client fixture. The id is optional, because it defaults to the file name. Required fields
 * are optional too, because the base fixture can contain them.
 */
function fixtureClient(): z.ZodType {
  return z.strictObject({ ...clientSchema.shape, id: clientSchema.shape.id.optional(), extends: base });
}

function fixtureFault(): z.ZodType {
  return z.union([
    faultSchema,
    z.looseObject({ extends: z.string().describe('Name of the fault that this one extends.') }),
  ]);
}

function jsonSchema(name: string, title: string, schema: z.ZodType, io: 'input' | 'output'): [string, PublishedSchema] {
  const document = (): object => {
    const { $schema, ...rest } = z.toJSONSchema(schema, { io, unrepresentable: 'any', reused: 'ref' });
    return { $schema, $id: `urn:nudgelab:schema:${name}`, title, ...rest };
  };
  return [name, { title, document }];
}

/** Formats a published document as text. */
export function schemaText({ document }: PublishedSchema): string {
  return `${JSON.stringify(document(), null, 2)}\n`;
}
