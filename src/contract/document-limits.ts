/** Named limits of the document records API. Units stand last in each name. */

/** Records of one sandbox, synthetic ones among them. */
export const documentsMax = 1_000_000;

/** Records that stand on a file or on given pages, in one sandbox. */
export const ownDocumentsMax = 100_000;

/** Pages of all synthetic records of one sandbox: a search has each of them in memory, at 24 bytes. */
export const seriesPagesMax = 1_000_000;

/** Records and pages that the indexes of one process hold; beyond it those that were asked longest ago are forgotten. */
export const indexRowsMax = 2_000_000;

/** How long a list or a search waits for its index, in ms of real time; then anyone who asks is told to come back. */
export const indexWaitMsMax = 15_000;

/** Characters of a title and of a slug. */
export const documentTitleCharactersMax = 500;
export const documentSlugCharactersMax = 100;

/** Pages of one document. */
export const documentPagesMax = 2_000;

/** Bytes of one file. */
export const documentBytesMax = 209_715_200;

/** Longest side of a page image in pixels: WebP knows no longer one. */
export const imageSidePixelsMax = 16_000;

/** Pixels of one page image, and of all page images of a file together. */
export const pagePixelsMax = 40_000_000;
export const documentPixelsMax = 20_000_000_000;

/** Bytes of an encrypted file that is decrypted as a whole where the library that reads PDFs cannot; a copy of it is held. */
export const unlockedBytesMax = 20_971_520;

/** Characters of the password of a file. */
export const documentPasswordCharactersMax = 127;

/** Annotations and form fields of one page that are read; a page with more has its own text alone. */
export const pageAnnotationsMax = 10_000;

/** Characters of text of one page, and of a whole file. */
export const pageTextCharactersMax = 1_000_000;
export const documentTextCharactersMax = 20_000_000;

/** Entries of an outline, and how deep they nest. */
export const outlineEntriesMax = 5_000;
export const outlineDepthMax = 16;

/** Memory of the PDF library, in bytes: a file that needs more is refused. */
export const pdfMemoryBytesMax = 536_870_912;

/** Seconds of real time that the reading of one file may take; a caller may name fewer. */
export const documentSecondsMax = 1_800;

/** Seconds of real time that one page may take. */
export const pageSecondsMax = 60;

/** Pages that are drawn after the one that was asked for: who reads a document asks for them next. */
export const pagesDrawnAhead = 3;

/** Files that are read or drawn at once, and that wait. */
export const documentReadersMax = 1;
export const documentsWaitingMax = 100;

/** Dots per inch of original page images. */
export const originalDotsPerInch = 150;

/** Lifetime of the addresses of private files, in ms of the virtual clock: between one and two of these spans. */
export const fileAddressSpanMs = 1_800_000;
