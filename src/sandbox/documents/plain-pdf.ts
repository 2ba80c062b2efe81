import type { GivenPage } from '../../contract/document.schema.ts';
import { originalDotsPerInch } from '../../contract/document-limits.ts';

const pointsPerInch = 72;
const marginPoints = 54;
const fontPoints = 10;
const leadingPoints = 13;
/** Average width of a letter in the standard font, relative to the font size. */
const letterWidth = 0.5;

/**
 * Creates a PDF with text pages in the standard font, for records without an uploaded file. The output is small and
 * always identical for the same pages. Characters beyond Latin-1 become question marks.
 */
export function plainPdf(pages: readonly GivenPage[], title: string): Uint8Array {
  const objects: string[] = [];
  const pageObject = (index: number): number => 4 + index * 2;
  const kids = pages.map((_, index) => `${pageObject(index)} 0 R`).join(' ');
  objects.push('<< /Type /Catalog /Pages 2 0 R >>');
  objects.push(`<< /Type /Pages /Kids [${kids}] /Count ${pages.length} >>`);
  objects.push('<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding >>');
  pages.forEach((page, index) => {
    const { width, height } = toPoints(page);
    const stream = textStream(page.content, width, height);
    objects.push(
      `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 ${width} ${height}] /Resources << /Font << /F1 3 0 R >> >> /Contents ${pageObject(index) + 1} 0 R >>`,
    );
    objects.push(`<< /Length ${stream.length} >>\nstream\n${stream}\nendstream`);
  });
  objects.push(`<< /Title (${escaped(title)}) /Producer (NudgeLab) >>`);
  return Buffer.from(formatFile(objects), 'latin1');
}

function formatFile(objects: readonly string[]): string {
  let file = '%PDF-1.4\n';
  const places = objects.map((object, index) => {
    const place = file.length;
    file += `${index + 1} 0 obj\n${object}\nendobj\n`;
    return place;
  });
  const start = file.length;
  const rows = places.map((place) => `${String(place).padStart(10, '0')} 00000 n \n`).join('');
  const size = objects.length + 1;
  file += `xref\n0 ${size}\n0000000000 65535 f \n${rows}trailer\n<< /Size ${size} /Root 1 0 R /Info ${objects.length} 0 R >>\n`;
  return `${file}startxref\n${start}\n%%EOF\n`;
}

function toPoints({ width, height }: GivenPage): { readonly width: number; readonly height: number } {
  // The extra hundredth ensures that a rendered page has whole pixels.
  const points = (pixels: number): number =>
    Math.round(((pixels + 0.01) * pointsPerInch * 1000) / originalDotsPerInch) / 1000;
  return { width: points(width), height: points(height) };
}

function textStream(content: string, width: number, height: number): string {
  const charactersMax = Math.max(8, Math.floor((width - 2 * marginPoints) / (fontPoints * letterWidth)));
  const lines = content.split('\n').flatMap((line) => wrapped(line, charactersMax));
  const operators = lines.map((line) => `(${escaped(line)}) Tj T*`).join('\n');
  return `BT /F1 ${fontPoints} Tf ${leadingPoints} TL ${marginPoints} ${height - marginPoints} Td\n${operators}\nET`;
}

function wrapped(line: string, charactersMax: number): readonly string[] {
  const lines: string[] = [];
  let current = '';
  for (const word of line.split(' ')) {
    if (current !== '' && current.length + word.length >= charactersMax) {
      lines.push(current);
      current = word;
    } else current = current === '' ? word : `${current} ${word}`;
  }
  return [...lines, current];
}

function escaped(text: string): string {
  return text.replace(/[^\x20-\x7e\xa0-\xff]/gu, '?').replace(/[\\()]/g, String.raw`\$&`);
}
