import { parse } from 'node-html-parser';
import { expect, test } from 'vitest';
import { layout } from '../../../src/server/identity/pages/layout.ts';
import { textsIn } from '../../../src/server/identity/texts/page-texts.ts';

/** Header and language of a page of one part of the server. */
function frame(part: 'sign-in' | 'documents' | 'lookup' | 'console', branding: object | null, language: 'en' | 'ar') {
  const texts = textsIn(language);
  const tenant = { branding, brandStylesheet: null, texts, frozenAt: null, sandboxId: 'lab' } as never;
  const page = parse(layout({ title: 'Title', name: 'problem', tenant, body: '', part }));
  const html = page.querySelector('html');
  return {
    header: page.querySelector('header')?.text ?? '',
    logo: page.querySelector('header img')?.getAttribute('src') ?? null,
    language: [html?.getAttribute('lang'), html?.getAttribute('dir')],
  };
}

test.each(['sign-in', 'documents', 'lookup', 'console'] as const)(
  'brand: the header of a page of the part %s names the tenant and NudgeLab, with the logo',
  (part) => {
    const plain = frame(part, null, 'en');
    expect([plain.header.includes('NudgeLab'), plain.header.includes('Tide'), plain.logo]).toEqual([true, false, null]);
    const branded = frame(part, { name: 'Tide', logo: 'data:image/png;base64,AAAA' }, 'en');
    expect([branded.header.includes('NudgeLab'), branded.header.includes('Tide')]).toEqual([true, true]);
    expect(branded.logo).toBe('data:image/png;base64,AAAA');
    expect(frame(part, { name: 'Tide' }, 'en').logo).toBeNull();
    expect(frame(part, null, 'ar').language).toEqual(part === 'sign-in' ? ['ar', 'rtl'] : ['en', 'ltr']);
  },
);
