import { z } from 'zod';
import {
  documentErrorSchema,
  documentFieldErrorsSchema,
  documentListSchema,
  documentOptionsSchema,
  documentRecordSchema,
  documentSummarySchema,
  documentWriteSchema,
  pageAnnotationListSchema,
  pageListSchema,
} from './document.schema.ts';
import { documentRowsMax } from './document-limits.ts';
import { documentScopes } from './document-scopes.ts';
import {
  createOpenApiDocument,
  headerParameter,
  type Json,
  jsonContent,
  queryParameter,
  schemaReference,
  toJsonSchema,
} from './openapi.ts';

const jsonType = 'application/json';

const allow = { Allow: { schema: { type: 'string' } } };
const authenticate = { 'WWW-Authenticate': { schema: { type: 'string' } } };
const tagged = { ...allow, ETag: { schema: { type: 'string' } }, Vary: { schema: { type: 'string' } } };

const detail = failure('Error');

/** Error responses that every operation can return. */
const common: Json = {
  400: {
    description: 'A value is not valid: a list of problems for each field, or one sentence.',
    content: jsonContent(schemaReference('FieldErrors', 'Error')),
  },
  401: {
    ...detail('The request needs authentication: the token is missing or is not valid in this sandbox.'),
    headers: authenticate,
  },
  403: detail('The token does not permit this request.'),
  404: detail('The path or the document does not exist, or the document is private.'),
  405: { ...detail('The path does not support this method.'), headers: allow },
  406: detail('No media type in the Accept header is supported.'),
  429: detail('An injected fault: retry later.'),
  500: detail('An injected fault, or an internal error.'),
  503: detail('An injected fault, or the journal is full.'),
};

const moved: Json = {
  description: 'The path must end with a slash.',
  headers: { Location: { schema: { type: 'string' } } },
};
const unchanged: Json = { description: 'The copy of the client is current.', headers: tagged };

const id: Json = {
  name: 'id',
  in: 'path',
  required: true,
  description: 'The identifier of the record.',
  schema: { type: 'integer', minimum: 1 },
};

const uid = queryParameter('uid', 'The unique identifier, which gives access to an unlisted record.', {
  type: 'string',
});
const words = queryParameter('q', 'Words or phrases in quotation marks; all must match.', { type: 'string' });
const window = [
  queryParameter('limit', 'Maximum number of rows; larger values are reduced, invalid values use the default.', {
    type: 'integer',
    default: documentRowsMax,
  }),
  queryParameter('offset', 'Number of rows to skip.', { type: 'integer', default: 0 }),
];

const record: Json = {
  parameters: [id],
  get: operation('getDocument', 'Returns a record with its pages.', {
    parameters: [uid],
    responses: { 200: answer('A record.', 'Document'), 301: moved, 304: unchanged },
  }),
  head: operation('headDocument', 'Returns the headers of a record.', {
    parameters: [uid],
    responses: { 200: { description: 'The headers.', headers: tagged }, 301: moved, 304: unchanged },
  }),
  options: operation('describeDocument', 'Describes the requests that the path supports.', {
    responses: { 200: answer('Name and media types.', 'Options'), 301: moved },
  }),
  put: write('putDocument', 'Updates title and description; a new title changes the slug.'),
  patch: write('patchDocument', 'Updates title and description; the slug does not change.'),
};

