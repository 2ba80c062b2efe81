import type { WrappedPdfiumModule } from '@embedpdf/pdfium';
import { pageAnnotationsMax, pageTextCharactersMax } from '../contract/document-limits.ts';
import { bytesPerUnit, cleaned, textAt } from './pdf-text.ts';

/** Annotation types in the numbering of the library. */
const freeText = 3;
const noteWindow = 16;
const widget = 20;

/** Annotation flags: hidden if the type is unknown, always hidden, and hidden on screens. */
const invisible = 0x01;
const hidden = 0x02;
const noView = 0x20;

/** Types of form fields that contain text, and the flag of a password field. */
const comboBox = 4;
const textField = 6;
const passwordField = 0x2000;

const normalAppearance = 0;

/**
 * Prepares the annotations and form fields of a page for rendering. Annotations that are hidden on screens are
 * hidden, so the extracted text matches the image. `form` is 0 if the document has no form. Returns the texts of
 * visible free-text annotations and fields; `null` if nothing has to be rendered.
 */
export function shownValues(pdfium: WrappedPdfiumModule, page: number, form: number): readonly string[] | null {
  const count = pdfium.FPDFPage_GetAnnotCount(page);
  if (count <= 0 || count > pageAnnotationsMax) return null;
  const values: string[] = [];
  let room = pageTextCharactersMax;
  let isAnyShown = false;
  for (let index = 0; index < count; index += 1) {
    const annotation = pdfium.FPDFPage_GetAnnot(page, index);
    if (annotation === 0) continue;
    try {
      const kind = pdfium.FPDFAnnot_GetSubtype(annotation);
      if (!showAsOnScreen(pdfium, annotation, kind)) continue;
      const isDrawn = hasAppearance(pdfium, annotation);
      if (kind === freeText && !isDrawn) pdfium.EPDFAnnot_GenerateAppearance(annotation);
      isAnyShown ||= kind === freeText || kind === widget || isDrawn;
      const value = room <= 0 ? '' : ownText(pdfium, { annotation, kind, form });
      room -= value.length;
      if (value !== '') values.push(value);
    } finally {
      pdfium.FPDFPage_CloseAnnot(annotation);
    }
  }
  return isAnyShown ? values : null;
}

/**
 * Adds values that are missing in the text of a page. The library has no glyphs for them, so they can be read only
 * from the field values. Values that the library can render are read as rendered, such as a formatted date.
 */
export function withValues(content: string, values: readonly string[]): string {
  const drawn = squeezed(content);
  const missing = values.filter((value) => beyondLatin.test(value) && !drawn.includes(squeezed(value)));
  return [content, ...missing].filter((text) => text !== '').join('\n');
}

const beyondLatin = /[\u0100-\u{10ffff}]/u;

function squeezed(text: string): string {
  return text.replaceAll(/\s+/g, '');
}

/** Hides an annotation that screens do not show, and shows every other one. Returns `true` if it is shown. */
function showAsOnScreen(pdfium: WrappedPdfiumModule, annotation: number, kind: number): boolean {
  const flags = pdfium.FPDFAnnot_GetFlags(annotation);
  const isShown = kind !== noteWindow && (flags & (hidden | noView)) === 0;
  pdfium.FPDFAnnot_SetFlags(annotation, isShown ? flags & ~invisible : flags | hidden);
  return isShown;
}

function hasAppearance(pdfium: WrappedPdfiumModule, annotation: number): boolean {
  return pdfium.EPDFAnnot_HasAppearanceStream(annotation, normalAppearance);
}

interface OpenAnnotation {
  readonly annotation: number;
  readonly kind: number;
  readonly form: number;
}

/** Returns the text of an annotation independent of its appearance; empty if it has none. */
function ownText(pdfium: WrappedPdfiumModule, { annotation, kind, form }: OpenAnnotation): string {
  if (kind === freeText) return readContents(pdfium, annotation);
  return kind === widget && form !== 0 && holdsText(pdfium, annotation, form)
    ? fieldValue(pdfium, annotation, form)
    : '';
}

function holdsText(pdfium: WrappedPdfiumModule, annotation: number, form: number): boolean {
  const kind = pdfium.FPDFAnnot_GetFormFieldType(form, annotation);
  if (kind === comboBox) return true;
  return kind === textField && (pdfium.FPDFAnnot_GetFormFieldFlags(form, annotation) & passwordField) === 0;
}

function fieldValue(pdfium: WrappedPdfiumModule, annotation: number, form: number): string {
  const write = (place: number, length: number): number =>
    pdfium.FPDFAnnot_GetFormFieldValue(form, annotation, place, length);
  return bounded(pdfium, write);
}

function readContents(pdfium: WrappedPdfiumModule, annotation: number): string {
  const write = (place: number, length: number): number =>
    pdfium.FPDFAnnot_GetStringValue(annotation, 'Contents', place, length);
  return bounded(pdfium, write);
}

/** Reads a text whose length the library reports when the buffer is empty. */
function bounded(pdfium: WrappedPdfiumModule, write: (place: number, length: number) => number): string {
  const length = write(0, 0);
  if (length <= bytesPerUnit || length > pageTextCharactersMax) return '';
  return cleaned(textAt(pdfium, length, (place) => write(place, length)));
}
