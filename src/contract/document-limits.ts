/** Named limits of the document records API. Each name ends with its unit. */

/** Maximum number of records in one sandbox, including synthetic ones. */
export const documentsMax = 1_000_000;

/** Maximum number of records per sandbox that have a file or individually specified pages. */
export const ownDocumentsMax = 100_000;

/** Maximum number of pages of all synthetic records in a sandbox. A search uses 24 bytes of memory for each page. */
export const seriesPagesMax = 1_000_000;

/** Maximum number of indexed records and pages in one process. The least recently used indexes are evicted first. */
export const indexRowsMax = 2_000_000;

/**
 * Maximum time that a list or search request waits for its index, in milliseconds of real time, before it is rejected
 * with `Retry-After`.
 */
export const indexWaitMsMax = 15_000;

/** Maximum number of characters in a title. */
export const documentTitleCharactersMax = 500;
export const documentSlugCharactersMax = 100;

/** Maximum number of pages in a document. */
export const documentPagesMax = 2_000;

/** Maximum file size in bytes. */
export const documentBytesMax = 209_715_200;

/** Maximum side length of a page image in pixels, because WebP does not support longer sides. */
export const imageSidePixelsMax = 16_000;

/** Maximum number of pixels in one page image. */
export const pagePixelsMax = 40_000_000;
export const documentPixelsMax = 20_000_000_000;

/**
 * Maximum size in bytes of an encrypted file that is decrypted as a whole copy because the PDF library cannot decrypt
 * it.
 */
export const unlockedBytesMax = 20_971_520;

/** Maximum length of a file password in characters. */
export const documentPasswordCharactersMax = 127;

/** Maximum number of annotations and form fields read per page. A page with more keeps only its own text. */
export const pageAnnotationsMax = 10_000;

/** Maximum number of text characters on one page. */
export const pageTextCharactersMax = 1_000_000;
export const documentTextCharactersMax = 20_000_000;

/** Maximum number of entries in an outline. */
export const outlineEntriesMax = 5_000;
export const outlineDepthMax = 16;

/** Memory limit of the PDF library in bytes. Files that need more are rejected. */
export const pdfMemoryBytesMax = 536_870_912;

/** Maximum time to read one file, in seconds of real time. Callers can set a lower limit. */
export const documentSecondsMax = 1_800;

/** Maximum time to process one page, in seconds of real time. */
export const pageSecondsMax = 60;

/** Number of pages rendered in advance, because readers usually request the following pages next. */
export const pagesDrawnAhead = 3;

/** Maximum number of files that are read or rendered at the same time. */
export const documentReadersMax = 1;
export const documentsWaitingMax = 100;

/** Resolution of original page images in dots per inch. */
export const originalDotsPerInch = 150;

/** Rotation interval of private file URLs in virtual milliseconds. A URL is valid for one to two intervals. */
export const fileAddressSpanMs = 1_800_000;

/** Default and maximum number of rows in a list. */
export const documentRowsMax = 50;
