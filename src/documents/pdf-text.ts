import type { WrappedPdfiumModule } from '@embedpdf/pdfium';
import { RejectedFile } from './rejected-file.ts';

/** The library writes UTF-16. */
export const bytesPerUnit = 2;

/** Lets the library write UTF-16 to a buffer, and reads it. Takes the room in bytes. The writer returns how many it used. */
export function textAt(pdfium: WrappedPdfiumModule, roomBytes: number, write: (place: number) => number): string {
  const { malloc, free } = pdfium.pdfium.wasmExports;
  const place = malloc(roomBytes);
  if (place === 0) throw new RejectedFile('too-large', 'The file needs more memory than one file may.');
  try {
    const usedBytes = Math.min(write(place), roomBytes);
    return new TextDecoder('utf-16le').decode(getMemory(pdfium).slice(place, place + usedBytes));
  } finally {
    free(place);
  }
}

/** The memory of the library as it is now: growing replaces it. Its types leave it out. */
export function getMemory({ pdfium }: WrappedPdfiumModule): Uint8Array {
  return (pdfium as unknown as { readonly HEAPU8: Uint8Array }).HEAPU8;
}

const lineEnds = /\r\n?/g;
/** How the library marks a hyphen at the end of a line. */
const hyphenMark = '\u0002';
/** Control characters but line feed and tab, and what is no character. */
const noText = /[^\P{Cc}\n\t]|\p{Noncharacter_Code_Point}/gu;

/** A text of the library as the project has texts: lines that end in a line feed, and no other control characters. */
export function cleaned(text: string): string {
  return text.replace(lineEnds, '\n').replaceAll(hyphenMark, '-').replace(noText, '');
}
