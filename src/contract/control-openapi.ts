import { z } from 'zod';
import { type ErrorCode, errorTable } from '../core/errors.ts';
import * as analyses from './analysis.schema.ts';
import { analysisOperations } from './analysis-operations.ts';
import { type ControlOperation, isStream } from './control-operation.ts';
import { directoryOperations, questionOperations, sandboxOperations } from './control-operations.ts';
import * as responses from './control-responses.schema.ts';
import { describeKeys } from './describe-keys.ts';
import { documentOperations } from './document-operations.ts';
import { describeGivenByFixture, takesFixtures } from './fixture-given.ts';
import { galleryOperations } from './gallery-operations.ts';
import { elementKey, isSchema, type JsonSchema } from './json-schema.ts';
import { lookupOperations } from './lookup-operations.ts';
import { modelOperations } from './model-operations.ts';
import { createOpenApiDocument, headerParameter, type Json, jsonContent } from './openapi.ts';
import * as probes from './probe-responses.schema.ts';
import { rulesetOperations } from './ruleset-operations.ts';
import { numbered, SharedSchemas } from './share-schemas.ts';
import * as suites from './suite.schema.ts';
import { suiteOperations } from './suite-operations.ts';

/** All operations of the control API in the order of the OpenAPI document. */
export const controlOperations: readonly ControlOperation[] = [
  ...Object.values(sandboxOperations),
  ...Object.values(directoryOperations),
  ...Object.values(questionOperations),
  ...Object.values(lookupOperations),
  ...Object.values(documentOperations),
  ...Object.values(analysisOperations),
  ...Object.values(modelOperations),
  ...Object.values(suiteOperations),
  ...Object.values(galleryOperations),
  ...Object.values(rulesetOperations),
];

/** Error codes that every operation can return in addition to its own. */
const commonErrors: readonly ErrorCode[] = [
  'bad-request',
  'control-key-invalid',
  'origin-not-allowed',
  'too-many-requests',
  'server-busy',
  'internal-error',
];

/** Error codes of operations that read a body or change state. */
const bodyErrors: readonly ErrorCode[] = ['payload-too-large', 'unsupported-media-type'];
/** Error codes of operations whose body can name fixtures. */
const fixtureErrors: readonly ErrorCode[] = ['fixture-not-found', 'fixture-invalid'];
const changeErrors: readonly ErrorCode[] = ['journal-full', 'store-failed'];

/** Shorter schemas are repeated. Generated clients have a type for each component, and small ones would be too many. */
const namedCharactersMin = 320;

const componentsAt = '#/components/schemas/';
const failuresAt = '#/components/responses/';
const errorReference: Json = { $ref: `${componentsAt}Error` };

/** Response schemas by component name, so schemas that are shared or nested are described only once. */
const named = namedResponses(responses, probes, suites, analyses);

const lastEventId: Json = {
  name: 'Last-Event-ID',
  in: 'header',
  required: false,
  description: 'The id of the last event received; the stream resumes after it.',
  schema: { type: 'integer', minimum: 0 },
};

const { paths, schemas } = shareAll(createPaths(controlOperations), createComponents(named));

/** OpenAPI 3.1 document of the control API, generated from the contracts that the routes use for parsing. */
export const controlDocument = createOpenApiDocument({
  title: 'NudgeLab control API',
  version: '1.0.0',
  description: 'Sets up, controls and inspects tests: sandboxes, clock, tenant, users, tokens, journal, verdicts.',
  servers: [{ url: '/_control/v1' }],
  paths,
  // The control key is optional on the loopback interface unless the server was started with one.
  security: [{}, { controlKey: [] }, { consoleSession: [] }],
  components: {
    schemas,
    responses: createFailures(controlOperations),
    securitySchemes: {
      controlKey: { type: 'http', scheme: 'bearer', description: 'The control key of the server.' },
      consoleSession: {
        type: 'apiKey',
        in: 'cookie',
        name: 'nudgelab-console',
        description: 'In browsers, the name contains the port of the server: nudgelab-4700-console.',
      },
    },
  },
});

function createPaths(operations: readonly ControlOperation[]): Json {
  const paths: Record<string, Record<string, unknown>> = {};
  for (const operation of operations) {
    const item = paths[operation.path] ?? { parameters: pathParameters(operation.path) };
    item[operation.method] = createOperation(operation);
    paths[operation.path] = item;
  }
  return paths;
}

