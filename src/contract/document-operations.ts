import { z } from 'zod';
import { listRowsMax } from '../core/limits.ts';
import { lengthBounded } from './bounded-text.ts';
import { named, operation } from './control-operation.ts';
import { documentDetailsSchema, documentMoves, documentRequest } from './document.schema.ts';
import {
  documentPagesMax,
  documentPasswordCharactersMax,
  documentSecondsMax,
  documentsMax,
} from './document-limits.ts';

const documentStates = ['created', 'processing', 'ready', 'publishing', 'unpublishing'] as const;

/** Document in the control API, which returns all documents regardless of their visibility. */
export const documentResponse = z.strictObject({
  id: z.int(),
  uid: z.uuid(),
  title: z.string(),
  slug: z.string(),
  description: z.string(),
  state: z.enum(documentStates),
  pending: z.boolean(),
  public: z.boolean(),
  listed: z.boolean(),
  owner: z.string().nullable(),
  tags: z.array(z.string()),
  pages: z.int().describe('Number of pages in the file.'),
  processed: z.int().describe('Number of pages processed so far.'),
  source: z.enum(['file', 'given', 'series']),
  createdAt: z.iso.datetime(),
  modifiedAt: z.iso.datetime(),
  recordUrl: z.string(),
  siteUrl: z.string(),
  coverUrl: z.string().describe('URL of a thumbnail of the first page, signed for private documents.'),
});

const documentsAnswer = z.strictObject({
  documents: z.array(documentResponse),
  next: z.int().nullable(),
  count: z.int(),
});

const documentsQuery = z.strictObject({
  after: z.coerce.number().int().min(0).default(0).describe('Returns documents after this id.'),
  limit: z.coerce.number().int().min(1).max(listRowsMax).default(100),
});

/** Query of a page search. */
export const documentPagesQuery = z.strictObject({
  words: z
    .string()
    .min(1)
    .max(200)
    .describe('Words that a page must contain, all of them; phrases in quotation marks.'),
  limit: z.coerce.number().int().min(1).max(100).default(20),
});

/** Pages that contain the search words, and their number. */
export const documentPagesResponse = z.strictObject({
  pages: z.array(
    z.strictObject({
      document: z.int(),
      title: z.string(),
      page: z.int(),
      excerpt: z.string().describe('The text around the first match.'),
      siteUrl: z.string().describe('URL of the page in the reading view, with the words highlighted.'),
    }),
  ),
  total: z.int(),
});

const switched = z.stringbool({ truthy: ['true', '1', 'yes', ''], falsy: ['false', '0', 'no'] });

const { timing: _byBody, data: _byBodyToo, tags: _asList, ...details } = documentDetailsSchema.shape;
const pagesMax = z.coerce.number().int().min(1).max(documentPagesMax);
const secondsMax = z.coerce.number().int().min(1).max(documentSecondsMax);

/** Name of the header that carries the password of a file. */
export const passwordHeader = 'Document-Password';

/** Decoded password of a file. */
export const filePassword = lengthBounded({ max: documentPasswordCharactersMax }).refine(
  (text) => !text.includes('\0'),
);

/** Query parameters that describe an uploaded file. */
export const documentFileQuery = z.strictObject({
  ...details,
  public: switched.default(false),
  listed: switched.default(true),
  allowAnnotation: switched.default(false),
  foirequest: z.coerce.number().int().nullable().default(null),
  publicbody: z.coerce.number().int().nullable().default(null),
  tags: z.string().optional().describe('Separated by commas.'),
  name: z.string().max(500).optional().describe('File name, from which the title is derived if there is none.'),
  webp: switched.default(true).describe('Whether page images are also created as WebP.'),
  timing: z.enum(['at-once', 'by-hand']).default('at-once'),
  startMs: z.coerce.number().int().min(0).optional(),
  pageMs: z.coerce.number().int().min(0).optional(),
  visibilityMs: z.coerce.number().int().min(0).optional(),
  pagesMax: pagesMax.optional(),
  secondsMax: secondsMax.optional(),
});

/** Progress of reading an uploaded file. */
const documentProgress = z.strictObject({ page: z.int().min(1), pages: z.int().min(1) });

const seriesBody = z.strictObject({
  count: z.int().min(1).max(documentsMax),
  pages: z.int().min(1).max(100).default(1),
  seed: z.int().min(0).optional().describe('Random seed (default: the random seed of the sandbox).'),
});

const moveBody = z.strictObject({
  move: z.enum(documentMoves),
  pages: z.int().min(1).optional().describe('Number of pages to process (default: all remaining pages).'),
});

/** Operations of the control API on the documents of a sandbox. */
export const documentOperations = named({
  getDocumentOpenapi: operation('GET /document-openapi.json', {
    summary: 'Returns the OpenAPI document of the document records API.',
    reply: z.looseObject({ openapi: z.string() }),
  }),
  listDocuments: operation('GET /sandboxes/{sandbox}/documents', {
    summary: 'Lists the documents in order of id, including private and pending ones.',
    query: documentsQuery,
    reply: documentsAnswer,
  }),
  searchDocuments: operation('GET /sandboxes/{sandbox}/document-pages', {
    summary: 'Searches the pages of all documents, including private and unlisted ones.',
    query: documentPagesQuery,
    reply: documentPagesResponse,
  }),
  addDocument: operation('POST /sandboxes/{sandbox}/documents', {
    summary: 'Adds a document with its pages given as text.',
    body: documentRequest,
    reply: documentResponse,
    statuses: [201],
    errors: ['user-not-found', 'too-many-documents'],
  }),
  uploadDocument: operation('POST /sandboxes/{sandbox}/document-uploads', {
    summary:
      'Adds a document from a PDF in the body. With `Accept: application/x-ndjson` the response reports each page on a line as it is read and the document or the error on the last line; closing the connection cancels.',
    file: { mediaType: 'application/pdf', progress: documentProgress },
    query: documentFileQuery,
    headers: {
      [passwordHeader]:
        'The password of an encrypted file, percent-encoded in UTF-8. It is not stored. It is a header because URLs are logged.',
    },
    reply: documentResponse,
    statuses: [201],
    errors: [
      'document-unreadable',
      'document-encrypted',
      'document-too-large',
      'document-queue-full',
      'too-many-documents',
      'user-not-found',
      'unsupported-media-type',
    ],
  }),
  addSyntheticDocuments: operation('POST /sandboxes/{sandbox}/synthetic-documents', {
    summary: 'Adds many synthetic documents at once, reproducible from the random seed.',
    body: seriesBody,
    reply: z.strictObject({ firstId: z.int(), count: z.int() }),
    statuses: [201],
    errors: ['too-many-documents'],
  }),
  getDocument: operation('GET /sandboxes/{sandbox}/documents/{document}', {
    summary: 'Returns a document regardless of who may read it.',
    reply: documentResponse,
    errors: ['document-not-found'],
  }),
  transitionDocument: operation('POST /sandboxes/{sandbox}/documents/{document}/transitions', {
    summary:
      'Applies a state transition: publish, unpublish, reprocess; with manual processing also start and process.',
    body: moveBody,
    reply: documentResponse,
    errors: ['document-not-found', 'document-step-refused'],
  }),
  removeDocument: operation('DELETE /sandboxes/{sandbox}/documents/{document}', {
    summary: 'Deletes a document.',
    reply: null,
    errors: ['document-not-found'],
  }),
});
