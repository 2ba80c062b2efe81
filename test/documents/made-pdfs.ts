import { deflateSync } from 'node:zlib';
import { PDFDocument, StandardFonts } from '@cantoo/pdf-lib';
import PdfKit from 'pdfkit';

/** PDFs that tests make because nobody wants them in a repository: huge, hostile, locked, or of a thousand pages. */

/** A PDF of so many pages, each with its number as text. */
export async function manyPages(pages: number): Promise<Uint8Array> {
  const pdf = await PDFDocument.create();
  const font = await pdf.embedFont(StandardFonts.Helvetica);
  for (let index = 1; index <= pages; index += 1) {
    pdf.addPage([200, 200]).drawText(`Page ${index}`, { x: 20, y: 100, size: 20, font });
  }
  return pdf.save();
}

/** A PDF that wants a password. */
export function encrypted(): Promise<Uint8Array> {
  return written(new PdfKit({ userPassword: 'open sesame', size: 'A5' }).text('Locked'));
}

/** A PDF of PDFKit with outline and metadata. */
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

/** A PDF of pdf-lib whose pages hold drawings and no text at all. */
export async function withoutText(): Promise<Uint8Array> {
  const pdf = await PDFDocument.create();
  pdf.setTitle('Scan without text');
  pdf.setCreationDate(fixedDate);
  pdf.setModificationDate(fixedDate);
  for (const width of [300, 420]) pdf.addPage([width, 300]).drawCircle({ x: 150, y: 150, size: 80, borderWidth: 4 });
  return pdf.save();
}

/** A PDF whose page unpacks to gigabytes: a small file that means to fill the memory. Takes the unpacked length in bytes. */
export function bomb(unpackedBytes: number): Uint8Array {
  const inner = deflateSync(Buffer.alloc(unpackedBytes, ' '), { level: 9 });
  const stream = deflateSync(inner, { level: 9 });
  return pdfOf([
    '<< /Type /Catalog /Pages 2 0 R >>',
    '<< /Type /Pages /Kids [3 0 R] /Count 1 >>',
    '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 200 200] /Contents 4 0 R >>',
    [`<< /Length ${stream.length} /Filter [/FlateDecode /FlateDecode] >>\nstream\n`, stream, '\nendstream'],
  ]);
}

/** A PDF with a page of a size that no printer has. Takes width and height in points. */
export function pageOfSize(width: number, height: number): Uint8Array {
  return pdfOf([
    '<< /Type /Catalog /Pages 2 0 R >>',
    '<< /Type /Pages /Kids [3 0 R] /Count 1 >>',
    `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 ${width} ${height}] >>`,
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

function pdfOf(objects: readonly PdfObject[]): Uint8Array {
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
