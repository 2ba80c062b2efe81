import { deflateSync } from 'node:zlib';
import {
  PDFBool,
  PDFDocument,
  PDFHexString,
  PDFName,
  type PDFPage,
  type PDFRef,
  PDFString,
  StandardFonts,
} from '@cantoo/pdf-lib';
import PdfKit from 'pdfkit';

/** Generated PDFs that do not belong in a repository: huge, malicious, encrypted, or with a thousand pages. */

/** Creates a PDF with the given number of pages, each with its number as text. */
export async function manyPages(pages: number): Promise<Uint8Array> {
  const pdf = await PDFDocument.create();
  const font = await pdf.embedFont(StandardFonts.Helvetica);
  for (let index = 1; index <= pages; index += 1) {
    pdf.addPage([200, 200]).drawText(`Page ${index}`, { x: 20, y: 100, size: 20, font });
  }
  return pdf.save();
}

/** Creates a PDF that requires a password. */
export function encrypted(): Promise<Uint8Array> {
  return written(new PdfKit({ userPassword: 'open sesame', size: 'A5' }).text('Locked'));
}

/**
 * Creates an encrypted PDF.
 *
 * @param userPassword - Password for reading, or an empty text if none is required.
 * @param pdfVersion - PDF version, which determines the cipher.
 */
export function locked(userPassword: string, pdfVersion: PdfVersion): Promise<Uint8Array> {
  const pdf = new PdfKit({ userPassword, ownerPassword: 'owner', pdfVersion, size: 'A5', permissions: {} });
  return written(pdf.text('Locked words'));
}

export type PdfVersion = NonNullable<PDFKit.PDFDocumentOptions['pdfVersion']>;

/**
 * Creates an encrypted PDF without a password. Its copy of the permissions is damaged, but other viewers do not check
 * that copy.
 */
export async function lockedWithOtherPermissions(): Promise<Uint8Array> {
  const text = Buffer.from(await locked('', '1.7ext3')).toString('latin1');
  const changed = text.replace(/\/P -?\d+/, (found) => `/P -${'1'.padEnd(found.length - 4, ' ')}`);
  if (changed === text) throw new Error('The file has no permissions.');
  return Buffer.from(changed, 'latin1');
}

/** Options of a filled form: whether the file contains the appearance of its fields. */
export interface FilledForm {
  readonly looks: 'drawn' | 'needed' | 'missing';
}

/** Creates a PDF with a filled form: fields of every kind, including a password field and a hidden field. */
export async function filledForm({ looks }: FilledForm): Promise<Uint8Array> {
  const pdf = await PDFDocument.create();
  const font = await pdf.embedFont(StandardFonts.Helvetica);
  const page = pdf.addPage([400, 400]);
  page.drawText('Application', { x: 20, y: 370, size: 12, font });
  const form = pdf.getForm();
  const name = form.createTextField('name');
  name.setText('Wilhelmina Quux');
  name.addToPage(page, { x: 20, y: 300, width: 180, height: 24, font });
  const notes = form.createTextField('notes');
  notes.enableMultiline();
  notes.setText('First remark\nSecond remark');
  notes.addToPage(page, { x: 20, y: 220, width: 300, height: 60, font });
  const color = form.createDropdown('color');
  color.addOptions(['red', 'chartreuse']);
  color.select('chartreuse');
  color.addToPage(page, { x: 20, y: 180, width: 120, height: 20, font });
  const agreed = form.createCheckBox('agreed');
  agreed.addToPage(page, { x: 20, y: 140, width: 20, height: 20 });
  agreed.check();
  const secret = form.createTextField('secret');
  secret.enablePassword();
  secret.setText('hunter2');
  secret.addToPage(page, { x: 20, y: 100, width: 100, height: 20, font });
  const hidden = form.createTextField('hidden');
  hidden.setText('concealed');
  hidden.addToPage(page, { x: 200, y: 100, width: 100, height: 20, font, hidden: true });
  if (looks === 'drawn') {
    secret.acroField.getWidgets().forEach((widget) => void widget.dict.delete(PDFName.of('AP')));
    return pdf.save({ updateFieldAppearances: false });
  }
  for (const field of form.getFields()) {
    for (const widget of field.acroField.getWidgets()) widget.dict.delete(PDFName.of('AP'));
  }
  name.acroField.dict.set(PDFName.of('V'), PDFHexString.fromText('Вильгельмина Quux'));
  if (looks === 'needed') form.acroForm.dict.set(PDFName.of('NeedAppearances'), PDFBool.True);
  return pdf.save({ updateFieldAppearances: false });
}

/**
 * Creates a PDF with two pages, one free-text annotation on each, and a hidden annotation. The first annotation has no
 * appearance.
 */