function createOperation(operation: ControlOperation): Json {
  const { id, summary, body, file, query, headers, reply } = operation;
  const parameters = [
    ...queryParameters(query),
    ...headerParameters(headers),
    ...(isStream(reply) && reply.stream === 'events' ? [lastEventId] : []),
  ];
  return {
    operationId: id,
    summary,
    tags: [getTag(operation.path)],
    ...(parameters.length === 0 ? {} : { parameters }),
    ...(body === null ? {} : { requestBody: requestBody(operation, body) }),
    ...(file === null ? {} : { requestBody: { required: true, content: { [file.mediaType]: {} } } }),
    responses: createResponses(operation),
  };
}

function getTag(path: string): string {
  const [, top = '', , below] = path.split('/');
  return top === 'sandboxes' ? (below ?? top) : top;
}

/** A POST without a body is treated as an empty object if the operation has no required properties. */
function requestBody({ method, path }: ControlOperation, body: z.ZodType): Json {
  const required = method !== 'post' || !body.safeParse({}).success;
  return { required, content: jsonContent(describeKeys(toSchema(body, 'input'), [getResource(path)])) };
}

/** Returns the name of what a path addresses, such as `user` or `faults`, which tells keys of the same name apart. */
function getResource(path: string): string {
  return path.split('/').at(-1)?.replaceAll(/[{}]/g, '') ?? '';
}

function createResponses(operation: ControlOperation): Json {
  const successes = operation.statuses.map((status) => [status, success(operation.reply)] as const);
  const codesByStatus = Map.groupBy(new Set(listErrors(operation)), (code) => errorTable[code].status);
  const failures = [...codesByStatus].map(
    ([status, codes]) => [status, { $ref: `${failuresAt}${formatName(codes)}` }] as const,
  );
  return Object.fromEntries([...successes, ...failures]);
}

/** Lists all error codes that an operation can return. */
function listErrors({ method, body, errors }: ControlOperation): readonly ErrorCode[] {
  const namesFixtures = body !== null && takesFixtures(body);
  return [
    ...commonErrors,
    ...(body === null ? [] : bodyErrors),
    ...(namesFixtures ? fixtureErrors : []),
    ...(method === 'get' ? [] : changeErrors),
    ...errors,
  ];
}

function success(reply: ControlOperation['reply']): Json {
  if (reply === null) return { description: 'Done.' };
  if (reply === 'file') return { description: 'The file.', content: { 'application/octet-stream': {} } };
  if (isStream(reply)) {
    const { stream, description } = reply;
    const media = stream === 'events' ? 'text/event-stream' : 'application/x-ndjson';
    return { description: 'A stream.', content: { [media]: { schema: { type: 'string', description } } } };
  }
  const id = named.get(reply)?.id;
  const schema = id === undefined ? toSchema(reply, 'output') : { $ref: `${componentsAt}${id}` };
  return { description: 'The answer.', content: jsonContent(schema) };
}

/** Describes the error responses. Operations share most of them, so each response is described only once. */
function createFailures(operations: readonly ControlOperation[]): Json {
  const failures = operations.flatMap((operation) => {
    const codesByStatus = Map.groupBy(new Set(listErrors(operation)), (code) => errorTable[code].status);
    return [...codesByStatus.values()].map((codes) => [formatName(codes), failure(codes)] as const);
  });
  return sortByName(failures);
}

function formatName(codes: readonly ErrorCode[]): string {
  return codes.join('.');
}

function failure(codes: readonly ErrorCode[]): Json {
  const description = codes.map((code) => `\`${code}\`: ${errorTable[code].title}.`).join(' ');
  return { description, content: jsonContent(errorReference) };
}

function pathParameters(path: string): readonly Json[] {
  return [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => ({
    name,
    in: 'path',
    required: true,
    schema: { type: 'string' },
  }));
}

function queryParameters(query: z.ZodType): readonly Json[] {
  const { properties = {}, required = [] } = toSchema(query, 'input') as {
    readonly properties?: Json;
    readonly required?: readonly string[];
  };
  return Object.entries(properties).map(([name, schema]) => {
    return { name, in: 'query', required: required.includes(name), schema };
  });
}

function headerParameters(headers: Readonly<Record<string, string>>): readonly Json[] {
  return Object.entries(headers).map(([name, description]) => headerParameter(name, description));
}

