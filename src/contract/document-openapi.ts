import { z } from 'zod';
import {
  documentErrorSchema,
  documentFieldErrorsSchema,
  documentListSchema,
  documentOptionsSchema,
  documentRecordSchema,
  documentRowsMax,
  documentSummarySchema,
  documentWriteSchema,
  pageAnnotationListSchema,
  pageListSchema,
} from './document.schema.ts';
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

/** Failures that every operation may answer with. */
const common: Json = {
  400: {
    description: 'A value is not valid: each field with what is wrong, or one sentence.',
    content: jsonContent(schemaReference('FieldErrors', 'Error')),
  },
  401: { ...detail('No one who may do this: a token is missing, or is none of this sandbox.'), headers: authenticate },
  403: detail('The token does not let its bearer do this.'),
  404: detail('No such address or document, or a private one.'),
  405: { ...detail('The address has no such method.'), headers: allow },
  406: detail('Nothing that the client accepts.'),
  429: detail('A fault of the sandbox asks to come back later.'),
  500: detail('A failure of the simulator, or a fault of the sandbox.'),
  503: detail('A journal that is full, or a fault of the sandbox.'),
};

const moved: Json = {
  description: 'The address has a slash at its end.',
  headers: { Location: { schema: { type: 'string' } } },
};
const unchanged: Json = { description: 'What the client holds is current.', headers: tagged };

const id: Json = {
  name: 'id',
  in: 'path',
  required: true,
  description: 'The identifier of the record.',
  schema: { type: 'integer', minimum: 1 },
};

const uid = queryParameter('uid', 'The unique identifier, which lets anybody read an unlisted record.', {
  type: 'string',
});
const words = queryParameter('q', 'Words, or phrases in quotation marks; all of them.', { type: 'string' });
const window = [
  queryParameter('limit', 'Rows; a larger number is cut, and what is none is corrected.', {
    type: 'integer',
    default: documentRowsMax,
  }),
  queryParameter('offset', 'Rows to leave out.', { type: 'integer', default: 0 }),
];

const record: Json = {
  parameters: [id],
  get: operation('getDocument', 'A record with its pages.', {
    parameters: [uid],
    responses: { 200: answer('A record.', 'Document'), 301: moved, 304: unchanged },
  }),
  head: operation('headDocument', 'The headers of a record.', {
    parameters: [uid],
    responses: { 200: { description: 'The headers.', headers: tagged }, 301: moved, 304: unchanged },
  }),
  options: operation('describeDocument', 'What can be asked of the address.', {
    responses: { 200: answer('Name and media types.', 'Options'), 301: moved },
  }),
  put: write('putDocument', 'Writes title and description; a new title renews the slug.'),
  patch: write('patchDocument', 'Writes title and description; the slug stays.'),
};

/** The OpenAPI 3.1 document of the document records API. */
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
      queryParameter('ids', 'Identifiers, divided by commas.', { type: 'string' }),
      queryParameter('tag', 'A tag of the records.', { type: 'string' }),
      queryParameter('created_at_after', 'An instant or a date.', { type: 'string' }),
      queryParameter('created_at_before', 'An instant or a date.', { type: 'string' }),
      queryParameter('publicbody', 'The authority of the records.', { type: 'integer', minimum: 0 }),
      queryParameter('foirequest', 'The request of the records.', { type: 'integer', minimum: 0 }),
      words,
      ...window,
    ]),
    '/api/v1/page/': list('Pages', 'PageList', [
      queryParameter('document', 'The record whose pages are listed.', { type: 'integer', minimum: 0 }),
      queryParameter('number', 'The number of the pages.', { type: 'integer', minimum: 0 }),
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
      bearer: { type: 'http', scheme: 'bearer', description: `A token of the sandbox; ${documentScopes[1]} to write.` },
    },
  },
});

function list(what: string, schema: string, parameters: readonly Json[]): Json {
  return {
    get: operation(`list${what}`, `${what}, in order.`, {
      parameters,
      responses: { 200: answer('A page of the list.', schema), 301: moved, 304: unchanged },
    }),
    head: operation(`head${what}`, 'The headers of the list.', {
      parameters,
      responses: { 200: { description: 'The headers.', headers: tagged }, 301: moved, 304: unchanged },
    }),
    options: operation(`describe${what}`, 'What can be asked of the address.', {
      responses: { 200: answer('Name and media types.', 'Options'), 301: moved },
    }),
  };
}

function write(operationId: string, summary: string): Json {
  const schema = schemaReference('Write');
  const types = [jsonType, 'application/x-www-form-urlencoded', 'multipart/form-data'];
  return {
    ...operation(operationId, summary, {
      parameters: [uid, headerParameter('If-Match', 'The tag of what was read.')],
      responses: {
        200: {
          description: 'The record without its pages; with PUT of the profile upstream the fields.',
          headers: tagged,
          content: jsonContent(schemaReference('DocumentSummary', 'WrittenFields')),
        },
        301: moved,
        412: detail('The record changed since it was read.'),
        413: detail('The body is too large.'),
        415: detail('The body is of another media type.'),
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
