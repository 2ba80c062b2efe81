import { createReadStream, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import sharp from 'sharp';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { imageSizes } from '../../src/contract/document.schema.ts';
import type { ErrorCode } from '../../src/core/errors.ts';
import { readDocument } from '../../src/documents/document-reader.ts';
import { DocumentShelf, type ShelvingOptions } from '../../src/documents/document-shelf.ts';
import { bomb, catalogue, encrypted, manyPages, pageOfSize, withoutText } from './made-pdfs.ts';

const fixtures = new URL('../../fixtures/documents/', import.meta.url);

let folder: string;
let shelf: DocumentShelf;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'nudgelab-test-'));
  shelf = new DocumentShelf(folder);
});

afterEach(() => {
  rmSync(folder, { recursive: true, force: true });
});

function take(bytes: Uint8Array, options: Partial<ShelvingOptions> = {}): ReturnType<DocumentShelf['take']> {
  return shelf.take(Readable.from([bytes]), { webp: false, ...options });
}

function fixture(name: string): Uint8Array {
  return readFileSync(new URL(name, fixtures));
}

/** What the makers' files hold, read by eye. */
const makers: readonly (readonly [string, { pages: number; title: string | null; outline: number; text: string }])[] = [
  ['chromium-minutes.pdf', { pages: 3, title: 'Minutes of the river board', outline: 3, text: 'flood gates' }],
  ['chromium-right-to-left.pdf', { pages: 1, title: 'إشعار عام', outline: 0, text: 'تفتح المكتبة أبوابها' }],
  ['ghostscript-harbour.pdf', { pages: 2, title: 'Report on the harbour', outline: 2, text: '312 ships' }],
  ['libreoffice-letter.pdf', { pages: 1, title: 'Answer to a request', outline: 1, text: '214 trees' }],
  ['pdf-lib-without-text.pdf', { pages: 2, title: 'Scan without text', outline: 0, text: '' }],
  ['pdfkit-catalogue.pdf', { pages: 3, title: 'Catalogue of instruments', outline: 3, text: 'A violin of 1740' }],
  ['tex-budget.pdf', { pages: 2, title: 'Budget of the parish', outline: 4, text: 'The parish expects an income' }],
];

describe('Reading PDFs', () => {
  test('D2: every PDF that ships is looked at here', () => {
    expect(
      readdirSync(fixtures)
        .filter((name) => name.endsWith('.pdf'))
        .sort(),
    ).toEqual(makers.map(([name]) => name).sort());
  });

  test.for(makers)('D2: %s is read with its pages, text, outline and title', async ([name, expected]) => {
    const shelved = await shelf.take(createReadStream(new URL(name, fixtures)), { webp: false });
    const { pages } = await shelf.read(shelved.digest);
    expect({
      pages: shelved.pages,
      title: shelved.properties.title,
      outline: shelved.outline === '' ? 0 : shelved.outline.split('\n').length,
    }).toEqual({ pages: expected.pages, title: expected.title, outline: expected.outline });
    expect(pages).toHaveLength(expected.pages);
    expect(pages[0]?.content).toContain(expected.text);
    if (expected.text === '') expect(pages.map(({ content }) => content)).toEqual(['', '']);
  });

  test('D5: the images of every page are there in four sizes and two forms, as wide as they should be', async () => {
    const { digest, pages } = await take(fixture('pdfkit-catalogue.pdf'), { webp: true });
    const { pages: stored } = await shelf.read(digest);
    for (let page = 1; page <= pages; page += 1) {
      for (const size of imageSizes) {
        for (const webp of [false, true]) {
          const { width, format } = await sharp(shelf.imagePath(digest, page, size, webp)).metadata();
          const wanted = { small: 180, normal: 700, large: 1000, original: stored[page - 1]?.width }[size];
          expect({ page, size, width, format }).toEqual({ page, size, width: wanted, format: webp ? 'webp' : 'png' });
        }
      }
    }
  });

  test.for([
    ['pdfkit-catalogue.pdf', catalogue],
    ['pdf-lib-without-text.pdf', withoutText],
  ] as const)('D2: %s can be made again, and holds the same', async ([name, make]) => {
    const [shipped, made] = [await take(fixture(name)), await take(await make())];
    expect(await shelf.read(made.digest)).toEqual(await shelf.read(shipped.digest));
  });

  const refused: readonly (readonly [
    string,
    () => Uint8Array | Promise<Uint8Array>,
    ErrorCode,
    Partial<ShelvingOptions>,
  ])[] = [
    ['no bytes', () => new Uint8Array(), 'document-unreadable', {}],
    ['no PDF', () => Buffer.from('a text that is no PDF'), 'document-unreadable', {}],
    ['half a file', () => fixture('tex-budget.pdf').subarray(0, 20_000), 'document-unreadable', {}],
    ['a password', encrypted, 'document-encrypted', {}],
    ['a page that unpacks to gigabytes', () => bomb(1_200_000_000), 'document-too-large', {}],
    ['more pages than allowed', () => manyPages(4), 'document-too-large', { pagesMax: 3 }],
  ];

  test.for(refused)(
    'document-unreadable: a file with %s is refused, and nothing is left of it',
    async ([, make, code, options]) => {
      await expect(take(await make(), options)).rejects.toMatchObject({ code });
      expect(readdirSync(folder)).toEqual([]);
    },
  );

  test('document-cancelled: whoever cancels finds nothing left, and the next file is read', async () => {
    const cancelled = new AbortController();
    const onProgress = ({ page }: { readonly page: number }): void => {
      if (page === 3) cancelled.abort();
    };
    const reading = take(await manyPages(400), { signal: cancelled.signal, onProgress });
    await expect(reading).rejects.toMatchObject({ code: 'document-cancelled' });
    expect(readdirSync(folder)).toEqual([]);
    expect((await take(fixture('ghostscript-harbour.pdf'))).pages).toBe(2);
  });

  test('document-too-large: a file that takes longer than it may is given up', async () => {
    await expect(take(await manyPages(1_500), { secondsMax: 1 })).rejects.toMatchObject({ code: 'document-too-large' });
    expect(readdirSync(folder)).toEqual([]);
  });

  test('D2: two thousand pages are read, with progress for each', async () => {
    const file = join(folder, 'many.pdf');
    const { writeFileSync } = await import('node:fs');
    writeFileSync(file, await manyPages(2_000));
    const seen: number[] = [];
    const onProgress = ({ page }: { readonly page: number }): void => void seen.push(page);
    const read = await readDocument({ file, folder, images: false, webp: false, onProgress });
    expect([read.pages, seen.length, seen.at(-1)]).toEqual([2_000, 2_000, 2_000]);
  }, 60_000);

  test('D5: pages of sizes that no printer has come out within bounds', async () => {
    const thin = await take(pageOfSize(14_400, 1));
    const vast = await take(pageOfSize(14_400, 14_400));
    const sizes = await Promise.all([thin, vast].map(async ({ digest }) => (await shelf.read(digest)).pages[0]));
    for (const size of sizes) expect((size?.width ?? 0) * (size?.height ?? 0)).toBeLessThanOrEqual(41_000_000);
    expect(existsSync(shelf.imagePath(thin.digest, 1, 'large', false))).toBe(true);
  });
});
