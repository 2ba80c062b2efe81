import { row } from './error-definition.ts';

/** Error definitions for document records. */
export const documentErrors = {
  'document-not-found': row('Document not found', 'List the documents of the sandbox.', 404, 2),
  'document-unreadable': row(
    'The file cannot be read as a PDF',
    'Open it in a viewer: it is damaged, truncated, empty, or not a PDF.',
    422,
    2,
  ),
  'document-encrypted': row(
    'The file is encrypted',
    'Provide its password: `documents add --password`, or the header Document-Password.',
    422,
    2,
  ),
  'document-too-large': row(
    'The file exceeds a limit',
    'Split the file or reduce its size; the message names the limit.',
    413,
    2,
  ),
  'document-canceled': row('Reading the file was canceled', 'Add the file again; no part of it was stored.', 499, 1),
  'document-step-refused': row(
    'The state of the document does not allow this',
    'Check its state; advance the clock, or take the preceding step first.',
    409,
    1,
  ),
  'not-acceptable': row('The requested representation is not available', 'Accept application/json.', 406, 2),
  'document-queue-full': row('Too many files are queued', 'Wait for the time in Retry-After.', 503, 1),
  'too-many-documents': row('The sandbox has too many documents', 'Delete documents, or use another sandbox.', 503, 3),
} as const;
