import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { WrappedPdfiumModule } from '@embedpdf/pdfium';
import type { DocumentProperties } from '../contract/document.schema.ts';
import {
  originalDotsPerInch,
  outlineDepthMax,
  outlineEntriesMax,
  pagePixelsMax,
  pageTextCharactersMax,
} from '../contract/document-limits.ts';
import { optionalPackage } from '../core/optional-package.ts';
import { boundedSize, type Picture } from './page-images.ts';
import { RefusedFile } from './refused-file.ts';

const pointsPerInch = 72;

/** Codes of the library: the file wants a password, or is protected in a way that it does not know. */
const passwordError = 4;
const securityError = 5;

const white = 0xffffffff;

/** How pages are drawn: with their annotations, and in the order red, green, blue. */
const drawAnnotations = 0x01;
const reverseByteOrder = 0x10;
const drawing = drawAnnotations | reverseByteOrder;

const bytesPerUnit = 2;

/** Loads the library. Throws `package-missing`. */
export async function pdfLibrary(): Promise<typeof import('@embedpdf/pdfium')> {
  const name = '@embedpdf/pdfium';
  return optionalPackage(name, 'PDFs are read by', () => import('@embedpdf/pdfium'), `${name} sharp`);
}

/** A PDF that is open in the library. A thread opens one and ends. */
export class PdfFile {
  readonly #pdfium: WrappedPdfiumModule;
  readonly #document: number;

  private constructor(pdfium: WrappedPdfiumModule, document: number) {
    this.#pdfium = pdfium;
    this.#document = document;
  }

  /**
   * Opens a PDF. Takes its bytes. Throws `RefusedFile` for one that is no PDF, is damaged, or wants a password, and
   * `package-missing`.
   */
  static async open(bytes: Uint8Array): Promise<PdfFile> {
    const { init } = await pdfLibrary();
    const wasm = createRequire(import.meta.url).resolve('@embedpdf/pdfium/pdfium.wasm');
    const pdfium = await init({ wasmBinary: new Uint8Array(readFileSync(wasm)).buffer });
    pdfium.PDFiumExt_Init();
    const place = pdfium.pdfium.wasmExports.malloc(bytes.length);
    if (place === 0) throw new RefusedFile('too-large', 'The file needs more memory than one file may.');
    memoryOf(pdfium).set(bytes, place);
    const document = pdfium.FPDF_LoadMemDocument(place, bytes.length, '');
    if (document !== 0) return new PdfFile(pdfium, document);
    const code = pdfium.FPDF_GetLastError();
    if (code === passwordError || code === securityError) {
      throw new RefusedFile('encrypted', 'The file is encrypted and wants a password.');
    }
    throw new RefusedFile('unreadable', 'The file is not a PDF, or it is damaged.');
  }

  /** How many pages there are. */
  pageCount(): number {
    return this.#pdfium.FPDF_GetPageCount(this.#document);
  }

