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
import { unlockedCopy } from './locked-file.ts';
import { boundedSize, type Picture } from './page-images.ts';
import { shownValues, withValues } from './page-values.ts';
import { bytesPerUnit, cleaned, getMemory, textAt } from './pdf-text.ts';
import { RejectedFile } from './rejected-file.ts';
import type { StoredPage } from './stored-document.ts';

const pointsPerInch = 72;

/** Error codes of the library: the file requires a password, or uses an unsupported security handler. */
const passwordError = 4;
const securityError = 5;

const white = 0xffffffff;

/** Rendering flags: include annotations, and use the byte order red, green, blue. */
const drawAnnotations = 0x01;
const reverseByteOrder = 0x10;
const drawing = drawAnnotations | reverseByteOrder;

/** Form type of a document without a form. */
const noForm = 0;

/** Mode that merges annotations and fields into the page as shown on screens, and its success code. */
const flattenForDisplay = 0;
const flattened = 1;

/** Loads the PDF library. Throws `package-missing`. */
export async function pdfLibrary(): Promise<typeof import('@embedpdf/pdfium')> {
  const name = '@embedpdf/pdfium';
  return optionalPackage(name, 'Reading PDFs requires', () => import('@embedpdf/pdfium'), `${name} sharp`);
}

/** PDF that is open in the library. A thread opens one PDF and then ends. */
export class PdfFile {
  readonly #pdfium: WrappedPdfiumModule;
  readonly #document: number;
  /** Form handle of the document, which is needed to render and read fields; 0 if there is no form. */
  readonly #form: number;
  readonly #wantedPassword: boolean;

  private constructor(pdfium: WrappedPdfiumModule, document: number, wantedPassword: boolean) {
    this.#pdfium = pdfium;
    this.#document = document;
    this.#wantedPassword = wantedPassword;
    this.#form =
      pdfium.FPDF_GetFormType(document) === noForm
        ? 0
        : pdfium.PDFiumExt_InitFormFillEnvironment(document, pdfium.PDFiumExt_OpenFormFillInfo());
  }

  /**
   * Opens a PDF. A file that is protected only against changes opens without a password. Throws `RejectedFile` if the
   * file is not a PDF, is damaged or needs another password, and `package-missing`.
   */
  static async open(bytes: Uint8Array, password = ''): Promise<PdfFile> {
    const { init } = await pdfLibrary();
    const wasm = createRequire(import.meta.url).resolve('@embedpdf/pdfium/pdfium.wasm');
    const pdfium = await init({ wasmBinary: new Uint8Array(readFileSync(wasm)).buffer });
    pdfium.PDFiumExt_Init();
    const document = load(pdfium, bytes, password);
    if (document !== 0) return new PdfFile(pdfium, document, password !== '');
    const code = pdfium.FPDF_GetLastError();
    if (code !== passwordError && code !== securityError) {
      throw new RejectedFile('unreadable', 'The file is not a PDF or is damaged.');
    }
    const unlocked = code === passwordError ? await unlockedCopy(bytes, password) : null;
    const opened = unlocked === null ? 0 : load(pdfium, unlocked, '');
    if (opened !== 0) return new PdfFile(pdfium, opened, true);
    const message =
      code === securityError
        ? 'The file uses an encryption that a password cannot open. Upload a decrypted copy.'
        : password === ''
          ? 'The file is encrypted and requires a password.'
          : 'The file is encrypted, and the given password does not open it.';
    throw new RejectedFile('encrypted', message);
  }

  /** Returns the number of pages. */
  pageCount(): number {
    return this.#pdfium.FPDF_GetPageCount(this.#document);
  }

  /**
   * Reads the text of a page, including rendered form fields and annotations, and the pixel size of its original
   * image. `index` starts at 0. Throws `RejectedFile` if the page cannot be loaded.
   */
  read(index: number): StoredPage {
    const own = this.#withPage(index, (page) => {
      const values = shownValues(this.#pdfium, page, this.#form);
      const isDrawnIn = values !== null && this.#pdfium.FPDFPage_Flatten(page, flattenForDisplay) === flattened;
      return { size: this.#computePixels(page), values, content: isDrawnIn ? null : this.#text(page, index) };
    });
    const content = own.content ?? this.#withPage(index, (page) => this.#text(page, index));
    return { content: withValues(content, own.values ?? []), ...own.size };
  }

  /** Renders a page with its form fields and annotations. `index` starts at 0. Throws `RejectedFile`. */
  draw(index: number): Picture {
    return this.#withPage(index, (page) => this.#draw(page));
  }

