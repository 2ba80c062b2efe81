import { z } from 'zod';
import type { FilterProperties } from '../odata/filter-properties.ts';
import type { QueryRow } from '../odata/query-row.ts';
import {
  createOpenApiDocument,
  headerParameter,
  type Json,
  jsonContent,
  queryParameter,
  toJsonSchema,
} from '../openapi.ts';
import { policyErrorSchema } from '../policy-openapi.ts';
import { seedDialect } from './dialect.ts';
import { type DirectoryApiOperation, directoryApiOperationList } from './directory-api-operations.ts';
import type { ResourceType } from './resource-type.ts';
import { listProperties, type ResourceTypeName, resourceTypes } from './resource-types.ts';

const parametersAt = '#/components/parameters/';
const schemasAt = '#/components/schemas/';
const failuresAt = '#/components/responses/';

/** Descriptions of the query options that many operations support, by component name. */
const sharedParameters: Readonly<Record<string, Json>> = {
  select: queryParameter('$select', 'Properties to return, separated by commas; `*` for all.'),
  skiptoken: queryParameter('$skiptoken', 'The page, as `@odata.nextLink` names it.'),
  count: queryParameter('$count', '`true` adds `@odata.count`, the number of rows on all pages.', { type: 'boolean' }),
  search: queryParameter('$search', 'Clauses such as `"displayName:ada"`, joined by `AND` and `OR`.'),
  consistencyLevel: headerParameter('ConsistencyLevel', '`eventual`, which counting and some filters require.'),
};

/** Error responses that every operation can return, by class of status. */
const failures: Readonly<Record<string, string>> = {
  '4XX': 'The request is not valid, lacks access, or names nothing that exists; 429 is an injected fault.',
  '5XX': 'An injected fault, an internal error, or a full journal.',
};

const failureReferences: Json = Object.fromEntries(
  Object.keys(failures).map((status) => [status, { $ref: `${failuresAt}${status}` }]),
);

/** OpenAPI 3.1 document of the directory API, generated from the table that the routes use. */
export const directoryDocument = createOpenApiDocument({
  title: 'Directory API',
  version: '1.0.0',
  description:
    'Reads the tenant, users, groups and directory roles of a sandbox, and changes the methods of its users, with a subset of OData 4.',
  servers: [{ url: '/v1.0' }, { url: '/beta' }],
  tags: [...new Set(directoryApiOperationList.map(getTag))].map((name) => ({
    name,
    description: `Operations below \`/${name}\`.`,
  })),
  security: [{ bearer: [] }],
  paths: createPaths(),
  components: {
    parameters: sharedParameters,
    responses: Object.fromEntries(
      Object.entries(failures).map(([status, description]) => [
        status,
        { description, content: jsonContent({ $ref: `${schemasAt}Error` }) },
      ]),
    ),
    schemas: {
      ...Object.fromEntries(Object.values(resourceTypes).map((type) => [type.name, describeResource(type)])),
      Error: toJsonSchema(policyErrorSchema),
    },
    securitySchemes: { bearer: { type: 'http', scheme: 'bearer', bearerFormat: 'JWT' } },
  },
});

function createPaths(): Json {
  const paths: Record<string, Record<string, unknown>> = {};
  for (const operation of directoryApiOperationList) {
    const item = paths[operation.path] ?? describePath(operation.path);
    item[operation.method] = describeOperation(operation);
    paths[operation.path] = item;
  }
  return paths;
}

function describePath(path: string): Record<string, unknown> {
  const parameters = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => ({
    name,
    in: 'path',
    required: true,
    schema: { type: 'string' },
  }));
  return parameters.length === 0 ? {} : { parameters };
}

function describeOperation(operation: DirectoryApiOperation): Json {
  const { id, summary, body, access, row, statuses } = operation;
  const parameters = listParameters(row);
  return {
    operationId: id,
    summary,
    description: [describeAccess(access), ...describeSuffixes(operation)].join(' '),
    tags: [getTag(operation)],
    ...(parameters.length === 0 ? {} : { parameters }),
    ...(body === null ? {} : { requestBody: { required: true, content: jsonContent(toJsonSchema(body, 'input')) } }),
    responses: {
      ...Object.fromEntries(
        statuses.map((status) => [
          status,
          status === 204
            ? { description: 'No content.' }
            : { description: 'The answer.', content: jsonContent(describeResult(operation)) },
        ]),
      ),
      ...failureReferences,
    },
  };
}

