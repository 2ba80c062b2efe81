import { z } from 'zod';
import {
  lookupFields,
  lookupQueryCharactersMax,
  lookupQueryPattern,
  lookupTiers,
  lookupTypes,
} from './lookup.schema.ts';
import {
  createOpenApiDocument,
  type Json,
  jsonContent,
  queryParameter,
  schemaReference,
  toJsonSchema,
} from './openapi.ts';

/**
 * Result of one tool. Only found results have the additional fields, and `error` is set if a fault made the tool fail.
 */
const toolResult = z.union([
  z.object({ found: z.literal(false), error: z.string().optional() }),
  z
    .object({
      found: z.literal(true),
      username: z.string(),
      profile_url: z.url(),
      avatar: z.url(),
    })
    .catchall(z.union([z.string(), z.number(), z.boolean(), z.null()])),
]);

const lookupAnswer = z.strictObject({
  success: z.literal(true),
  query: z.string(),
  type: z.enum(lookupTypes),
  results: z.record(z.string(), toolResult),
});

const listedTool = z.strictObject({
  id: z.string(),
  name: z.string(),
  enabled: z.boolean(),
  fields: z.array(z.enum(['found', 'username', 'profile_url', 'avatar', ...lookupFields])),
  known_query: z.string(),
  unknown_query: z.string(),
});

const toolsAnswer = z.strictObject({
  success: z.literal(true),
  tools: z.strictObject({ email: z.array(listedTool), username: z.array(listedTool) }),
  count: z.strictObject({ email: z.int(), username: z.int() }),
});

const usageAnswer = z.strictObject({
  success: z.literal(true),
  auth: z.enum(['token', 'basic']),
  tier: z.enum(lookupTiers),
  windows: z.array(
    z.strictObject({
      name: z.enum(['minute', 'day', 'month']),
      limit: z.int(),
      used: z.int(),
      remaining: z.int(),
      reset: z.int(),
    }),
  ),
  by_tool: z.record(z.string(), z.int()),
});

const errorAnswer = z.strictObject({ success: z.literal(false), error: z.string(), code: z.int() });

const quotaHeaders: Json = {
  'X-RateLimit-Limit': { description: 'Allowed requests in the window.', schema: { type: 'integer' } },
  'X-RateLimit-Remaining': { description: 'Requests left in the window.', schema: { type: 'integer', minimum: 0 } },
  'X-RateLimit-Reset': {
    description: 'When further requests are allowed, in the unit set for the sandbox (default: seconds since 1970).',
    schema: { type: 'integer' },
  },
};

const failures: Readonly<Record<string, { readonly description: string; readonly headers?: Json }>> = {
  400: { description: 'A parameter is missing, invalid, repeated or unknown.', headers: quotaHeaders },
  401: {
    description: 'Authentication is missing or invalid.',
    headers: { 'WWW-Authenticate': { schema: { type: 'string' } } },
  },
  403: { description: 'The account is suspended, or the tool is disabled.', headers: quotaHeaders },
  404: { description: 'The sandbox or the path does not exist.' },
  405: { description: 'Only GET is supported.', headers: { Allow: { schema: { type: 'string' } } } },
  429: {
    description:
      'A limit is reached; `Retry-After` is omitted if the request costs more than the limit and can never succeed.',
    headers: { ...quotaHeaders, 'Retry-After': { schema: { type: 'integer', minimum: 0 } } },
  },
  500: { description: 'An injected fault, or a failure of the simulator.', headers: quotaHeaders },
  431: { description: 'The headers are too large.' },
  503: { description: 'An injected fault, or the journal is full.' },
};

const parameters: readonly Json[] = [
  queryParameter('type', 'The type of the lookup; requires query and tool.', { type: 'string', enum: lookupTypes }),
  queryParameter('query', 'The email address or username.', {
    type: 'string',
    minLength: 1,
    maxLength: lookupQueryCharactersMax,
    pattern: lookupQueryPattern.source,
  }),
  queryParameter('tool', 'The identifier of a tool of the type, or all.', {
    type: 'string',
    pattern: '^[a-z]{2,32}$',
  }),
  queryParameter('action', 'A service action, in place of a lookup.', {
    type: 'string',
    enum: ['tools', 'usage'],
  }),
];

/** OpenAPI 3.1 document of the lookup API. */
export const lookupDocument = createOpenApiDocument({
  title: 'Lookup API',
  version: '2.0.0',
  description:
    'Reports whether an email address or a username has accounts on third-party sites. All sites are fictional.',
  servers: [{ url: '/' }],
  security: [{ bearer: [] }, { apiKey: [] }, { basic: [] }],
  paths: {
    '/api/v2/': {
      get: {
        operationId: 'ask',
        summary: 'Looks up an email address or username, lists the tools, or returns the usage of the caller.',
        tags: ['lookup'],
        parameters,
        responses: {
          200: {
            description: 'The answer.',
            headers: quotaHeaders,
            content: jsonContent(schemaReference('Lookup', 'Tools', 'Usage')),
          },
          ...Object.fromEntries(
            Object.entries(failures).map(([status, failure]) => [
              status,
              { ...failure, content: jsonContent(schemaReference('Error')) },
            ]),
          ),
        },
      },
    },
  },
  components: {
    schemas: {
      Lookup: toJsonSchema(lookupAnswer),
      Tools: toJsonSchema(toolsAnswer),
      Usage: toJsonSchema(usageAnswer),
      Error: toJsonSchema(errorAnswer),
    },
    securitySchemes: {
      bearer: { type: 'http', scheme: 'bearer' },
      apiKey: { type: 'apiKey', in: 'query', name: 'api_key' },
      basic: { type: 'http', scheme: 'basic' },
    },
  },
});
