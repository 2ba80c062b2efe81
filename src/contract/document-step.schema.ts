import { z } from 'zod';
import { documentRequest } from './document.schema.ts';
import { documentPagesMax, documentsMax } from './document-limits.ts';
import { documentScopes } from './document-scopes.ts';

const id = z.int().min(1);
const parameters = z.record(z.string(), z.union([z.string(), z.number(), z.boolean()]));
const headers = z.record(z.string(), z.string());

/**
 * Caller of a request: without a token, with an invalid token, or as a user. User tokens have both scopes by default.
 */
const caller = z.union([
  z.string().min(1).max(128).describe('`none`, `invalid`, or the user whose token is sent with the request.'),
  z.strictObject({
    user: z.string().optional(),
    app: z.string().optional(),
    permissions: z.array(z.string()).default([...documentScopes]),
  }),
]);

const update = z.strictObject({
  id,
  method: z.enum(['PATCH', 'PUT']).default('PATCH'),
  title: z.unknown().optional(),
  description: z.unknown().optional(),
  raw: z.string().optional().describe('The raw body, in place of title and description.'),
});

const request = z.strictObject({
  method: z.enum(['GET', 'HEAD', 'OPTIONS', 'POST', 'PUT', 'PATCH', 'DELETE']).default('GET'),
  path: z.string().startsWith('/api/v1').describe('Path and query, relative to the sandbox.'),
  raw: z.string().optional(),
});

const series = z.strictObject({
  count: z.int().min(1).max(documentsMax),
  pages: z.int().min(1).max(100).default(1),
  seed: z.int().min(0).optional(),
});

const processing = z.strictObject({ id, pages: z.int().min(1).max(documentPagesMax).optional() });

/** Actions of a `document` step by key. */
const acts = {
  get: id.describe('Fetches a record by id.'),
  list: parameters.describe('Lists documents, filtered by parameters.'),
  pages: parameters.describe('Lists pages, filtered by parameters.'),
  update: update.describe('Updates title or description.'),
  request: request.describe('Sends any request to the API.'),
  add: documentRequest.describe('Adds a record with the given pages.'),
  series: series.describe('Adds many synthetic records.'),
  publish: id,
  unpublish: id,
  reprocess: id,
  start: id.describe('Starts processing a record with manual processing.'),
  process: processing.describe('Processes pages of a record with manual processing.'),
  remove: id,
};

/** Step `document` of a scenario: one action with the token and the headers of its request. */
export const documentStepSchema = z
  .strictObject({
    ...acts,
    as: caller,
    uid: z.string().describe('The unique identifier, which gives access to an unlisted record.'),
    headers,
  })
  .partial()
  .refine((step) => Object.keys(acts).filter((act) => act in step).length === 1, {
    message: `must contain exactly one of ${Object.keys(acts).join(', ')}`,
  })
  .meta({ oneOf: Object.keys(acts).map((act) => ({ type: 'object', required: [act], properties: { [act]: true } })) });
export type DocumentStep = z.output<typeof documentStepSchema>;