  /** Text and picture of a page. Takes its place from 0. Throws `RefusedFile` for a page that cannot be loaded. */
  page(index: number): { readonly content: string; readonly picture: Picture } {
    const page = this.#pdfium.FPDF_LoadPage(this.#document, index);
    if (page === 0) throw new RefusedFile('unreadable', `Page ${index + 1} of the file is damaged.`);
    try {
      return { content: this.#text(page, index), picture: this.#draw(page) };
    } finally {
      this.#pdfium.FPDF_ClosePage(page);
    }
  }

  /** Outline and properties of the document. */
  metadata(): { readonly outline: string; readonly properties: Omit<DocumentProperties, '_tables' | '_format_webp'> } {
    const title = this.#meta('Title');
    return {
      outline: this.#outline(),
      properties: {
        title: title === '' ? null : title,
        author: this.#meta('Author'),
        creator: this.#meta('Creator'),
        subject: this.#meta('Subject'),
        producer: this.#meta('Producer'),
      },
    };
  }

  #text(page: number, index: number): string {
    const pdfium = this.#pdfium;
    const text = pdfium.FPDFText_LoadPage(page);
    if (text === 0) return '';
    try {
      const count = pdfium.FPDFText_CountChars(text);
      if (count <= 0) return '';
      if (count > pageTextCharactersMax) {
        throw new RefusedFile('too-large', `Page ${index + 1} has more than ${pageTextCharactersMax} characters.`);
      }
      return cleaned(
        this.#read((count + 1) * bytesPerUnit, (place) => {
          const written = pdfium.FPDFText_GetText(text, 0, count, place);
          return written * bytesPerUnit;
        }),
      );
    } finally {
      pdfium.FPDFText_ClosePage(text);
    }
  }

  #draw(page: number): Picture {
    const pdfium = this.#pdfium;
    const scale = originalDotsPerInch / pointsPerInch;
    const points = { width: pdfium.FPDF_GetPageWidthF(page), height: pdfium.FPDF_GetPageHeightF(page) };
    const { width, height } = boundedSize(points.width * scale, points.height * scale, pagePixelsMax);
    const bitmap = pdfium.FPDFBitmap_Create(width, height, 0);
    if (bitmap === 0) throw new RefusedFile('too-large', 'The file needs more memory than one file may.');
    try {
      pdfium.FPDFBitmap_FillRect(bitmap, 0, 0, width, height, white);
      pdfium.FPDF_RenderPageBitmap(bitmap, page, 0, 0, width, height, 0, drawing);
      const place = pdfium.FPDFBitmap_GetBuffer(bitmap);
      const stride = pdfium.FPDFBitmap_GetStride(bitmap);
      return { width, height, stride, rgba: memoryOf(pdfium).slice(place, place + stride * height) };
    } finally {
      pdfium.FPDFBitmap_Destroy(bitmap);
    }
  }

  #meta(key: string): string {
    const pdfium = this.#pdfium;
    const length = pdfium.FPDF_GetMetaText(this.#document, key, 0, 0);
    if (length <= bytesPerUnit || length > pageTextCharactersMax) return '';
    return cleaned(this.#read(length, (place) => pdfium.FPDF_GetMetaText(this.#document, key, place, length))).trim();
  }

  /** The bookmarks as a list in Markdown, each with the page that it leads to. A circle of bookmarks ends at a limit. */
  #outline(): string {
    const lines: string[] = [];
    this.#bookmarks(0, 0, lines);
    return lines.join('\n');
  }

  #bookmarks(parent: number, depth: number, lines: string[]): void {
    const pdfium = this.#pdfium;
    let bookmark = pdfium.FPDFBookmark_GetFirstChild(this.#document, parent);
    while (bookmark !== 0 && lines.length < outlineEntriesMax) {
      const held = bookmark;
      const length = pdfium.FPDFBookmark_GetTitle(held, 0, 0);
      const title =
        length > bytesPerUnit && length < pageTextCharactersMax
          ? cleaned(this.#read(length, (place) => pdfium.FPDFBookmark_GetTitle(held, place, length)))
          : '';
      lines.push(`${'  '.repeat(depth)}- [${title.replaceAll('\n', ' ').trim()}](#page-${this.#pageOf(held)})`);
      if (depth < outlineDepthMax) this.#bookmarks(held, depth + 1, lines);
      bookmark = pdfium.FPDFBookmark_GetNextSibling(this.#document, held);
    }
  }

  #pageOf(bookmark: number): number {
    const destination = this.#pdfium.FPDFBookmark_GetDest(this.#document, bookmark);
    const index = destination === 0 ? 0 : this.#pdfium.FPDFDest_GetDestPageIndex(this.#document, destination);
    return Math.max(index, 0) + 1;
  }

  /** Lets the library write UTF-16 to a buffer, and reads it. Takes the room in bytes. The writer tells how many it used. */
  #read(roomBytes: number, write: (place: number) => number): string {
    const pdfium = this.#pdfium;
    const { malloc, free } = pdfium.pdfium.wasmExports;
    const place = malloc(roomBytes);
    if (place === 0) throw new RefusedFile('too-large', 'The file needs more memory than one file may.');
    try {
      const usedBytes = Math.min(write(place), roomBytes);
      return new TextDecoder('utf-16le').decode(memoryOf(pdfium).slice(place, place + usedBytes));
    } finally {
      free(place);
    }
  }
}

/** The memory of the library as it is now: growing replaces it. Its types leave it out. */
function memoryOf({ pdfium }: WrappedPdfiumModule): Uint8Array {
  return (pdfium as unknown as { readonly HEAPU8: Uint8Array }).HEAPU8;
}

const lineEnds = /\r\n?/g;
/** How the library marks a hyphen at the end of a line. */
const hyphenMark = '\u0002';
/** Control characters but line feed and tab, and what is no character. */
const noText = /[^\P{Cc}\n\t]|\p{Noncharacter_Code_Point}/gu;

function cleaned(text: string): string {
  return text.replace(lineEnds, '\n').replaceAll(hyphenMark, '-').replace(noText, '');
}
