import { z } from 'zod';

/** JSON object in an OpenAPI document. */
export type Json = Readonly<Record<string, unknown>>;

/** Parts in which the OpenAPI documents of this server differ. */
export interface ApiDescription<Paths extends Json, Components extends Json> {
  readonly title: string;
  readonly version: string;
  readonly description: string;
  readonly servers: readonly Json[];
  readonly security: readonly Json[];
  readonly paths: Paths;
  readonly components: Components;
}

/** Creates an OpenAPI 3.1 document. */
export function createOpenApiDocument<Paths extends Json, Components extends Json>(
  api: ApiDescription<Paths, Components>,
) {
  const { title, version, description, servers, security, paths, components } = api;
  return {
    openapi: '3.1.0',
    info: { title, version, description, license: { name: 'Apache-2.0', identifier: 'Apache-2.0' } },
    servers,
    security,
    paths,
    components,
  } as const;
}

/** Creates the content of a JSON body. */
export function jsonContent(schema: Json): Json {
  return { 'application/json': { schema } };
}

/** Creates a reference to a component schema. Several names create a union of references. */
export function schemaReference(...names: readonly string[]): Json {
  const references = names.map((name) => ({ $ref: `#/components/schemas/${name}` }));
  return references.length === 1 ? (references[0] ?? {}) : { anyOf: references };
}

/** Creates an optional query parameter of type string, unless `schema` is set. */
export function queryParameter(name: string, description: string, schema: Json = { type: 'string' }): Json {
  return { name, in: 'query', required: false, description, schema };
}

/** Creates an optional request header parameter. */
export function headerParameter(name: string, description: string): Json {
  return { name, in: 'header', required: false, description, schema: { type: 'string' } };
}

/** Converts a schema to JSON Schema, either for requests (`input`) or for responses. */
export function toJsonSchema(schema: z.ZodType, io: 'input' | 'output' = 'output'): Json {
  const { $schema: _dialect, ...rest } = z.toJSONSchema(schema, { io });
  return rest;
}
