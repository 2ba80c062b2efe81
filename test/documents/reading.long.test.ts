import { createReadStream, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { PDFDocument } from '@cantoo/pdf-lib';
import sharp from 'sharp';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { imageSidePixelsMax, pagesDrawnAhead } from '../../src/contract/document-limits.ts';
import { imageSizes } from '../../src/contract/image-sizes.ts';
import type { ErrorCode } from '../../src/core/errors.ts';
import { DocumentFileStore, type FileStoreOptions } from '../../src/documents/document-file-store.ts';
import { readDocument } from '../../src/documents/document-reader.ts';
import { nonEmpty } from '../non-empty.ts';
import {
  bomb,
  catalogue,
  encrypted,
  filledForm,
  freeText,
  locked,
  lockedWithOtherPermissions,
  manyPages,
  pageOfSize,
  withoutText,
} from './made-pdfs.ts';

const fixtures = new URL('../../fixtures/documents/', import.meta.url);

let folder: string;
let fileStore: DocumentFileStore;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'nudgelab-test-'));
  fileStore = new DocumentFileStore(folder);
});

afterEach(() => {
  rmSync(folder, { recursive: true, force: true });
});

function take(bytes: Uint8Array, options: Partial<FileStoreOptions> = {}): ReturnType<DocumentFileStore['take']> {
  return fileStore.take(Readable.from([bytes]), { webp: false, ...options });
}

/** Returns a function that counts the dark pixels in a part of a page image. The part is in fractions of the page. */
async function measureInk(digest: string, page: number): Promise<(part: Part) => number> {
  const file = await fileStore.image(digest, { page, pages: page, size: 'original', webp: false });
  const { data, info } = await sharp(file).greyscale().raw().toBuffer({ resolveWithObject: true });
  return ({ left, top, width, height }) => {
    let dark = 0;
    for (let y = Math.ceil(top * info.height); y < (top + height) * info.height; y += 1) {
      for (let x = Math.ceil(left * info.width); x < (left + width) * info.width; x += 1) {
        if ((data[(y * info.width + x) * info.channels] ?? 255) < 128) dark += 1;
      }
    }
    return dark;
  };
}

interface Part {
  readonly left: number;
  readonly top: number;
  readonly width: number;
  readonly height: number;
}

function fixture(name: string): Uint8Array {
  return readFileSync(new URL(name, fixtures));
}

/** Contents of the PDFs by different producers, determined by eye. */
const makers: readonly (readonly [string, { pages: number; title: string | null; outline: number; text: string }])[] = [
  ['chromium-minutes.pdf', { pages: 3, title: 'Minutes of the river board', outline: 3, text: 'flood gates' }],
  ['chromium-right-to-left.pdf', { pages: 1, title: 'إشعار عام', outline: 0, text: 'تفتح المكتبة أبوابها' }],
  ['ghostscript-harbour.pdf', { pages: 2, title: 'Report on the harbour', outline: 2, text: '312 ships' }],
  ['libreoffice-letter.pdf', { pages: 1, title: 'Answer to a request', outline: 1, text: '214 trees' }],
  ['pdf-lib-without-text.pdf', { pages: 2, title: 'Scan without text', outline: 0, text: '' }],
  ['pdfkit-catalogue.pdf', { pages: 3, title: 'Catalogue of instruments', outline: 3, text: 'A violin of 1740' }],
  ['tex-budget.pdf', { pages: 2, title: 'Budget of the parish', outline: 4, text: 'The parish expects an income' }],
];

