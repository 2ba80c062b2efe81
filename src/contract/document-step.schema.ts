import { z } from 'zod';
import { documentRequest } from './document.schema.ts';
import { documentPagesMax, documentsMax } from './document-limits.ts';
import { documentScopes } from './document-scopes.ts';

const id = z.int().min(1);
const parameters = z.record(z.string(), z.union([z.string(), z.number(), z.boolean()]));
const headers = z.record(z.string(), z.string());

/** Whose token goes with a request: no one's, one that is none, or that of a user, who has both scopes unless they are named. */
const asker = z.union([
  z.string().min(1).max(128).describe('`none`, `invalid`, or the user whose token goes with the request.'),
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
  raw: z.string().optional().describe('The body as it stands, in place of title and description.'),
});

const request = z.strictObject({
  method: z.enum(['GET', 'HEAD', 'OPTIONS', 'POST', 'PUT', 'PATCH', 'DELETE']).default('GET'),
  path: z.string().startsWith('/api/v1').describe('Path and query below the sandbox.'),
  raw: z.string().optional(),
});

const series = z.strictObject({
  count: z.int().min(1).max(documentsMax),
  pages: z.int().min(1).max(100).default(1),
  seed: z.int().min(0).optional(),
});

const processing = z.strictObject({ id, pages: z.int().min(1).max(documentPagesMax).optional() });

/** What a step does with documents: the key is the act. */
const acts = {
  get: id.describe('Fetches the record of an id.'),
  list: parameters.describe('Lists documents, narrowed by parameters.'),
  pages: parameters.describe('Lists pages, narrowed by parameters.'),
  update: update.describe('Writes title or description.'),
  request: request.describe('Sends any request of the API.'),
  add: documentRequest.describe('Adds a record whose pages are given.'),
  series: series.describe('Adds many synthetic records.'),
  publish: id,
  unpublish: id,
  reprocess: id,
  start: id.describe('Begins the processing of a record whose steps are by hand.'),
  process: processing.describe('Processes pages of a record whose steps are by hand.'),
  remove: id,
};

/** A step `document` of a scenario: one act, and whose token and which headers go with it. */
export const documentStepSchema = z
  .strictObject({
    ...acts,
    as: asker,
    uid: z.string().describe('The unique identifier that lets someone read an unlisted record.'),
    headers,
  })
  .partial()
  .refine((step) => Object.keys(acts).filter((act) => act in step).length === 1, {
    message: `exactly one of ${Object.keys(acts).join(', ')}`,
  })
  .meta({ oneOf: Object.keys(acts).map((act) => ({ type: 'object', required: [act], properties: { [act]: true } })) });
export type DocumentStep = z.output<typeof documentStepSchema>;