function describeAccess({ delegated, application, roles = [] }: DirectoryApiOperation['access']): string {
  if (delegated.length === 0) return 'Each request of the batch requires its own permissions.';
  return `Requires one of ${delegated.join(', ')} for a user${describeRoles(roles)}, or one of ${application.join(', ')} for an application.`;
}

/** Describes the roles of which a user needs one, except for the own user. */
function describeRoles(roles: readonly string[]): string {
  return roles.length === 0 ? '' : ` who has the role ${roles.join(' or ')} or is the own user`;
}

/** Describes the segments that can follow the path of a list. */
function describeSuffixes({ row, types, isBeta, functionArguments, result }: DirectoryApiOperation): readonly string[] {
  const casts = types.map((type) => `\`/${seedDialect.data.namespace}.${resourceTypes[type].name}\``);
  const suffixArguments = functionArguments.map((name) => `\`${name}\``).join(', ');
  return [
    ...(isBeta ? ['Only `/beta` has it.'] : []),
    ...(functionArguments.length === 0 ? [] : [`Arguments in parentheses after the path: ${suffixArguments}.`]),
    ...(row.count === true ? ['`/$count` after the path returns the number of rows as text.'] : []),
    ...(casts.length > 1 && result === 'list' ? [`${casts.join(' or ')} returns the rows of one type.`] : []),
  ];
}

function describeResult({ id, result, types, reply }: DirectoryApiOperation): Json {
  const context = { '@odata.context': { type: 'string' } };
  if (result === 'object') return toReference(types);
  if (id === 'postBatch') return toJsonSchema(reply);
  if (result === 'action') return { type: 'object', properties: { ...context, value: toJsonSchema(reply) } };
  return {
    type: 'object',
    required: ['value'],
    properties: {
      ...context,
      '@odata.count': { type: 'integer' },
      '@odata.nextLink': { type: 'string' },
      value: { type: 'array', items: toReference(types) },
    },
  };
}

function toReference(types: readonly ResourceTypeName[]): Json {
  const references = types.map((type) => ({ $ref: `${schemasAt}${resourceTypes[type].name}` }));
  return references.length === 1 ? (references[0] ?? {}) : { anyOf: references };
}

/** Describes the properties of a type. Which of them a response contains depends on `$select`. */
function describeResource(type: ResourceType): Json {
  const { properties } = toJsonSchema(z.strictObject(type.schema.shape)) as { readonly properties: Json };
  const known = listProperties(type, seedDialect).filter((name) => !Object.hasOwn(properties, name));
  return {
    type: 'object',
    ...(known.length === 0
      ? {}
      : { description: `Also accepted in \`$select\`, without values: ${known.join(', ')}.` }),
    properties,
  };
}

function listParameters({
  page,
  skip,
  filter,
  orderby = [],
  expand = [],
  count,
  search,
  select,
}: QueryRow): readonly Json[] {
  const share = (name: keyof typeof sharedParameters) => ({ $ref: `${parametersAt}${name}` });
  const top = page === null ? [] : [describeTop(page.rowsMax), share('skiptoken')];
  return [
    ...(select === false ? [] : [share('select')]),
    ...top,
    ...(skip === true
      ? [queryParameter('$skip', 'Number of rows to leave out.', { type: 'integer', minimum: 0 })]
      : []),
    ...(filter === undefined ? [] : [queryParameter('$filter', `By ${describeFilters(filter)}.`)]),
    ...(orderby.length === 0 ? [] : [queryParameter('$orderby', `By ${orderby.join(', ')}.`)]),
    ...(expand.length === 0 ? [] : [queryParameter('$expand', `Any of ${expand.join(', ')}.`)]),
    ...(search === undefined ? [] : [share('search'), share('consistencyLevel')]),
    ...(count === true ? [share('count')] : []),
  ];
}

function describeTop(maximum: number): Json {
  return queryParameter('$top', 'Number of rows per page.', { type: 'integer', minimum: 1, maximum });
}

function describeFilters(filter: FilterProperties): string {
  return Object.keys(filter).join(', ');
}

function getTag({ path }: Pick<DirectoryApiOperation, 'path'>): string {
  return path.split('/')[1] ?? '';
}
