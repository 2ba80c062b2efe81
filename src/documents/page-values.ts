import type { WrappedPdfiumModule } from '@embedpdf/pdfium';
import { pageAnnotationsMax, pageTextCharactersMax } from '../contract/document-limits.ts';
import { bytesPerUnit, cleaned, textAt } from './pdf-text.ts';

/** Kinds of annotations, as the library numbers them. */
const freeText = 3;
const noteWindow = 16;
const widget = 20;

/** Flags of an annotation: not shown where its kind is unknown, not at all, and not on a screen. */
const invisible = 0x01;
const hidden = 0x02;
const noView = 0x20;

/** Kinds of form fields that hold text, and the flag of one whose text is a password. */
const comboBox = 4;
const textField = 6;
const passwordField = 0x2000;

const normalAppearance = 0;

/**
 * Prepares the annotations and form fields of a page for being drawn into it: those that no screen shows are hidden, so that
 * what is read is what is drawn. Takes the page and the form of the document, 0 for none. Returns the texts of free-text
 * annotations and of fields that are shown, and `null` where nothing on the page is to be drawn in.
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
 * A text of a page, with the values that are not in it: the library has no letters to draw them with, so that nothing but their
 * value says what they are. What it can draw is read as it is drawn, a date as it is shown.
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

/** Hides an annotation that no screen shows, and shows every other. Returns whether it is shown. */
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

/** The text that an annotation shows of itself, apart from how it is drawn; empty for one that has none. */
function ownText(pdfium: WrappedPdfiumModule, { annotation, kind, form }: OpenAnnotation): string {
  if (kind === freeText) return contentsOf(pdfium, annotation);
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

function contentsOf(pdfium: WrappedPdfiumModule, annotation: number): string {
  const write = (place: number, length: number): number =>
    pdfium.FPDFAnnot_GetStringValue(annotation, 'Contents', place, length);
  return bounded(pdfium, write);
}

/** A text whose length the library returns when it is given no room. */
function bounded(pdfium: WrappedPdfiumModule, write: (place: number, length: number) => number): string {
  const length = write(0, 0);
  if (length <= bytesPerUnit || length > pageTextCharactersMax) return '';
  return cleaned(textAt(pdfium, length, (place) => write(place, length)));
}