  /**
   * Returns a copy of the file that opens without a password; `null` if the original needs none. Throws
   * `RejectedFile` if memory is insufficient.
   */
  withoutPassword(): Uint8Array | null {
    if (!this.#wantedPassword) return null;
    const pdfium = this.#pdfium;
    pdfium.EPDF_RemoveEncryption(this.#document);
    const writer = pdfium.PDFiumExt_OpenFileWriter();
    pdfium.PDFiumExt_SaveAsCopy(this.#document, writer);
    const length = pdfium.PDFiumExt_GetFileWriterSize(writer);
    const place = pdfium.pdfium.wasmExports.malloc(length);
    if (length === 0 || place === 0)
      throw new RejectedFile('too-large', 'The file needs more memory than allowed for one file.');
    pdfium.PDFiumExt_GetFileWriterData(writer, place, length);
    return getMemory(pdfium).slice(place, place + length);
  }

  /** Returns the outline and the properties of the document. */
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

  #withPage<T>(index: number, use: (page: number) => T): T {
    const pdfium = this.#pdfium;
    const page = pdfium.FPDF_LoadPage(this.#document, index);
    if (page === 0) throw new RejectedFile('unreadable', `Page ${index + 1} of the file is damaged.`);
    try {
      if (this.#form !== 0) pdfium.FORM_OnAfterLoadPage(page, this.#form);
      return use(page);
    } finally {
      if (this.#form !== 0) pdfium.FORM_OnBeforeClosePage(page, this.#form);
      pdfium.FPDF_ClosePage(page);
    }
  }

  #computePixels(page: number): { readonly width: number; readonly height: number } {
    const scale = originalDotsPerInch / pointsPerInch;
    const points = { width: this.#pdfium.FPDF_GetPageWidthF(page), height: this.#pdfium.FPDF_GetPageHeightF(page) };
    return boundedSize(points.width * scale, points.height * scale, pagePixelsMax);
  }

  #text(page: number, index: number): string {
    const pdfium = this.#pdfium;
    const text = pdfium.FPDFText_LoadPage(page);
    if (text === 0) return '';
    try {
      const count = pdfium.FPDFText_CountChars(text);
      if (count <= 0) return '';
      if (count > pageTextCharactersMax) {
        throw new RejectedFile(
          'too-large',
          `Page ${index + 1} has more than ${pageTextCharactersMax} characters, the maximum.`,
        );
      }
      return cleaned(
        textAt(pdfium, (count + 1) * bytesPerUnit, (place) => {
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
    const { width, height } = this.#computePixels(page);
    const bitmap = pdfium.FPDFBitmap_Create(width, height, 0);
    if (bitmap === 0) throw new RejectedFile('too-large', 'The file needs more memory than allowed for one file.');
    try {
      pdfium.FPDFBitmap_FillRect(bitmap, 0, 0, width, height, white);
      pdfium.FPDF_RenderPageBitmap(bitmap, page, 0, 0, width, height, 0, drawing);
      if (this.#form !== 0) pdfium.FPDF_FFLDraw(this.#form, bitmap, page, 0, 0, width, height, 0, drawing);
      const place = pdfium.FPDFBitmap_GetBuffer(bitmap);
      const stride = pdfium.FPDFBitmap_GetStride(bitmap);
      return { width, height, stride, rgba: getMemory(pdfium).slice(place, place + stride * height) };
    } finally {
      pdfium.FPDFBitmap_Destroy(bitmap);
    }
  }

  #meta(key: string): string {
    const pdfium = this.#pdfium;
    const length = pdfium.FPDF_GetMetaText(this.#document, key, 0, 0);
    if (length <= bytesPerUnit || length > pageTextCharactersMax) return '';
    return cleaned(
      textAt(pdfium, length, (place) => pdfium.FPDF_GetMetaText(this.#document, key, place, length)),
    ).trim();
  }

  /**
   * Formats the bookmarks as a Markdown list with their target pages. A limit ends the list if bookmarks are
   * circular.
   */
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
          ? cleaned(textAt(pdfium, length, (place) => pdfium.FPDFBookmark_GetTitle(held, place, length)))
          : '';
      lines.push(`${'  '.repeat(depth)}- [${title.replaceAll('\n', ' ').trim()}](#page-${this.#findPage(held)})`);
      if (depth < outlineDepthMax) this.#bookmarks(held, depth + 1, lines);
      bookmark = pdfium.FPDFBookmark_GetNextSibling(this.#document, held);
    }
  }

  #findPage(bookmark: number): number {
    const destination = this.#pdfium.FPDFBookmark_GetDest(this.#document, bookmark);
    const index = destination === 0 ? 0 : this.#pdfium.FPDFDest_GetDestPageIndex(this.#document, destination);
    return Math.max(index, 0) + 1;
  }
}

/**
 * Loads a document from bytes. Returns 0 if the library cannot load it. Throws `RejectedFile` if memory is
 * insufficient.
 */
function load(pdfium: WrappedPdfiumModule, bytes: Uint8Array, password: string): number {
  const place = pdfium.pdfium.wasmExports.malloc(bytes.length);
  if (place === 0) throw new RejectedFile('too-large', 'The file needs more memory than allowed for one file.');
  getMemory(pdfium).set(bytes, place);
  return pdfium.FPDF_LoadMemDocument(place, bytes.length, password);
}
