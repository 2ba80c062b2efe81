import { z } from 'zod';
import { documentPagesMax, documentTitleCharactersMax, imageSidePixelsMax, pagePixelsMax } from './document-limits.ts';

/**
 * Schemas of the document records API: record, page, lists, and writable fields. Fields are declared in the order in
 * which they are sent (D2, D3).
 */

const address = z.string().describe('An absolute URL that can be fetched.');

/** Page of a document (D3). */
export const documentPageSchema = z.strictObject({
  document: address.describe('URL of the record.'),
  number: z.int().min(1),
  content: z.string().describe('The text of the page; may be empty and may contain line breaks.'),
  width: z.int().min(1).describe('Width of the original image in pixels.'),
  height: z.int().min(1),
  image: z.string().describe('URL of the page image, with `{size}` for small, normal, large or original.'),
});
export type DocumentPage = z.infer<typeof documentPageSchema>;

/** Metadata of a file. */
export const documentPropertiesSchema = z.strictObject({
  title: z.string().nullable(),
  author: z.string(),
  _tables: z.array(z.unknown()),
  creator: z.string(),
  subject: z.string(),
  producer: z.string(),
  _format_webp: z.boolean().describe('Whether the page images also exist as WebP, at the same URL with `.webp`.'),
});
export type DocumentProperties = z.infer<typeof documentPropertiesSchema>;

const modifiedAt = z.string().regex(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d(\.\d{6})?\+00:00$/);

/** Record without its pages, used in lists and in responses to write requests. */
export const documentSummarySchema = z.strictObject({
  resource_uri: address,
  id: z.int().min(1),
  site_url: address,
  title: z.string(),
  slug: z.string(),
  description: z.string(),
  published_at: z.iso.datetime({ offset: true }).nullable(),
  num_pages: z.int().min(0),
  public: z.boolean(),
  listed: z.boolean(),
  allow_annotation: z.boolean(),
  pending: z.boolean(),
  file_url: address,
  file_size: z.int().min(0).describe('File size in bytes.'),
  cover_image: address,
  page_template: z.string().describe('URL template of page images, with `{page}` and `{size}`.'),
  outline: z.string(),
  properties: documentPropertiesSchema,
  uid: z.uuid(),
  data: z.record(z.string(), z.unknown()),
  pages_uri: z.string().startsWith('/'),
  original: z.string().nullable(),
  foirequest: z.int().nullable(),
  publicbody: z.int().nullable(),
  last_modified_at: modifiedAt,
});
export type DocumentSummary = z.infer<typeof documentSummarySchema>;

/** Record (D2). `pages` is the last field. */
export const documentRecordSchema = documentSummarySchema.extend({ pages: z.array(documentPageSchema) });

const metaSchema = z.strictObject({
  limit: z.int().min(1),
  next: address.nullable(),
  offset: z.int().min(0),
  previous: address.nullable(),
  total_count: z.int().min(0),
});
export type ListMeta = z.infer<typeof metaSchema>;

export const documentListSchema = z.strictObject({ meta: metaSchema, objects: z.array(documentSummarySchema) });
export const pageListSchema = z.strictObject({ meta: metaSchema, objects: z.array(documentPageSchema) });
/** Annotations of a page (U). The list is always empty because the simulator does not support adding annotations. */
export const pageAnnotationListSchema = z.strictObject({ meta: metaSchema, objects: z.array(z.never()) });

/** Error response that concerns the entire request. */
export const documentErrorSchema = z.strictObject({ detail: z.string() });

/** Error messages by invalid field. */
export const documentFieldErrorsSchema = z.record(z.string(), z.array(z.string()).min(1));

/** Request body of PUT and PATCH. Unknown keys are ignored. */
export const documentWriteSchema = z.looseObject({
  title: z.string().max(documentTitleCharactersMax).optional(),
  description: z.string().optional(),
});

/** Response body of OPTIONS. */
export const documentOptionsSchema = z.strictObject({
  name: z.string(),
  description: z.string(),
  renders: z.array(z.string()),
  parses: z.array(z.string()),
});

const text = z.string().max(2_000);
const pixels = z.int().min(1).max(imageSidePixelsMax);

/** Maximum duration of one document step on the virtual clock in milliseconds: one year. */
const stepMsMax = 31_536_000_000;
const stepMs = z.int().min(0).max(stepMsMax).default(0);

/** Durations of the document steps on the virtual clock. With `by-hand`, each step is triggered explicitly. */
const documentTimingSchema = z.union([
  z.literal('by-hand'),
  z.strictObject({ startMs: stepMs, pageMs: stepMs, visibilityMs: stepMs }),
]);

/** Page of a record without a file. Its original image has the declared size. */
export const givenPageSchema = z
  .strictObject({
    content: z.string().max(100_000).default(''),
    width: pixels.default(1_240),
    height: pixels.default(1_754),
  })
  .refine(({ width, height }) => width * height <= pagePixelsMax, {
    message: `width times height must be at most ${pagePixelsMax}`,
  });
export type GivenPage = z.infer<typeof givenPageSchema>;

/** Details of a new record, with or without a file. */
export const documentDetailsSchema = z.strictObject({
  title: z.string().max(documentTitleCharactersMax).optional(),
  description: z.string().max(100_000).default(''),
  public: z.boolean().default(false),
  listed: z.boolean().default(true),
  allowAnnotation: z.boolean().default(false),
  publishedAt: z.iso.datetime({ offset: true }).nullable().default(null),
  owner: z
    .string()
    .min(1)
    .max(256)
    .nullable()
    .default(null)
    .describe('User who may edit the record, and read it while it is private.'),
  tags: z.array(z.string().min(1).max(100)).max(100).default([]),
  data: z.record(z.string(), z.unknown()).default({}),
  original: z.string().max(2_000).nullable().default(null),
  foirequest: z.int().nullable().default(null),
  publicbody: z.int().nullable().default(null),
  timing: documentTimingSchema.prefault({}),
});
export type DocumentDetails = z.infer<typeof documentDetailsSchema>;

const word = z.string().max(2_000).default('');
const givenProperties = z
  .strictObject({
    title: z.string().max(2_000).nullable().default(null),
    author: word,
    _tables: z.array(z.unknown()).default([]),
    creator: word,
    subject: word,
    producer: word,
    _format_webp: z.boolean().default(true),
  })
  .prefault({});

/** New record without a file. The request contains its pages. */
export const documentRequest = documentDetailsSchema.extend({
  pages: z.array(givenPageSchema).min(1).max(documentPagesMax),
  outline: text.default(''),
  properties: givenProperties,
});
export type DocumentBody = z.infer<typeof documentRequest>;

/** Transitions of a record's state flow that clients can request. */
export const documentMoves = ['publish', 'unpublish', 'reprocess', 'start', 'process'] as const;
export type DocumentMove = (typeof documentMoves)[number];