/** Moves the schemas that the document repeats to its components. */
function shareAll(
  paths: Json,
  components: ReadonlyMap<string, JsonSchema>,
): { readonly paths: Json; readonly schemas: Json } {
  const shared = new SharedSchemas(
    { charactersMin: namedCharactersMin, reference: (name) => ({ $ref: `${componentsAt}${name}` }), chooseName },
    components,
  );
  for (const schema of components.values()) shared.countParts(schema);
  mapSchemasOfPaths(paths, (schema) => {
    shared.count(schema);
    return schema;
  });
  const own = [...components].map(([name, schema]) => [name, shared.shareParts(schema, [name])] as const);
  const sharing = mapSchemasOfPaths(paths, (schema, resource) => shared.share(schema, [resource]));
  return { paths: sharing, schemas: sortByName([...own, ...shared.definitions]) };
}

/** Returns the paths with the schema of each parameter and body replaced. */
function mapSchemasOfPaths(paths: Json, replace: (schema: JsonSchema, resource: string) => JsonSchema): Json {
  const replaceBelow = (node: unknown, resource: string): unknown => {
    if (Array.isArray(node)) return node.map((one: unknown) => replaceBelow(one, resource));
    if (!isSchema(node)) return node;
    return Object.fromEntries(
      Object.entries(node).map(([key, value]) => [
        key,
        key === 'schema' && isSchema(value) ? replace(value, resource) : replaceBelow(value, resource),
      ]),
    );
  };
  return Object.fromEntries(Object.entries(paths).map(([path, item]) => [path, replaceBelow(item, getResource(path))]));
}

/**
 * Names a shared schema by the last two keys that lead to its first place, such as `TenantMethodsPolicy`. If the name is
 * taken, the keys above come before it, or it is the value of an optional one.
 */
function chooseName(path: readonly string[], names: ReadonlySet<string>): string {
  const words = path.flatMap((key, index) =>
    key === elementKey ? [] : [formatWord(key, index === 0 || path[index + 1] === elementKey)],
  );
  const count = Math.min(2, words.length);
  const stems = words.slice(count - 1).map((_word, index) => words.slice(-count - index).join(''));
  const [stem = 'Schema'] = stems;
  return [...stems, `${stem}Value`].find((name) => !names.has(name)) ?? numbered(stem, names);
}

/** Formats a key as part of a component name. Elements have the singular of the name of their collection. */
function formatWord(key: string, isElement: boolean): string {
  const word = key.replaceAll(/(?:^|-)\w/g, (start) => start.slice(-1).toUpperCase());
  return isElement ? word.replace(/(x)es$|([^s])s$/, '$1$2') : word;
}

type NamedResponses = ReturnType<typeof z.registry<{ id: string }>>;

/** Registers the response schemas that modules export under their component names, such as `userResponse` as `User`. */
function namedResponses(...modules: readonly object[]): NamedResponses {
  const registry: NamedResponses = z.registry<{ id: string }>();
  for (const [key, value] of modules.flatMap((module) => Object.entries(module))) {
    const [, first = '', rest = ''] = /^(\w)(\w*)Response$/.exec(key) ?? [];
    if (first !== '' && value instanceof z.ZodType) registry.add(value, { id: `${first.toUpperCase()}${rest}` });
  }
  return registry;
}

function createComponents(registry: NamedResponses): ReadonlyMap<string, JsonSchema> {
  const { schemas } = z.toJSONSchema(registry, {
    io: 'output',
    override: plainOutput,
    uri: (id) => `${componentsAt}${id}`,
  });
  return new Map(Object.entries(schemas).map(([id, { $schema: _dialect, $id: _address, ...rest }]) => [id, rest]));
}

function sortByName(entries: readonly (readonly [string, unknown])[]): Json {
  return Object.fromEntries(entries.toSorted(([one], [other]) => (one < other ? -1 : 1)));
}

/**
 * An instant is said by its format; the pattern that says the same is ten times as long. A record of known keys is written out as
 * an object: linters want each required key among its properties.
 */
function plainOutput({ jsonSchema }: { readonly jsonSchema: z.core.JSONSchema.BaseSchema }): void {
  if (jsonSchema.format === 'date-time') delete jsonSchema.pattern;
  const { required = [], additionalProperties, properties } = jsonSchema;
  if (properties !== undefined || required.length === 0 || typeof additionalProperties !== 'object') return;
  jsonSchema.properties = Object.fromEntries(required.map((key) => [key, additionalProperties]));
  jsonSchema.additionalProperties = false;
  delete jsonSchema.propertyNames;
}

/** Converts a schema to JSON Schema 2020-12, the dialect of OpenAPI 3.1. */
function toSchema(schema: z.ZodType, io: 'input' | 'output'): Json {
  const { $schema: _dialect, ...rest } = z.toJSONSchema(
    schema,
    io === 'input' ? { io, override: describeGivenByFixture } : { io, override: plainOutput },
  );
  return rest;
}
