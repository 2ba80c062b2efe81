import { describe, expect, it } from 'vitest';
import { acceptsJson } from '../../src/sandbox/documents/accepts-json.ts';
import { plainPdf } from '../../src/sandbox/documents/plain-pdf.ts';
import { parseSearchExpression } from '../../src/sandbox/documents/search-expression.ts';
import { createSlug } from '../../src/sandbox/documents/slug.ts';
import { createUid, idInUid, seriesUid } from '../../src/sandbox/documents/uid.ts';
import { nonEmpty } from '../non-empty.ts';

describe('texts of the document records API', () => {
  it.for([
    [undefined, true],
    ['', true],
    ['  ', true],
    ['*/*', true],
    ['application/json', true],
    ['Application/JSON', true],
    ['application/*', true],
    ['text/html', false],
    ['text/html, application/json', true],
    ['text/html, */*;q=0.1', true],
    ['application/json;q=0', false],
    ['application/json; q=0.0, */*', false],
    ['*/*, application/json;q=0', false],
    ['application/*;q=0, */*', false],
    ['application/json;q=1, application/*;q=0', true],
    ['application/json;q=many', true],
    ['application/json;version=2;q=0', false],
    ['application/json;version=2', true],
    ['application/json,application/json;q=0', true],
    ['image/*', false],
  ] as const)('not-acceptable: Accept "%s" allows JSON: %s', ([accept, accepts]) => {
    expect(acceptsJson(accept)).toBe(accepts);
  });

  it.for([
    ['A Title', 'a-title'],
    ['  Größe & Maß  ', 'groe-ma'],
    ['Crème brûlée', 'creme-brulee'],
    ['a - b -- c', 'a-b-c'],
    ['_-hidden-_', 'hidden'],
    ['snake_case', 'snake_case'],
    ['日本', ''],
    ['ﬁne № 1', 'fine-no-1'],
  ] as const)('D2: the title "%s" has the slug "%s"', ([title, slug]) => {
    expect(createSlug(title)).toBe(slug);
  });

  it('D2: a slug has a limited length and does not end with a hyphen', () => {
    const slug = createSlug(`${'a'.repeat(254)} ${'b'.repeat(300)}`);
    expect(slug.length).toBeLessThanOrEqual(255);
    expect(slug).toMatch(/^a+(-b+)?$/);
  });

  it.for([
    ['one two', '"one" "two"'],
    ['"one two" three', '"one two" "three"'],
    ['one "" two', '"one" "two"'],
    ['half "quoted', '"half" "quoted"'],
    ['a\0b', '"a" "b"'],
    ['… - é', '"é"'],
    ['"- -"', null],
    ['  ', null],
    ['', null],
  ] as const)('D6: "%s" is converted to the search expression %s', ([typed, match]) => {
    expect(parseSearchExpression(typed)).toBe(match);
  });

  it('D6: a search uses only the first 32 words', () => {
    const words = Array.from({ length: 40 }, (_, index) => `w${index}`);
    expect(parseSearchExpression(words.join(' '))?.split(' ')).toEqual(words.slice(0, 32).map((word) => `"${word}"`));
  });

  it('D2: identifiers are UUIDs derived from a random seed and an id, and those of a series end with the id', () => {
    const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-8[0-9a-f]{3}-[0-9a-f]{12}$/;
    const series = (firstId: number, seed = 3) => ({
      firstId,
      count: 9,
      seed,
      pages: 1,
      createdAtMs: 0,
      addedBySeq: 1,
    });
    const [one, own] = [series(10), createUid(1, 7)];
    expect(own).toMatch(uuid);
    expect(createUid(1, 7)).toBe(own);
    expect(new Set([own, createUid(1, 8), createUid(2, 7)]).size).toBe(3);
    const uids = [10, 255, 70_000].map((id) => seriesUid(one, id));
    for (const uid of uids) expect(uid).toMatch(uuid);
    expect(uids.map((uid) => uid.slice(-12))).toEqual(['00000000000a', '0000000000ff', '000000011170']);
    expect(uids.map((uid) => idInUid(uid.replaceAll('-', '')))).toEqual([10, 255, 70_000]);
    expect(new Set(uids.map((uid) => uid.slice(0, 23))).size).toBe(1);
    expect(seriesUid(series(10), 10)).toBe(uids[0]);
    expect(seriesUid(series(11), 10)).not.toBe(uids[0]);
    expect(seriesUid(series(10, 4), 10)).not.toBe(uids[0]);
  });
});

describe('text PDF', () => {
  const page = (content: string, width = 1_240, height = 1_754) => ({ content, width, height });
  const text = (pages: readonly ReturnType<typeof page>[], title = 'A title') =>
    Buffer.from(plainPdf(pages, title)).toString('latin1');
  const shown = (pdf: string) => [...pdf.matchAll(/^\((.*)\) Tj T\*$/gm)].map(([, line]) => line);

  it('D3: lists its pages and the offset of every object', () => {
    const pdf = text([page('one'), page('two', 150, 300)]);
    expect(pdf).toMatch(/^%PDF-1\.4\n/);
    expect(pdf).toContain('/Kids [4 0 R 6 0 R] /Count 2');
    expect([...pdf.matchAll(/\/MediaBox \[(.*?)\]/g)].map(([, box]) => box)).toEqual([
      '0 0 595.205 841.925',
      '0 0 72.005 144.005',
    ]);
    expect([...pdf.matchAll(/\/Contents (\d+) 0 R/g)].map(([, object]) => object)).toEqual(['5', '7']);
    const [, rows = ''] = /xref\n0 9\n0{10} 65535 f \n((?:\d{10} 00000 n \n)*)trailer/.exec(pdf) ?? [];
    const places = rows
      .trim()
      .split('\n')
      .map((row) => Number(row.slice(0, 10)));
    expect(places).toHaveLength(8);
    for (const [index, place] of places.entries())
      expect(pdf.slice(place).startsWith(`${index + 1} 0 obj\n`)).toBe(true);
    expect(pdf).toContain('<< /Size 9 /Root 1 0 R /Info 8 0 R >>');
    const start = Number(/startxref\n(\d+)\n%%EOF\n$/.exec(pdf)?.[1]);
    expect(pdf.slice(start)).toMatch(/^xref\n/);
    for (const [, length, stream = ''] of nonEmpty(pdf.matchAll(/<< \/Length (\d+) >>\nstream\n(.*?)\nendstream/gs))) {
      expect(stream).toHaveLength(Number(length));
    }
  });

  it('D3: long lines are wrapped between words, and existing line breaks are kept', () => {
    // 595 points minus two margins of 54 leave space for 97 characters of 5 points each.
    const words = Array.from({ length: 40 }, () => 'words').join(' ');
    const lines = shown(text([page(`first\n\n${words}`)]));
    expect(lines.slice(0, 2)).toEqual(['first', '']);
    expect(lines.slice(2).join(' ')).toBe(words);
    expect(lines.slice(2).map((line) => line?.length)).toEqual([95, 95, 47]);
    expect(shown(text([page('x'.repeat(200))]))).toEqual(['x'.repeat(200)]);
    expect(shown(text([page('one two three four', 20, 20)]))).toEqual(['one two', 'three', 'four']);
  });

  it('D3: PDF delimiters are escaped, and characters that the font does not support become question marks', () => {
    expect(shown(text([page('a (b) \\ é ö 日🙂')]))).toEqual(['a \\(b\\) \\\\ é ö ??']);
    expect(text([], 'T (1)')).toContain('/Title (T \\(1\\))');
    expect(text([])).toContain('/Kids [] /Count 0');
  });
});
