import type { WrappedPdfiumModule } from '@embedpdf/pdfium';
import { RejectedFile } from './rejected-file.ts';

/** Number of bytes per code unit, because the library writes UTF-16. */
export const bytesPerUnit = 2;

/**
 * Reads UTF-16 text that the library writes to a buffer. `roomBytes` is the buffer size in bytes, and `write`
 * returns the number of bytes used.
 */
export function textAt(pdfium: WrappedPdfiumModule, roomBytes: number, write: (place: number) => number): string {
  const { malloc, free } = pdfium.pdfium.wasmExports;
  const place = malloc(roomBytes);
  if (place === 0) throw new RejectedFile('too-large', 'The file needs more memory than allowed for one file.');
  try {
    const usedBytes = Math.min(write(place), roomBytes);
    return new TextDecoder('utf-16le').decode(getMemory(pdfium).slice(place, place + usedBytes));
  } finally {
    free(place);
  }
}

/** Returns the current memory of the library, which is replaced when it grows. The library's types omit it. */
export function getMemory({ pdfium }: WrappedPdfiumModule): Uint8Array {
  return (pdfium as unknown as { readonly HEAPU8: Uint8Array }).HEAPU8;
}

const lineEnds = /\r\n?/g;
/** Character that the library uses for a hyphen at the end of a line. */
const hyphenMark = '\u0002';
/** Control characters other than line feed and tab, and code points that are not characters. */
const noText = /[^\P{Cc}\n\t]|\p{Noncharacter_Code_Point}/gu;

/** Normalizes a text of the library. Lines end with a line feed, and other control characters are removed. */
export function cleaned(text: string): string {
  return text.replace(lineEnds, '\n').replaceAll(hyphenMark, '-').replace(noText, '');
}