describe('PDF reading', () => {
  test('D2: every PDF fixture is tested here', () => {
    expect(
      readdirSync(fixtures)
        .filter((name) => name.endsWith('.pdf'))
        .sort(),
    ).toEqual(makers.map(([name]) => name).sort());
  });

  test.for(makers)('D2: %s is read with its pages, text, outline and title', async ([name, expected]) => {
    const shelved = await fileStore.take(createReadStream(new URL(name, fixtures)), { webp: false });
    const { pages } = await fileStore.read(shelved.digest);
    expect({
      pages: shelved.pages,
      title: shelved.properties.title,
      outline: shelved.outline === '' ? 0 : shelved.outline.split('\n').length,
    }).toEqual({ pages: expected.pages, title: expected.title, outline: expected.outline });
    expect(pages).toHaveLength(expected.pages);
    expect(pages[0]?.content).toContain(expected.text);
    if (expected.text === '') expect(pages.map(({ content }) => content)).toEqual(['', '']);
  });

  test('D5: the images of every page exist in four sizes and two formats with the expected width', async () => {
    const { digest, pages } = await take(fixture('pdfkit-catalogue.pdf'), { webp: true });
    const { pages: stored } = await fileStore.read(digest);
    for (let page = 1; page <= pages; page += 1) {
      for (const size of nonEmpty(imageSizes)) {
        for (const webp of [false, true]) {
          const { width, format } = await sharp(await fileStore.image(digest, { page, pages, size, webp })).metadata();
          const wanted = { small: 180, normal: 700, large: 1000, original: stored[page - 1]?.width }[size];
          expect({ page, size, width, format }).toEqual({ page, size, width: wanted, format: webp ? 'webp' : 'png' });
        }
      }
    }
  });

  test.for([
    ['pdfkit-catalogue.pdf', catalogue],
    ['pdf-lib-without-text.pdf', withoutText],
  ] as const)('D2: %s can be generated again with the same content', async ([name, make]) => {
    const [shipped, made] = [await take(fixture(name)), await take(await make())];
    expect(await fileStore.read(made.digest)).toEqual(await fileStore.read(shipped.digest));
  });

  const refused: readonly (readonly [
    string,
    () => Uint8Array | Promise<Uint8Array>,
    ErrorCode,
    Partial<FileStoreOptions>,
  ])[] = [
    ['no bytes', () => new Uint8Array(), 'document-unreadable', {}],
    ['no PDF', () => Buffer.from('a text that is no PDF'), 'document-unreadable', {}],
    ['half a file', () => fixture('tex-budget.pdf').subarray(0, 20_000), 'document-unreadable', {}],
    ['a password', encrypted, 'document-encrypted', {}],
    ['a page that unpacks to gigabytes', () => bomb(1_200_000_000), 'document-too-large', {}],
    ['more pages than allowed', () => manyPages(4), 'document-too-large', { pagesMax: 3 }],
  ];

  test.for(refused)(
    'document-unreadable: a file with %s is rejected and leaves no files behind',
    async ([, make, code, options]) => {
      await expect(take(await make(), options)).rejects.toMatchObject({ code });
      expect(readdirSync(folder)).toEqual([]);
    },
  );

  test.for(['drawn', 'needed', 'missing'] as const)(
    'D3: a filled form with the appearance %s is read and drawn with its values, except hidden ones',
    async (looks) => {
      const { digest } = await take(await filledForm({ looks }));
      const [page] = (await fileStore.read(digest)).pages;
      const name = looks === 'drawn' ? 'Wilhelmina Quux' : 'Вильгельмина Quux';
      for (const words of ['Application', name, 'First remark', 'Second remark', 'chartreuse']) {
        expect(page?.content).toContain(words);
      }
      expect(page?.content).not.toMatch(/hunter2|concealed/);
      const ink = await measureInk(digest, 1);
      // The coordinates are points. The fields are below the text of the page.
      const inkIn = (x: number, y: number, width: number, height: number): number =>
        ink({ left: x / 400, top: (400 - y - height) / 400, width: width / 400, height: height / 400 });
      expect(inkIn(22, 302, 176, 20)).toBeGreaterThan(0);
      expect(inkIn(22, 222, 296, 56)).toBeGreaterThan(0);
      expect(inkIn(22, 182, 100, 16)).toBeGreaterThan(0);
      expect(inkIn(22, 142, 16, 16)).toBeGreaterThan(0);
      expect(inkIn(200, 100, 100, 20)).toBe(0);
    },
  );

  test('D3: a visible free-text annotation is read and drawn, even without an appearance', async () => {
    const { digest } = await take(await freeText());
    const { pages } = await fileStore.read(digest);
    expect(pages.map(({ content }) => content)).toEqual(['Own text\nMarginal remark\n日本語の注釈', 'Drawn remark']);
    for (const page of [1, 2]) {
      expect((await measureInk(digest, page))({ left: 0.13, top: 0.32, width: 0.6, height: 0.16 })).toBeGreaterThan(0);
    }
  });

  test('D3: links and notes of a page do not change its text', async () => {
    const pdf = await PDFDocument.load(fixture('tex-budget.pdf'));
    const { digest } = await take(fixture('tex-budget.pdf'));
    for (const page of pdf.getPages()) {
      const link = { Type: 'Annot', Subtype: 'Link', Rect: [0, 0, 50, 50], Border: [0, 0, 0] };
      page.node.addAnnot(pdf.context.register(pdf.context.obj(link)));
      page.node.addAnnot(pdf.context.register(pdf.context.obj({ ...link, Subtype: 'Text' })));
    }
    const annotated = await take(await pdf.save());
    expect((await fileStore.read(annotated.digest)).pages).toEqual((await fileStore.read(digest)).pages);
  });

  test.for(['1.3', '1.6', '1.7ext3'] as const)(
    'document-encrypted: a PDF %s file opens without a password if only changes require one, otherwise with it',
    { timeout: 120_000 },
    async (version) => {
      const free = await take(await locked('', version));
      expect((await fileStore.read(free.digest)).pages[0]?.content).toContain('Locked words');
      const file = await locked('pässwörd', version);
      for (const password of [undefined, 'other']) {
        await expect(take(file, { password })).rejects.toMatchObject({ code: 'document-encrypted' });
      }
      const { digest } = await take(file, { password: 'pässwörd' });
      expect((await fileStore.read(digest)).pages[0]?.content).toContain('Locked words');
      expect(readFileSync(fileStore.filePath(digest)).equals(file)).toBe(true);
      expect(
        await sharp(await fileStore.image(digest, { page: 1, pages: 1, size: 'small', webp: false })).metadata(),
      ).toMatchObject({ width: 180 });
    },
  );

  test('document-encrypted: a damaged copy of the permissions does not prevent opening a file without a password', async () => {
    const { digest, pages } = await take(await lockedWithOtherPermissions());
    expect((await fileStore.read(digest)).pages[0]?.content).toContain('Locked words');
    expect(existsSync(await fileStore.image(digest, { page: 1, pages, size: 'small', webp: false }))).toBe(true);
  });

  test('document-canceled: a canceled file leaves no files behind, and the next file is read', async () => {
    const canceled = new AbortController();
    const onProgress = ({ page }: { readonly page: number }): void => {
      if (page === 3) canceled.abort();
    };
    const reading = take(await manyPages(400), { signal: canceled.signal, onProgress });
    await expect(reading).rejects.toMatchObject({ code: 'document-canceled' });
    expect(readdirSync(folder)).toEqual([]);
    expect((await take(fixture('ghostscript-harbour.pdf'))).pages).toBe(2);
  });

  test('document-too-large: a file that exceeds the time limit is rejected', async () => {
    await expect(take(await manyPages(1_500), { secondsMax: 0.05 })).rejects.toMatchObject({
      code: 'document-too-large',
    });
    expect(readdirSync(folder)).toEqual([]);
  });

  test('D2: two thousand pages are read, with progress for each page', async () => {
    const file = join(folder, 'many.pdf');
    const { writeFileSync } = await import('node:fs');
    writeFileSync(file, await manyPages(2_000));
    const seen: number[] = [];
    const onProgress = ({ page }: { readonly page: number }): void => void seen.push(page);
    const read = await readDocument({ file, folder, webp: false, onProgress });
    expect([read.pages, seen.length, seen.at(-1)]).toEqual([2_000, 2_000, 2_000]);
  }, 60_000);

  test('D5: pages of extreme sizes stay within the pixel limit', async () => {
    const thin = await take(pageOfSize(14_400, 1));
    const vast = await take(pageOfSize(14_400, 14_400));
    const sizes = await Promise.all([thin, vast].map(async ({ digest }) => (await fileStore.read(digest)).pages[0]));
    for (const size of nonEmpty(sizes))
      expect((size?.width ?? 0) * (size?.height ?? 0)).toBeLessThanOrEqual(41_000_000);
    expect(existsSync(await fileStore.image(thin.digest, { page: 1, pages: 1, size: 'large', webp: false }))).toBe(
      true,
    );
  });

  test.for([
    [1, 16_000],
    [2, 15_000],
    [0.1, 14_400],
    [14_400, 1],
  ] as const)('D5: the images of a page of %f × %f points have the expected width', async ([width, height]) => {
    const { digest, pages } = await take(pageOfSize(width, height, '0 0 1 rg 0 0 100000 100000 re f'));
    const [page] = (await fileStore.read(digest)).pages;
    for (const size of nonEmpty(imageSizes)) {
      for (const webp of [false, true]) {
        const image = await sharp(await fileStore.image(digest, { page: 1, pages, size, webp })).metadata();
        const wanted = { small: 180, normal: 700, large: 1000, original: page?.width }[size];
        expect({ size, width: image.width }).toEqual({ size, width: wanted });
        expect(image.height).toBeLessThanOrEqual(imageSidePixelsMax);
        if (size === 'original') expect(image.height).toBe(page?.height);
      }
    }
    const small = await sharp(await fileStore.image(digest, { page: 1, pages, size: 'small', webp: false }))
      .removeAlpha()
      .toColourspace('srgb')
      .raw()
      .toBuffer({ resolveWithObject: true });
    const middle = (Math.floor(small.info.height / 2) * small.info.width + Math.floor(small.info.width / 2)) * 3;
    const colours = [...small.data.subarray(middle - 3, middle + 6)];
    expect(colours).toContain(0);
  });

  test('D5: the original image has the size that the page states', async () => {
    const { digest } = await take(fixture('ghostscript-harbour.pdf'));
    const { pages } = await fileStore.read(digest);
    for (const [index, { width, height }] of pages.entries()) {
      const place = { page: index + 1, pages: pages.length, size: 'original', webp: false } as const;
      expect(await sharp(await fileStore.image(digest, place)).metadata()).toMatchObject({ width, height });
    }
  });

  test('D5: pages are not drawn when a file is added, and concurrent requests draw a page and the next ones once', async () => {
    const { digest } = await take(await manyPages(12));
    const images = (): readonly string[] => readdirSync(join(folder, digest)).filter((name) => name.endsWith('.png'));
    expect(images()).toEqual([]);
    const ask = (page: number, webp = false) => fileStore.image(digest, { page, pages: 12, size: 'small', webp });
    const paths = await Promise.all([ask(5), ask(5), ask(6), ask(12, true), ask(12, true)]);
    expect(paths.every((path) => existsSync(path))).toBe(true);
    await expect.poll(() => images().length, { timeout: 20_000 }).toBe((pagesDrawnAhead + 1 + 1) * imageSizes.length);
    expect(
      readdirSync(join(folder, digest)).filter(
        (name) => !/^(document\.pdf|pages\.json|page-p\d+-\w+\.png(\.webp)?)$/.test(name),
      ),
    ).toEqual([]);
  });
});
