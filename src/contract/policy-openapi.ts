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

const errorAnswer = z.strictObject({
  error: z.strictObject({
    code: z.string(),
    message: z.string(),
    details: z.array(z.strictObject({ code: z.string(), target: z.string(), message: z.string() })).optional(),
    innerError: z.strictObject({ 'request-id': z.string(), date: z.iso.datetime() }),
  }),
});

const text: Json = { schema: { type: 'string' } };

/** What every answer carries. */
const always: Json = {
  'request-id': { description: 'Names the request; errors repeat it.', ...text },
};

const tag: Json = { ...always, ETag: { description: 'The version of the policy.', ...text } };

const failures: Readonly<Record<string, { readonly description: string; readonly headers?: Json }>> = {
  400: { description: 'The body, a field of it or a query option is not valid.' },
  401: { description: 'No valid access token.', headers: { 'WWW-Authenticate': text } },
  403: { description: 'The token lacks a permission or a role.' },
  404: { description: 'There is no such sandbox, or nothing at this path.' },
  405: { description: 'Another method.', headers: { Allow: text } },
  412: { description: 'The policy is no longer the one of `If-Match`.' },
  413: { description: 'The body is larger than may be.' },
  415: { description: 'The body is not JSON in UTF-8.' },
  429: { description: 'An injected fault.', headers: { 'Retry-After': { schema: { type: 'integer', minimum: 0 } } } },
  500: { description: 'An injected fault, or a failure of the simulator.' },
  503: { description: 'An injected fault, or a journal that is full.' },
};

const shownPolicy = schemaReference('Policy', 'SelectedPolicy');

/** Names are matched in any case, with or without the dollar sign. */
const queryOptions: readonly Json[] = [
  queryParameter('$select', 'The properties to answer, divided by commas; `*` for all.'),
  queryParameter('$expand', '`authenticationMethodConfigurations`, which stands in every whole answer.'),
];

/** The OpenAPI 3.1 document of the policy API. */
export const policyDocument = createOpenApiDocument({
  title: 'Policy API',
  version: '1.0.0',
  description: 'Reads and updates the authentication methods policy of a sandbox, the registration campaign included.',
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
          headerParameter('If-None-Match', 'Answers 304 when the policy is still this version.'),
        ],
        responses: {
          200: { description: 'The policy, whole or as selected.', headers: tag, content: jsonContent(shownPolicy) },
          304: { description: 'The policy is still the version asked for.', headers: tag },
          ...refusals([400, 401, 403, 404, 405, 429, 500, 503]),
        },
      },
      patch: {
        operationId: 'updateAuthenticationMethodsPolicy',
        summary: 'Changes any part of the policy: objects merge, lists are replaced, all or nothing.',
        tags: ['policy'],
        parameters: [
          ...queryOptions,
          headerParameter('If-Match', 'Changes nothing unless the policy is this version.'),
          headerParameter('Prefer', '`return=minimal` answers 204 without a body.'),
        ],
        requestBody: { required: true, content: jsonContent(schemaReference('PolicyChange')) },
        responses: {
          200: {
            description: 'The policy after the change, whole or as selected.',
            headers: tag,
            content: jsonContent(shownPolicy),
          },
          204: { description: 'Changed, where `Prefer: return=minimal` asked for no body.', headers: tag },
          ...refusals([400, 401, 403, 404, 405, 412, 413, 415, 429, 500, 503]),
        },
      },
    },
  },
  components: {
    schemas: {
      Policy: toJsonSchema(policySchema),
      SelectedPolicy: {
        description: 'The properties that `$select` names, each whole.',
        ...selected(toJsonSchema(policySchema)),
      },
      PolicyChange: {
        description: 'Any part of the policy. What can only be read is accepted where it repeats what holds.',
        ...(partial(toJsonSchema(policySchema)) as Json),
      },
      Error: toJsonSchema(errorAnswer),
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

/** The same schema with nothing required of the policy itself but its context. */
function selected(schema: Json): Json {
  return { ...schema, required: ['@odata.context'] };
}

/** The same schema with nothing required, but for the entries of lists, which are replaced whole. */
function partial(schema: unknown): unknown {
  if (typeof schema !== 'object' || schema === null || !('properties' in schema)) return schema;
  const { required: _required, properties, ...rest } = schema as Json;
  const entries = Object.entries(properties as Json).map(([name, one]) => [name, partial(one)]);
  return { ...rest, properties: Object.fromEntries(entries) };
}
