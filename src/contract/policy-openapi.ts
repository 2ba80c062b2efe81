import { z } from 'zod';
import {
  createOpenApiDocument,
  headerParameter,
  type Json,
  jsonContent,
  queryParameter,
  schemaReference,
  toJsonSchema,
} from './openapi.ts';
import { policySchema } from './policy.schema.ts';

/** Error body of the policy API and the directory API. */
export const policyErrorSchema = z.strictObject({
  error: z.strictObject({
    code: z.string(),
    message: z.string(),
    details: z.array(z.strictObject({ code: z.string(), target: z.string(), message: z.string() })).optional(),
    innerError: z.strictObject({
      date: z.iso.datetime(),
      'request-id': z.string(),
      'client-request-id': z.string(),
    }),
  }),
});

const text: Json = { schema: { type: 'string' } };

/** Headers of every response. */
const always: Json = {
  'request-id': { description: 'Identifies the request; errors repeat it.', ...text },
};

const tag: Json = { ...always, ETag: { description: 'The version of the policy.', ...text } };

const applied: Json = {
  ...tag,
  'Preference-Applied': { description: 'The preference that was applied.', ...text },
};

const failures: Readonly<Record<string, { readonly description: string; readonly headers?: Json }>> = {
  400: { description: 'The body, one of its fields or a query option is not valid.' },
  401: { description: 'The access token is missing or invalid.', headers: { 'WWW-Authenticate': text } },
  403: { description: 'The token lacks a permission or a role.' },
  404: { description: 'The sandbox or the path does not exist.' },
  405: { description: 'Another method.', headers: { Allow: text } },
  406: { description: 'The header Accept admits no JSON.' },
  412: { description: 'The policy has changed: `If-Match` names an earlier version.' },
  413: { description: 'The body is too large.' },
  415: { description: 'The body is not JSON in UTF-8.' },
  429: { description: 'An injected fault.', headers: { 'Retry-After': { schema: { type: 'integer', minimum: 0 } } } },
  500: { description: 'An injected fault, or an internal error.' },
  503: { description: 'An injected fault, or the journal is full.' },
};

const shownPolicy = schemaReference('Policy', 'SelectedPolicy');

/** Query options. Names match in any case, with or without the dollar sign. */
const queryOptions: readonly Json[] = [
  queryParameter('$select', 'The properties to return, separated by commas; `*` for all.'),
  queryParameter('$expand', '`authenticationMethodConfigurations`; a complete response always contains it.'),
];

/** OpenAPI 3.1 document of the policy API. */
export const policyDocument = createOpenApiDocument({
  title: 'Policy API',
  version: '1.0.0',
  description: 'Reads and updates the authentication methods policy of a sandbox, including the registration campaign.',
  servers: [
    { url: '/v1.0', description: 'The default sandbox.' },
    {
      url: '{origin}/s/{sandbox}/v1.0',
      description: 'A sandbox by its id.',
      variables: {
        origin: { default: 'http://localhost:4700', description: 'Where the server listens.' },
        sandbox: { default: 'default', description: 'The id of the sandbox.' },
      },
    },
  ],
  tags: [{ name: 'policy', description: 'The authentication methods policy.' }],
  security: [{ bearer: [] }],
  paths: {
    '/policies/authenticationMethodsPolicy': {
      get: {
        operationId: 'getAuthenticationMethodsPolicy',
        summary: 'Reads the policy.',
        tags: ['policy'],
        parameters: [
          ...queryOptions,
          headerParameter('If-None-Match', 'Returns 304 if the policy is still at this version.'),
        ],
        responses: {
          200: { description: 'The policy, whole or as selected.', headers: tag, content: jsonContent(shownPolicy) },
          304: { description: 'The policy is still at the version in `If-None-Match`.', headers: tag },
          ...refusals([400, 401, 403, 404, 405, 406, 429, 500, 503]),
        },
      },
      patch: {
        operationId: 'updateAuthenticationMethodsPolicy',
        summary:
          'Updates any part of the policy: objects are merged, lists are replaced, and either all changes apply or none.',
        tags: ['policy'],
        parameters: [
          ...queryOptions,
          headerParameter('If-Match', 'Updates the policy only if it is still at this version.'),
          headerParameter('Prefer', '`return=minimal` requests a 204 response without a body.'),
        ],
        requestBody: { required: true, content: jsonContent(schemaReference('PolicyChange')) },
        responses: {
          200: {
            description: 'The policy after the change, whole or as selected.',
            headers: applied,
            content: jsonContent(shownPolicy),
          },
          204: {
            description: 'The policy was updated; no body because of `Prefer: return=minimal`.',
            headers: applied,
          },
          ...refusals([400, 401, 403, 404, 405, 406, 412, 413, 415, 429, 500, 503]),
        },
      },
    },
  },
  components: {
    schemas: {
      Policy: toJsonSchema(policySchema),
      SelectedPolicy: {
        description: 'The properties that `$select` names, each in full.',
        ...selected(toJsonSchema(policySchema)),
      },
      PolicyChange: {
        description: 'Any part of the policy. Read-only properties are accepted if they repeat the current values.',
        ...(partial(toJsonSchema(policySchema)) as Json),
      },
      Error: toJsonSchema(policyErrorSchema),
    },
    securitySchemes: { bearer: { type: 'http', scheme: 'bearer', bearerFormat: 'JWT' } },
  },
});

function refusals(statuses: readonly number[]): Json {
  return Object.fromEntries(
    statuses.map((status) => {
      const { description, headers } = failures[status] ?? { description: '' };
      const content = jsonContent(schemaReference('Error'));
      return [status, { description, headers: { ...always, ...headers }, content }];
    }),
  );
}

/** Returns the schema with `@odata.context` as the only required property of the policy. */
function selected(schema: Json): Json {
  return { ...schema, required: ['@odata.context'] };
}

/** Returns the schema without required properties, except in list entries, because lists are replaced as a whole. */
function partial(schema: unknown): unknown {
  if (typeof schema !== 'object' || schema === null || !('properties' in schema)) return schema;
  const { required: _required, properties, ...rest } = schema as Json;
  const entries = Object.entries(properties as Json).map(([name, one]) => [name, partial(one)]);
  return { ...rest, properties: Object.fromEntries(entries) };
}