export async function freeText(): Promise<Uint8Array> {
  const pdf = await PDFDocument.create();
  const font = await pdf.embedFont(StandardFonts.Helvetica);
  const { context } = pdf;
  const annotate = (
    page: PDFPage,
    words: string,
    more: Readonly<Record<string, PDFRef | number | { readonly N: PDFRef }>>,
  ): void => {
    const annotation = context.obj({
      ...{ Type: 'Annot', Subtype: 'FreeText', Rect: [50, 100, 300, 140], DA: PDFString.of('/Helv 14 Tf 0 g') },
      ...{ Contents: PDFHexString.fromText(words), F: 4 },
      ...more,
    });
    page.node.addAnnot(context.register(annotation));
  };
  const [first, second] = [pdf.addPage([400, 200]), pdf.addPage([400, 200])];
  first.drawText('Own text', { x: 20, y: 170, size: 12, font });
  annotate(first, 'Marginal remark', {});
  annotate(first, 'Concealed remark', { F: 2 });
  annotate(first, '日本語の注釈', {});
  const looks = context.stream('BT /F 14 Tf 5 15 Td (Drawn remark) Tj ET', {
    ...{ Type: 'XObject', Subtype: 'Form', BBox: [0, 0, 250, 40], Resources: { Font: { F: font.ref } } },
  });
  annotate(second, 'Drawn remark', { AP: { N: context.register(looks) } });
  return pdf.save();
}

/** Creates a PDF by PDFKit with outline and metadata. */
export function catalogue(): Promise<Uint8Array> {
  const info = {
    Title: 'Catalogue of instruments',
    Author: 'Collection',
    Subject: 'Instruments',
    CreationDate: fixedDate,
  };
  const pdf = new PdfKit({ size: 'A5', info, pdfVersion: '1.7' });
  const strings = pdf.outline.addItem('Strings');
  pdf.fontSize(18).text('Strings').fontSize(11).text('A violin of 1740, a cello of 1801.');
  strings.addItem('Bows');
  pdf.addPage();
  pdf.outline.addItem('Winds');
  pdf.fontSize(18).text('Winds').fontSize(11).text('Two flutes, an oboe and a bassoon.');
  pdf
    .addPage({ size: [300, 120] })
    .rect(20, 20, 200, 60)
    .fill('#0b5cad');
  return written(pdf);
}

/** Creates a PDF by pdf-lib whose pages contain drawings and no text. */
export async function withoutText(): Promise<Uint8Array> {
  const pdf = await PDFDocument.create();
  pdf.setTitle('Scan without text');
  pdf.setCreationDate(fixedDate);
  pdf.setModificationDate(fixedDate);
  for (const width of [300, 420]) pdf.addPage([width, 300]).drawCircle({ x: 150, y: 150, size: 80, borderWidth: 4 });
  return pdf.save();
}

/**
 * Creates a small PDF that would exhaust the memory, because its page unpacks to gigabytes.
 *
 * @param unpackedBytes - Unpacked length in bytes.
 */
export function bomb(unpackedBytes: number): Uint8Array {
  const inner = deflateSync(Buffer.alloc(unpackedBytes, ' '), { level: 9 });
  const stream = deflateSync(inner, { level: 9 });
  return createPdf([
    '<< /Type /Catalog /Pages 2 0 R >>',
    '<< /Type /Pages /Kids [3 0 R] /Count 1 >>',
    '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 200 200] /Contents 4 0 R >>',
    [`<< /Length ${stream.length} /Filter [/FlateDecode /FlateDecode] >>\nstream\n`, stream, '\nendstream'],
  ]);
}

/**
 * Creates a PDF with a page of a size that no printer supports.
 *
 * @param width - Width in points.
 * @param height - Height in points.
 * @param content - Drawing operators of the page.
 */
export function pageOfSize(width: number, height: number, content = ''): Uint8Array {
  return createPdf([
    '<< /Type /Catalog /Pages 2 0 R >>',
    '<< /Type /Pages /Kids [3 0 R] /Count 1 >>',
    `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 ${width} ${height}] /Contents 4 0 R >>`,
    `<< /Length ${content.length} >>\nstream\n${content}\nendstream`,
  ]);
}

const fixedDate = new Date('2026-01-05T09:00:00.000Z');

function written(pdf: InstanceType<typeof PdfKit>): Promise<Uint8Array> {
  const { promise, resolve, reject } = Promise.withResolvers<Uint8Array>();
  const chunks: Buffer[] = [];
  pdf.on('data', (chunk: Buffer) => chunks.push(chunk));
  pdf.on('end', () => resolve(Buffer.concat(chunks)));
  pdf.on('error', reject);
  pdf.end();
  return promise;
}

type PdfObject = string | readonly (string | Uint8Array)[];

function createPdf(objects: readonly PdfObject[]): Uint8Array {
  const parts: Buffer[] = [Buffer.from('%PDF-1.5\n')];
  const length = (): number => parts.reduce((sum, part) => sum + part.length, 0);
  const places = objects.map((object, index) => {
    const place = length();
    parts.push(Buffer.from(`${index + 1} 0 obj\n`), ...[object].flat().map((piece) => Buffer.from(piece as string)));
    parts.push(Buffer.from('\nendobj\n'));
    return place;
  });
  const start = length();
  const rows = places.map((place) => `${String(place).padStart(10, '0')} 00000 n \n`).join('');
  const size = objects.length + 1;
  parts.push(Buffer.from(`xref\n0 ${size}\n0000000000 65535 f \n${rows}`));
  parts.push(Buffer.from(`trailer\n<< /Size ${size} /Root 1 0 R >>\nstartxref\n${start}\n%%EOF\n`));
  return Buffer.concat(parts);
}