/** OpenAPI 3.1 document of the document records API. */
export const documentDocument = createOpenApiDocument({
  title: 'Document records API',
  version: '1.0.0',
  description: 'Public document records with their pages. Every record is test data.',
  servers: [{ url: '/' }],
  tags: [{ name: 'document', description: 'Documents and their pages.' }],
  security: [{}, { bearer: [] }],
  paths: {
    '/api/v1/document/{id}/': record,
    '/api/v1/document/': list('Documents', 'DocumentList', [
      queryParameter('ids', 'Identifiers, separated by commas.', { type: 'string' }),
      queryParameter('tag', 'A tag of the records.', { type: 'string' }),
      queryParameter('created_at_after', 'An instant or a date; only later records are listed.', { type: 'string' }),
      queryParameter('created_at_before', 'An instant or a date; only earlier records are listed.', { type: 'string' }),
      queryParameter('publicbody', 'The authority of the records.', { type: 'integer', minimum: 0 }),
      queryParameter('foirequest', 'The request of the records.', { type: 'integer', minimum: 0 }),
      words,
      ...window,
    ]),
    '/api/v1/page/': list('Pages', 'PageList', [
      queryParameter('document', 'The record whose pages are listed.', { type: 'integer', minimum: 0 }),
      queryParameter('number', 'The page number.', { type: 'integer', minimum: 0 }),
      uid,
      words,
      ...window,
    ]),
    '/api/v1/pageannotation/': list('PageAnnotations', 'PageAnnotationList', [
      queryParameter('document', 'The record whose annotations are listed.', { type: 'integer', minimum: 0 }),
      ...window,
    ]),
  },
  components: {
    schemas: {
      Document: toJsonSchema(documentRecordSchema),
      DocumentSummary: toJsonSchema(documentSummarySchema),
      DocumentList: toJsonSchema(documentListSchema),
      PageList: toJsonSchema(pageListSchema),
      PageAnnotationList: toJsonSchema(pageAnnotationListSchema),
      Options: toJsonSchema(documentOptionsSchema),
      Write: toJsonSchema(documentWriteSchema),
      WrittenFields: toJsonSchema(z.strictObject({ title: z.string(), description: z.string() })),
      Error: toJsonSchema(documentErrorSchema),
      FieldErrors: toJsonSchema(documentFieldErrorsSchema),
    },
    securitySchemes: {
      bearer: {
        type: 'http',
        scheme: 'bearer',
        description: `An access token of the sandbox; writing requires ${documentScopes[1]}.`,
      },
    },
  },
});

function list(what: string, schema: string, parameters: readonly Json[]): Json {
  return {
    get: operation(`list${what}`, `Lists ${what} in order.`, {
      parameters,
      responses: { 200: answer('A page of the list.', schema), 301: moved, 304: unchanged },
    }),
    head: operation(`head${what}`, 'Returns the headers of the list.', {
      parameters,
      responses: { 200: { description: 'The headers.', headers: tagged }, 301: moved, 304: unchanged },
    }),
    options: operation(`describe${what}`, 'Describes the requests that the path supports.', {
      responses: { 200: answer('Name and media types.', 'Options'), 301: moved },
    }),
  };
}

function write(operationId: string, summary: string): Json {
  const schema = schemaReference('Write');
  const types = [jsonType, 'application/x-www-form-urlencoded', 'multipart/form-data'];
  return {
    ...operation(operationId, summary, {
      parameters: [uid, headerParameter('If-Match', 'The ETag of the version that was read.')],
      responses: {
        200: {
          description: 'The record without its pages; in the upstream profile, PUT returns the fields.',
          headers: tagged,
          content: jsonContent(schemaReference('DocumentSummary', 'WrittenFields')),
        },
        301: moved,
        412: detail('The record changed since it was read.'),
        413: detail('The body is too large.'),
        415: detail('The media type of the body is not supported.'),
      },
    }),
    requestBody: { required: false, content: Object.fromEntries(types.map((type) => [type, { schema }])) },
    security: [{ bearer: [] }],
  };
}

function operation(
  operationId: string,
  summary: string,
  { parameters = [], responses }: { readonly parameters?: readonly Json[]; readonly responses: Json },
): Json {
  return { operationId, summary, tags: ['document'], parameters, responses: { ...responses, ...common } };
}

function answer(description: string, schema: string): Json {
  return {
    description,
    headers: tagged,
    content: jsonContent(schemaReference(schema)),
  };
}

function failure(schema: string): (description: string) => Json {
  return (description) => ({
    description,
    content: jsonContent(schemaReference(schema)),
  });
}
