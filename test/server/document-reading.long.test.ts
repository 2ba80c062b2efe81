import { readFileSync } from 'node:fs';
import { Readable } from 'node:stream';
import { parse } from 'node-html-parser';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { documentDetailsSchema } from '../../src/contract/document.schema.ts';
import { marked, snippet } from '../../src/server/document-api/marked-text.ts';
import { nonEmpty } from '../non-empty.ts';
import { DocumentServer } from './document-server.ts';

let server: DocumentServer;

beforeAll(async () => {
  server = await DocumentServer.start();
});

afterAll(() => server.close());

async function page(address: string): Promise<{ status: number; headers: Headers; root: ReturnType<typeof parse> }> {
  const answer = await server.ask('GET', address);
  return { status: answer.status, headers: answer.headers, root: parse(await answer.text()) };
}

async function getSite(id: number, headers: Record<string, string> = {}): Promise<string> {
  return String((await server.json(`/api/v1/document/${id}/`, headers))['site_url']);
}

describe('Reading page', () => {
  test('D5: a real file is displayed with cover, images in every size, text and page navigation', async () => {
    const bytes = readFileSync(new URL('../../fixtures/documents/pdfkit-catalogue.pdf', import.meta.url));
    const details = documentDetailsSchema.parse({ public: true });
    const { id } = await server.sandbox.documents.addFile(Readable.from([bytes]), details, { webp: true });
    const { status, headers, root } = await page(`${await getSite(id)}?page=2`);
    expect([status, headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8']);
    expect(headers.get('content-security-policy')).toMatch(
      /^default-src 'none';.*script-src 'self'; img-src 'self' data:;/,
    );
    expect(root.querySelector('main')?.getAttribute('data-number')).toBe('2');
    expect(root.querySelector('.reading-text')?.text).toContain('bassoon');
    expect(root.querySelectorAll('a[data-to]').map((link) => link.getAttribute('data-to'))).toEqual([
      'first',
      'prev',
      'next',
      'last',
    ]);
    const images = root.querySelectorAll('img, source').flatMap((image) => {
      const sources =
        image
          .getAttribute('srcset')
          ?.split(', ')
          .map((source) => source.split(' ')[0] ?? '') ?? [];
      return [image.getAttribute('src') ?? '', ...sources].filter((address) => address !== '');
    });
    expect(images.length).toBeGreaterThan(8);
    for (const address of nonEmpty(new Set(images)))
      expect([address, (await server.ask('GET', address)).status]).toEqual([address, 200]);
  });

  test('D5: search terms are found and highlighted, and the text of a page is never interpreted as HTML', async () => {
    const { id } = await server.add({
      title: '<script>alert(1)</script>',
      pages: [{ content: 'nothing' }, { content: 'A <b>Heron</b> & a heron' }],
    });
    const { root } = await page(`${await getSite(id)}?q=HERON&page=2`);
    expect(root.querySelectorAll('.reading-text mark').map(({ text }) => text)).toEqual(['Heron', 'heron']);
    expect(root.querySelectorAll('.reading-hits li')).toHaveLength(1);
    expect(root.querySelector('form[role="search"] input[name="q"]')?.getAttribute('value')).toBe('HERON');
    expect(root.querySelectorAll('main script, .reading-text b')).toEqual([]);
    const none = await page(`${await getSite(id)}?q=%22%3E%3Cscript%3E`);
    expect(none.root.querySelectorAll('main script')).toEqual([]);
  });

  test('D7: a private page opens with the URL that its owner received, and an unlisted page with its uid', async () => {
    const hidden = await server.add({ public: false, title: 'Hidden', pages: [{ content: 'a' }, { content: 'b' }] });
    const unlisted = await server.add({ listed: false, title: 'Unlisted' });
    expect((await page(`/documents/${hidden.id}-hidden/`)).status).toBe(404);
    expect((await page(`/documents/${unlisted.id}-unlisted/`)).status).toBe(401);
    const owner = await server.bearer('ada');
    const { status, root } = await page(await getSite(hidden.id, owner));
    expect(status).toBe(200);
    const next = root.querySelector('a[data-to="next"]')?.getAttribute('href') ?? '';
    expect(
      (await page(new URL(next, await getSite(hidden.id, owner)).href)).root.querySelector('.reading-text')?.text,
    ).toBe('b');
    expect((await page(await getSite(unlisted.id, owner))).status).toBe(200);
  });

  test('D7: a document that is still being processed shows its progress', async () => {
    const timing = { startMs: 0, pageMs: 1_000 };
    const { id } = await server.add({ pages: [{ content: 'one' }, { content: 'two' }], timing });
    const { root, status } = await page(await getSite(id));
    expect([status, root.querySelector('[role="status"]')?.text]).toEqual([200, expect.stringContaining('0 of 2')]);
    expect(root.querySelector('form[role="search"]')).toBeNull();
  });

  test('D5: an old title or a missing slash redirects to the page', async () => {
    const { id } = await server.add({ title: 'Now' });
    const answer = await server.ask('GET', `/documents/${id}-before?page=1`);
    expect([answer.status, answer.headers.get('location')]).toEqual([301, `/documents/${id}-now/?page=1`]);
    expect((await page('/documents/999999/')).status).toBe(404);
  });

  test.for([
    ['an unknown number', (): string => '/documents/999999/', 404, 'document-not-found', 'private'],
    ['no number', (): string => '/documents/letters/', 404, 'not-found', 'number'],
    [
      'an unlisted one without its uid',
      async (): Promise<string> => `/documents/${(await server.add({ listed: false })).id}-a-title/`,
      401,
      'unauthenticated',
      'uid',
    ],
  ] as const)(
    'document-not-found: the HTML page explains what to do about %s and does not mention sign-in',
    async ([, address, status, code, hint]) => {
      const reading: Awaited<ReturnType<typeof page>> = await page(await address());
      const main = reading.root.querySelector('main');
      expect([reading.status, main?.getAttribute('data-error')]).toEqual([status, code]);
      expect(main?.text).toContain(hint);
      expect(main?.querySelectorAll('a').map((link) => link.getAttribute('href'))).toEqual(['/']);
      expect(reading.root.text).not.toMatch(/sign-in|token|OpenAPI/i);
    },
  );
});

describe('Highlighted text', () => {
  test.for([
    ['a heron', 'heron', 'a <mark>heron</mark>'],
    ['herons', 'heron', 'herons'],
    ['grey  heron', '"grey heron"', '<mark>grey  heron</mark>'],
    ['a.b', '.*', 'a.b'],
    ['<i>', 'i', '&#60;<mark>i</mark>&#62;'],
    ['شجرة كبيرة', 'كبيرة', 'شجرة <mark>كبيرة</mark>'],
  ] as const)('D5: in "%s" the words of "%s" are highlighted', ([text, query, expected]) => {
    expect(marked(text, query)).toBe(expected);
  });

  test('D5: a snippet is cut around the match', () => {
    const cut = snippet(`${'x '.repeat(200)}heron${' y'.repeat(200)}`, 'heron');
    expect(cut).toMatch(/^… .*<mark>heron<\/mark>.* …$/);
  });
});
