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

/** The object of one tool: only a found result has the other fields; `error` stands where a fault made the tool fail. */
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
    description:
      'When more requests are allowed, in the unit that the sandbox is set to: by default seconds since 1970.',
    schema: { type: 'integer' },
  },
};

const failures: Readonly<Record<string, { readonly description: string; readonly headers?: Json }>> = {
  400: { description: 'A parameter is missing, invalid, repeated or unknown.', headers: quotaHeaders },
  401: { description: 'No valid authentication.', headers: { 'WWW-Authenticate': { schema: { type: 'string' } } } },
  403: { description: 'The account is suspended, or the tool is disabled.', headers: quotaHeaders },
  404: { description: 'There is no such sandbox, or nothing at this path.' },
  405: { description: 'Another method than GET.', headers: { Allow: { schema: { type: 'string' } } } },
  429: {
    description:
      'A limit is reached; without `Retry-After` where the call costs more than a limit, so that it never passes.',
    headers: { ...quotaHeaders, 'Retry-After': { schema: { type: 'integer', minimum: 0 } } },
  },
  500: { description: 'An injected fault, or a failure of the simulator.', headers: quotaHeaders },
  431: { description: 'The headers are too large.' },
  503: { description: 'An injected fault, or a journal that is full.' },
};

const parameters: readonly Json[] = [
  queryParameter('type', 'What is looked up; with query and tool.', { type: 'string', enum: lookupTypes }),
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
  queryParameter('action', 'What is asked about the service, in place of a lookup.', {
    type: 'string',
    enum: ['tools', 'usage'],
  }),
];

/** The OpenAPI 3.1 document of the lookup API. */
export const lookupDocument = createOpenApiDocument({
  title: 'Lookup API',
  version: '2.0.0',
  description: 'Whether an email address or a username has accounts on third-party sites. Every site is invented.',
  servers: [{ url: '/' }],
  tags: [{ name: 'lookup', description: 'Lookups of accounts.' }],
  security: [{ bearer: [] }, { apiKey: [] }, { basic: [] }],
  paths: {
    '/api/v2/': {
      get: {
        operationId: 'ask',
        summary: 'Looks something up, lists the tools, or tells what the caller has used.',
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
